// The pieces that every view is made of: values in, elements out. The server writes the same markup (Paint/ in Swift).
import {h, icon} from './dom.js';
import {t, has, lang} from './i18n.js';
import * as time from './time.js';
import {isWanted} from './bookmarks.js';
import {failing, lacking} from './api.js';

const encoder = new TextEncoder();

/// A number from an id, the same in every language that we write (FNV-1a, 32 bits).
export function hash(text) {
  let value = 0x811c9dc5;
  for (const byte of encoder.encode(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}

/// A cinema's name for this reader: its own if it is in a script that the reader reads here, else in English.
export const nameOf = (cinema) => cinema.name_en && langOf(cinema.name) ? cinema.name_en : cinema.name;

/// The language of a text by its script, for the `lang` of an element; nothing if it is the page's own.
export function langOf(text) {
  const guess = /[\uac00-\ud7a3]/.test(text) ? 'ko' : /[\u3040-\u30ff\u4e00-\u9fff]/.test(text) ? 'ja' : 'en';
  return guess === (lang === 'xx' ? 'en' : lang) ? undefined : guess;
}

/// A text that others wrote, in its own language for who hears it.
export const tongue = (text) => {
  const other = text && /\p{L}/u.test(text) && langOf(text);
  return other ? h('span', {lang: other}, text) : text;
};

/// What there is of a list, in one line. None begins with a point. Letters beside each other are one text, as the server writes them.
export function dotted(list, point = '\u00a0· ') {
  const line = [];
  const add = (one) => line.push(line.length && !one.nodeType && !line.at(-1).nodeType ? line.pop() + one : one);
  list.filter(Boolean).forEach((one, n) => { if (n) add(point); add(one); });
  return line;
}

/// A film with the title that this reader can read in front: a printed one in another script steps behind one in the
/// reader's own, or else in Latin letters.
export function readable(film) {
  const {title, original_title: other} = film;
  const strange = langOf(title), stranger = other && langOf(other);
  return other && strange && (!stranger || (stranger === 'en' && strange !== 'en')) ? {...film, title: other, original_title: title} : film;
}

/// How much room a text takes: Hangul, kana, Han and the widest of the Latin letters are two units wide.
const width = (text) => [...text].reduce((sum, c) => sum + (c.codePointAt(0) >= 0x1100 || 'MWmw'.includes(c) ? 2 : 1), 0);

/// The film's picture. Without one, its title is set on a colour of its own, so that it looks meant.
export function poster(film, {link = true, eager = false} = {}) {
  film = readable(film);
  const seed = hash(film.id);
  const room = width(film.title);
  // A word that is longer than its line would be broken.
  const word = Math.max(...film.title.split(' ').map(width));
  const size = room <= 6 ? 1 : room <= 14 && word <= 8 ? 2 : room <= 30 && word <= 10 ? 3 : word <= 12 ? 4 : 5;
  const inside = film.poster?.url
    ? h('img', {src: film.poster.url, alt: t('poster.alt', {title: film.title}), width: film.poster.w ?? 185, height: film.poster.h ?? 278,
        loading: eager ? undefined : 'lazy', fetchpriority: eager ? 'high' : undefined, decoding: 'async'})
    : [h('span.p-t', {lang: langOf(film.title)}, film.title), h('span.p-y', film.year ?? '')];
  const look = `poster.c${seed % 10}.m${(seed >>> 8) % 6}.t${size}`;
  return link
    ? h('a.' + look, {href: '/films/' + film.id, tabindex: '-1', 'aria-hidden': 'true'}, inside)
    : h('span.' + look, {'aria-hidden': 'true'}, inside);
}

/// What else a film is called, small: in a list as the cinema prints it, or else originally; whole on its own page.
export function others(film, tag, {whole = false} = {}) {
  const titles = [...new Set([film.printed_title, film.original_title])].filter((title) => title && title !== film.title);
  return titles.slice(0, whole ? 2 : 1).map((title) => h(tag + '.orig', {lang: langOf(title)}, title));
}

/// What the sources of these films want said where their facts are shown: each sentence once.
export const credits = (films) => [...new Set(films.map((film) => film?.attribution))].filter(Boolean).map((text) => h('p.small', text));

/// The age rating as a sign, then "2023 · 일본 · 126분".
export function facts(film, {director = false, subtitled = false} = {}) {
  const parts = [film.year, ...(film.countries ?? []).slice(0, 2).map(country), film.runtime_min && t('dur.min', {n: film.runtime_min}),
    director && tongue(film.directors?.[0]), subtitled && t('attr.subtitled')];
  return h('p.facts', film.age_rating && ageSign(film.age_rating), dotted(parts));
}

const country = (code) => has('country.' + code) ? t('country.' + code) : code;

function ageSign(rating) {
  const code = String(rating.code);
  const text = /^(ALL|G|U)$/i.test(code) ? t('age.all') : code;
  return h('span.age', {title: t('age.title', {code: text}), 'data-age': /^(18|R|19)/.test(code) ? 'adult' : undefined}, h('span.vh', t('age.ear')), text);
}

const attributeText = {gv: 'attr.gv', 'stage_greeting': 'attr.stage', '35mm': '35mm', '70mm': '70mm', '4k': '4K', '3d': '3D', dubbed: 'attr.dubbed',
  cc: 'attr.cc', ad: 'attr.ad', relaxed: 'attr.relaxed', baby: 'attr.baby', last_chance: 'attr.last', '16mm': '16mm', '4dx': '4DX', imax: 'IMAX', dolby: 'Dolby',
  'q-and-a': 'attr.gv', 'stage-greeting': 'attr.stage', captioned: 'attr.cc', 'audio-description': 'attr.ad', 'last-day': 'attr.last',
  'sign-language': 'attr.sign', 'black-and-white': 'attr.bw'};
/// What can be chosen by, and is not worth a mark on every time.
const quietText = {'original-version': 'attr.original', restored: 'attr.restored'};

/// One attribute in words; one that we have none for as it is written.
export function wordOf(attribute) {
  const [name, value] = attribute.split(':');
  const key = attributeText[name] ?? quietText[name];
  if (name === 'subtitled') return value ? t('attr.subtitledIn', {lang: languageName(value)}) : t('attr.subtitled');
  return key ? key.includes('.') ? t(key) : key : attribute;
}

/// What is special about a showing, in words.
function special(show, {all = false} = {}) {
  const words = [];
  for (const attribute of show.attributes ?? []) {
    const [name, value] = attribute.split(':');
    const key = attributeText[name.toLowerCase()];
    if (key) words.push(key.includes('.') ? t(key) : key);
    else if (name === 'subtitled' && all) words.push(value ? t('attr.subtitledIn', {lang: languageName(value)}) : t('attr.subtitled'));
  }
  return words;
}

let names = null;
export function languageName(code) {
  names ??= new Intl.DisplayNames([lang === 'xx' ? 'en' : lang], {type: 'language'});
  try { return names.of(code); } catch { return code; }
}

/// Whether a meal goes with a showing: one of the evening that is still to come.
const asksForDinner = (show) => {
  const {h: hour} = time.clock(show.starts_at);
  return show.state !== 'cancelled' && show.seats?.state !== 'sold-out' && !time.isPast(show) && (hour >= 16 || hour < 2);
};

/// A time to press: the booking page behind it, and dinner beside it. Over, sold out and cancelled say so in words and look.
export function chip(show) {
  const past = time.isPast(show);
  const state = show.state === 'cancelled' ? 'cancelled' : past ? 'past' : show.seats?.state === 'sold-out' ? 'sold' : show.seats?.state === 'few' ? 'few' : '';
  const late = time.isLate(show);
  const words = special(show);
  const note = [late && time.lateNote(show), state === 'sold' && t('seats.sold'), state === 'cancelled' && t('seats.cancelled'),
    state === 'few' && t('seats.few'), ...words, tongue(show.screen)].filter(Boolean);
  const inside = [
    h('span.chip-t', time.chipTime(show)),
    h('span.chip-m', dotted(note.slice(0, 2))),
    h('span.vh', dotted([time.fullTime(show), past && t('seats.past'), ...note.slice(2), ...special(show, {all: true}).slice(words.length),
      show.ends_at && t('ends', {time: time.clockTime(show.ends_at)})], ', '))];
  const look = ['chip', state, late && 'late', words.length && 'special'].filter(Boolean).join('.');
  const title = time.fullTime(show) + (show.ends_at ? ' – ' + time.clockTime(show.ends_at) : '') + (show.screen ? ' · ' + show.screen : '');
  const open = show.booking_url && !['past', 'sold', 'cancelled'].includes(state);
  return h('li', {'data-key': show.id}, open
    ? h('a.' + look, {href: show.booking_url, target: '_blank', rel: 'noopener', title, 'data-show': show.id}, inside)
    : h('span.' + look, {title, 'data-show': show.id}, inside),
  asksForDinner(show) && h('a.dine', {href: '/dinner/' + show.id, 'aria-label': t('dinner.around', {time: time.chipTime(show)}), title: t('dinner')}, icon('dining')));
}

/// The mark "want to see".
export function want(film, {words = false} = {}) {
  film = readable(film);
  const on = isWanted(film.id);
  return h('button.want' + (words ? '.words' : ''), {type: 'button', 'data-do': 'want', 'data-mark': film.id, 'data-title': film.title,
    'aria-pressed': String(on), 'aria-label': words ? undefined : t('want.label', {title: film.title}), title: t(on ? 'want.on' : 'want.off')},
  icon('saved'), words && h('span', t(on ? 'want.on' : 'want.off')));
}

/// A film and its times. What is no film has the title that the cinema prints, and no page.
export function filmRow({film, showtimes}, {eager = false} = {}) {
  if (!film) {
    const title = showtimes[0]?.title ?? '';
    const key = 'untold-' + title;
    return h('li.film', {'data-key': key}, poster({id: key, title}, {link: false}),
      h('div.film-main', h('h3.film-title', {lang: langOf(title)}, title), h('ul.chips', showtimes.map(chip))));
  }
  film = readable(film);
  const subtitled = showtimes.some((s) => s.attributes?.some((a) => a.startsWith('subtitled')));
  return h('li.film', {'data-key': film.id, id: film.id},
    poster(film, {eager}),
    h('div.film-main',
      h('h3.film-title', h('a', {href: '/films/' + film.id, lang: langOf(film.title)}, film.title),
        others(film, 'span')),
      facts(film, {director: true, subtitled}),
      h('ul.chips', showtimes.map(chip))),
    want(film));
}

/// Films in the order that matters: those that can still be seen come first, otherwise as the server sorted them.
export function inOrder(films) {
  const over = (row) => row.showtimes.every((show) => time.isPast(show));
  return [...films.filter((row) => !over(row)), ...films.filter(over)];
}

/// Nobody goes so far for a film, in metres; nor does it say anything how far that is.
export const tooFar = 500_000;

/// Metres as people say them.
export function distance(m) {
  if (m == null || m > tooFar) return null;
  return m < 1000 ? t('dist.m', {n: Math.round(m)}) : m < 10_000 ? t('dist.km', {n: (m / 1000).toFixed(1)}) : t('dist.km', {n: Math.round(m / 1000)});
}

/// A walk of up to an hour and a quarter is offered as one.
export const walk = (cinema) => cinema.walk_min && cinema.walk_min <= 75 ? t('walk', {n: cinema.walk_min}) : null;

/// Where this is from and how old it is, by itself or else by the cinema, and what to do if it is wrong.
export function asOf({stale, kept, ...known}, cinema) {
  const as_of = known.as_of ?? cinema.as_of, source = known.source ?? cinema.source;
  const zone = time.strangeZone(cinema.time_zone);
  return h('div.asof', {'data-stale': stale ? 'true' : undefined},
    h('p', as_of && h('time', {datetime: as_of, title: as_of}, t(stale ? 'asof.stale' : 'asof', {ago: time.ago(as_of)})), kept && ' · ' + t('asof.kept'),
      source && [as_of && ' · ', t('source'), ' ', h('a', {href: source.url, rel: 'noopener', target: '_blank'}, source.name)],
      source?.demo && [' ', h('span.demo', t('demo'))], zone && (as_of || source ? ' · ' : '') + t('zone', {zone})),
    h('details.report', h('summary', t('report.ask')),
      h('p', t('report.text'), ' ', source?.url && h('a', {href: source.url, rel: 'noopener', target: '_blank'}, t('report.source')), ' ',
        h('button.plain.js', {type: 'button', 'data-do': 'report', 'data-subject': cinema.id}, t('report.send')))));
}

/// An answer that is empty or failed: what it means and what can be done now.
export function notice(kind, title, text, ...doing) {
  // Nobody knows that there is nothing, as long as a part has not come.
  if (kind === 'empty' && lacks) return part();
  return h('div.notice.' + kind, {role: kind === 'error' ? 'alert' : undefined}, h('p.notice-t', title), text && h('p', text), doing.length > 0 && h('p.doing', doing));
}

/// What the view that is drawn lacks: 'again' while it is asked for, 'left' when nobody asks any more; null if it is whole.
let lacks = null, isSaid = false;
/// The same of what failed, and whether it is being asked for at this moment.
let hopes = null, isAsking = false;
const hope = (panes) => !panes.length ? null : panes.every((pane) => pane.isLeft && !pane.asking) ? 'left' : 'again';
export const hopeOf = (view) => hope(failing(view));
function part() {
  isSaid = true;
  return h('div.notice.part', {role: 'status', 'data-key': 'missing'}, h('p', h('b', t('missing')), ' ', h('span', t('missing.' + lacks))), h('button.btn', {type: 'button', 'data-do': 'retry'}, t('retry')));
}

/// A view with what its answers lack: in the place of what would be called nothing, or below what there is.
export function drawn(view) {
  const failed = failing(view);
  [lacks, hopes, isAsking] = [hope(lacking(view)), hope(failed), failed.some((pane) => pane.asking)];
  isSaid = false;
  const nodes = [view.render()].flat();
  if (lacks && !isSaid) nodes.push(part());
  lacks = hopes = null;
  return nodes;
}

/// `text` says more than that it failed, in words for people; what an answer says of itself is for programs. Whether it is
/// asked for again by itself is said quietly, and stands in its place while that is done: nobody loses the focus.
export function failure(error, again = 'retry', text) {
  if (error.status === 404 || error.status === 410) return notice('error', t('error.gone'), null, h('a.btn', {href: '/'}, t('tab.nearby')));
  const late = error.offline;
  return h('div.notice.error', {'data-key': 'failed'}, h('div', {role: 'alert'}, h('p.notice-t', t(late ? 'error.offline' : error.status === 429 ? 'error.busy' : 'error.server')),
    h('p', late ? t('error.offline.text') : text ?? (!hopes && t('error.server.text')))),
  h('p', {role: 'status'}, hopes && t('missing.' + hopes)),
  h('p.doing', h('button.btn', {type: 'button', 'data-do': again, 'aria-busy': isAsking ? 'true' : undefined}, t('retry'))));
}

/// Gives an address of ours away, by the device's own means or by the clipboard; false if neither is there.
export async function share(title, path) {
  const url = location.origin + path;
  try {
    if (navigator.share) await navigator.share({title, url});
    else { await navigator.clipboard.writeText(url); toast(t('share.copied')); }
    return true;
  } catch (error) { return error.name === 'AbortError'; }
}

/// Boxes of the size of what is to come.
export const skeleton = (n = 3) => h('ul.films', {'aria-hidden': 'true'}, Array.from({length: n}, () =>
  h('li.film.ghost', h('span.poster'), h('div.film-main', h('p.bar'), h('p.bar.short'), h('ul.chips', [1, 2, 3].map(() => h('li', h('span.chip'))))))));

/// Fourteen days, closed ones told apart. A link each, arrows move between them.
export function strip(days, chosen, today, href) {
  if (days?.length === 0) return null;
  const index = days?.findIndex((d) => d.date === chosen);
  return h('div.strip', {role: 'group', 'aria-label': t('strip')},
    stripButton(-1),
    h('ol.days', {'data-strip': ''}, days?.map((d, i) => {
      const {d: number, w} = time.day(d.date);
      return h('li', {'data-key': d.date}, h('a.day' + (d.status === 'closed' ? '.off' : d.status === 'unknown' ? '.unknown' : ''), {
        href: href(d.date), 'data-w': w, 'aria-current': d.date === chosen ? 'date' : undefined,
        tabindex: i === Math.max(0, index) ? '0' : '-1', 'data-date': d.date},
      h('span.day-w', time.dayName(d.date, today)),
      h('span.day-n', number === 1 && i > 0 ? time.longDate(d.date, 'date.first') : number),
      h('span.vh', time.longDate(d.date)),
      d.status === 'closed' ? h('span.day-s', t('day.closed')) : d.status === 'unknown' ? h('span.day-s', t('day.unknown')) : h('span.day-s', d.films ? t('day.films', {n: d.films}) : '')));
    })),
    stripButton(1));
}

/// Moves what lies beside it without dragging.
export const stripButton = (by) => h('button.strip-b.js', {type: 'button', 'data-do': 'strip', 'data-by': by, 'aria-label': t(by < 0 ? 'strip.prev' : 'strip.next')}, icon(by < 0 ? 'prev' : 'next'));

/// A word to who listens. The last ones stay, for who comes back to them; nobody sees them.
export function say(text) {
  const log = document.getElementById('said');
  log.append(h('p', text));
  while (log.children.length > saidMost) log.firstChild.remove();
}
const saidMost = 10;

/// A word to everybody, for a while, and aloud.
export function toast(text, {action, doing} = {}) {
  const box = document.getElementById('toasts');
  const item = h('div.toast', h('span', text), action && h('button.plain', {type: 'button'}, action));
  item.querySelector('button')?.addEventListener('click', () => { item.remove(); doing(); });
  box.append(item);
  say([text, action].filter(Boolean).join(' · '));
  while (box.children.length > 3) box.firstChild.remove();
  // Not from under somebody's pointer or keys.
  const go = () => item.matches(':hover, :focus-within') ? setTimeout(go, 1000) : item.remove();
  setTimeout(go, action ? 12_000 : 6_000);
}
