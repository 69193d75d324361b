// Times as a cinema prints them. An instant arrives with the cinema's own offset, so its clock is read off the text:
// the browser's zone is never asked.
import {t, has, lang} from './i18n.js';

const pad = (n) => String(n).padStart(2, '0');

/// The parts of a date `2026-11-23`.
export function day(text) {
  const [y, m, d] = text.split('-').map(Number);
  return {y, m, d, w: new Date(Date.UTC(y, m - 1, d)).getUTCDay()};
}

/// The parts of a clock in `2026-11-24T00:30:00+09:00`.
export const clock = (text) => ({date: text.slice(0, 10), h: +text.slice(11, 13), min: +text.slice(14, 16)});

/// A formatter for each zone: the first one takes as long as all else that a page does to begin.
const formats = new Map();
/// Minutes that a zone is ahead of UTC, as far as an instant of these days has told.
const ahead = new Map([['Asia/Seoul', 540], ['Asia/Tokyo', 540]]);

/// Minutes that the clock of `2026-11-24T00:30:00+09:00` is ahead of UTC; null for what does not say.
function offsetOf(instant) {
  const offset = /([+-])(\d\d):(\d\d)$/.exec(instant ?? '');
  return offset && (offset[1] === '-' ? -1 : 1) * (offset[2] * 60 + +offset[3]);
}

/// An instant as the clock shows it that another is written by.
export function written(instant, like) {
  const offset = offsetOf(like);
  return new Date(instant + (offset ?? 0) * 60_000).toISOString().slice(0, 19) + (offset === null ? 'Z' : like.slice(-6));
}

/// An instant of a zone as its own clock shows it, between two that are written by it: where clocks were set in between,
/// the zone itself is asked.
export function writtenWithin(instant, {starts_at: from, ends_at: to, time_zone: timeZone}) {
  if (!to || offsetOf(from) === offsetOf(to)) return written(instant, from);
  const {value} = new Intl.DateTimeFormat('en', {timeZone, timeZoneName: 'longOffset'}).formatToParts(instant).find(({type}) => type === 'timeZoneName');
  // "GMT+02:00"; "GMT" alone is none.
  return written(instant, value.slice(3) || '+00:00');
}

/// An instant of these days that is written in a zone's own offset.
export function learn(zone, instant) {
  const offset = offsetOf(instant);
  if (zone && offset !== null) ahead.set(zone, offset);
}

/// Today where the cinema is. A service day ends at five in the morning.
export function serviceToday(zone, now = Date.now()) {
  zone ??= 'Asia/Seoul';
  if (ahead.has(zone)) return new Date(now + (ahead.get(zone) - 300) * 60_000).toISOString().slice(0, 10);
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit'});
    formats.set(zone, format);
  }
  return format.format(now - 5 * 3600e3);
}

export function addDays(text, n) {
  const {y, m, d} = day(text);
  return new Date(Date.UTC(y, m - 1, d + n)).toISOString().slice(0, 10);
}

const twelve = (h, min) => `${h % 12 || 12}:${pad(min)}\u00a0${h < 12 ? 'am' : 'pm'}`;
const english = () => lang === 'en' || lang === 'xx';

/// The time on a chip: as printed ("24:30") in Korean and Japanese, by the clock of the real day in English.
export function chipTime(show) {
  const c = clock(show.starts_at);
  return english() ? twelve(c.h, c.min) : show.display_time ?? `${pad(c.h)}:${pad(c.min)}`;
}

/// A clock time of the real day.
export function clockTime(instant) {
  const c = clock(instant);
  return english() ? twelve(c.h, c.min) : `${pad(c.h)}:${pad(c.min)}`;
}

/// True if the show starts on the calendar day after its service day.
export const isLate = (show) => clock(show.starts_at).date !== (show.service_date ?? clock(show.starts_at).date);

/// What a late show says below its time: the real day and clock, or in English the night that it belongs to.
export function lateNote(show) {
  const c = clock(show.starts_at);
  return english() ? t('late.night', {day: t('weekdays')[day(show.service_date).w]})
    : t('late.real', {day: t('weekdays')[day(c.date).w], time: `${c.h}:${pad(c.min)}`});
}

/// "11월 23일 (월)", "11月23日（月）", "Mon 23 Nov".
export function longDate(text, as = 'date.long') {
  const {m, d, w} = day(text);
  return t(as, {m, d, w: t('weekdays')[w], month: t('months')[m - 1], y: text.slice(0, 4)});
}

/// "오늘", "내일" or the day's name.
export function dayName(text, today) {
  return text === today ? t('today') : text === addDays(today, 1) ? t('tomorrow') : t('weekdays')[day(text).w];
}

/// A date and a time in full, for ears and tooltips.
export function fullTime(show) {
  const c = clock(show.starts_at);
  return t('time.full', {date: longDate(c.date), time: clockTime(show.starts_at)});
}

/// "12 min", "1 h 05 min".
export function duration(min) {
  return min < 60 ? t('dur.min', {n: min}) : min % 60 ? t('dur.both', {h: Math.floor(min / 60), n: min % 60}) : t('dur.hours', {h: min / 60});
}

/// When something begins that is told by its instant alone: with its day, unless that is today's.
export function nextTime(instant, now = Date.now()) {
  const serviceDay = (at) => written(at - 300 * 60_000, instant).slice(0, 10);
  const c = clock(instant), date = serviceDay(Date.parse(instant)), today = serviceDay(now);
  const text = english() || c.h >= 5 ? clockTime(instant) : `${c.h + 24}:${pad(c.min)}`;
  return date === today ? text : `${dayName(date, today)} ${text}`;
}

/// What a zone's time is called here, if this browser's clock shows another one. We have names of our own for some: until a
/// browser has found its first one, as much time passes as all else takes that a page does to begin.
export function strangeZone(zone, now = new Date()) {
  if (!zone || ahead.get(zone) === -now.getTimezoneOffset()) return null;
  if (ahead.has(zone) && has('zone.' + zone)) return t('zone.' + zone);
  const named = (options) => new Intl.DateTimeFormat(lang === 'xx' ? 'en' : lang, {timeZone: zone, ...options}).formatToParts(now);
  try {
    const clockThere = named({hour: '2-digit', minute: '2-digit', hourCycle: 'h23'}).filter((part) => /hour|minute/.test(part.type)).map((part) => +part.value).join(':');
    if (clockThere === `${now.getHours()}:${now.getMinutes()}`) return null;
    return named({timeZoneName: 'longGeneric'}).find((part) => part.type === 'timeZoneName')?.value;
  } catch { return null; }
}

/// How long ago: "방금", "14분 전", "31시간 전".
export function ago(instant, now = Date.now()) {
  const min = Math.floor((now - Date.parse(instant)) / 60000);
  if (!(min >= 1)) return t('ago.now');
  if (min < 60) return t('ago.min', {n: min});
  if (min < 48 * 60) return t('ago.hours', {n: Math.floor(min / 60)});
  return t('ago.days', {n: Math.floor(min / 1440)});
}

export const minutesUntil = (instant, now = Date.now()) => Math.floor((Date.parse(instant) - now) / 60000);
export const isPast = (show, now = Date.now()) => Date.parse(show.starts_at) < now;
