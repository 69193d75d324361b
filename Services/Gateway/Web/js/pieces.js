// The pieces that some views are made of, and the first one is not.
import {h, icon} from './dom.js';
import {t} from './i18n.js';
import * as time from './time.js';
import {isWanted} from './bookmarks.js';
import {langOf, nameOf, poster, readable} from './parts.js';

/// A film as a card of a row or a wall: its picture, its title and one line.
export function filmCard(film, line, {eager = false} = {}) {
  film = readable(film);
  return h('li', {'data-key': film.id}, h('a.wall-a', {href: '/films/' + film.id}, poster(film, {link: false, eager}),
    h('span.wall-t', {lang: langOf(film.title)}, film.title), h('span.small', line ?? film.year ?? '')));
}

/// When and where something plays next, in one line.
export function nextLine(show) {
  const today = time.serviceToday(show.cinema?.time_zone);
  return [time.dayName(show.service_date, today), time.chipTime(show), show.cinema && nameOf(show.cinema)].filter(Boolean).join(' ');
}

/// Choices that are links, one of them taken.
export const pills = (label, list, current, href) => h('div.choice', {role: 'group', 'aria-label': label}, h('span.small', {'aria-hidden': 'true'}, label),
  list.map(([value, text]) => h('a.pill', {href: href(value), 'data-replace': true, 'aria-current': current === value ? 'true' : undefined}, text)));

/// A mark on something that is no film.
export function heart(mark, title, label) {
  const on = isWanted(mark);
  return h('button.heart', {type: 'button', 'data-do': 'want', 'data-mark': mark, 'data-title': title, 'aria-pressed': String(on), 'aria-label': label}, icon('heart'));
}

/// That this is a copy, and how old: for what is shown while there is no network.
export const keptNote = (kept) => kept && h('p.small.kept', t('asof.kept'), ' · ', h('time', {datetime: kept}, time.ago(kept)));

/// A date in words, with its year where that is more than half a year away.
export const anyDate = (text) => time.longDate(text, Math.abs(Date.parse(text) - Date.parse(time.serviceToday('UTC'))) > 183 * 864e5 ? 'date.year' : undefined);

/// Where maps show a place.
const maps = {naver: 'NAVER', kakao: 'Kakao', google: 'Google', apple: 'Apple', osm: 'OpenStreetMap'};
export const mapLinks = (links = {}) => Object.entries(maps).map(([key, text]) => links[key] && h('li', h('a', {href: links[key], target: '_blank', rel: 'noopener'}, text)));
