// A festival's day as a grid: screens across, hours down, each session as long as it is. Long gaps are folded. The list
// says the same in the same order; this is for eyes.
import {h} from '../dom.js';
import {t} from '../i18n.js';
import * as parts from '../parts.js';
import {want} from '../app.js';
import {clockOf, flags, startOf, trackOf} from './festival.js';
import {readable} from './festivals.js';

const pixelsPerMinute = 1.35;
const leastHeight = 9;
/// Where nothing is on for so long, the grid is folded.
const gapMinutes = 45;
const minute = 60_000;

/// Sessions of one screen beside each other where they overlap: how many lanes, and which each has.
function lanesOf(list) {
  const ends = [];
  const lane = new Map();
  for (const session of list) {
    let at = ends.findIndex((end) => end <= session.from);
    if (at < 0) at = ends.length;
    ends[at] = session.to;
    lane.set(session.id, at);
  }
  return {count: Math.max(1, ends.length), lane};
}

export function grid(sessions, context) {
  const {day, mine, clashing, festival, path} = context;
  // What has no screen, or none yet, has a column of its own.
  const list = sessions.map((session) => session.screens.length ? session : {...session, screens: ['']});
  const used = [...day.screens, {id: '', name: t('festival.noScreen')}].filter((screen) => list.some((session) => session.screens.includes(screen.id)));
  const columns = new Map();
  let next = 2;
  for (const screen of used) {
    const lanes = lanesOf(list.filter((session) => session.screens.includes(screen.id)));
    columns.set(screen.id, {...lanes, first: next});
    next += lanes.count;
  }
  const from = Math.min(...list.map((s) => s.from)), to = Math.max(...list.map((s) => s.to));
  const now = Math.floor(Date.now() / (5 * minute)) * 5 * minute;
  const isNow = now > from && now < to;
  const hours = [];
  for (let hour = Math.ceil(from / (60 * minute)) * 60 * minute; hour < to; hour += 60 * minute) hours.push(hour);
  // A folded gap is one row, however many hours it has.
  const isOpen = (instant) => gapAround(list, instant) < gapMinutes * minute;
  const shown = hours.filter(isOpen);
  const lines = [...new Set([from, ...shown, ...(isNow ? [now] : []), ...list.flatMap((s) => [s.from, s.to])])].sort((a, b) => a - b);
  const folded = new Set();
  const heights = lines.slice(1).map((end, i) => {
    const start = lines[i];
    if (!isOpen(start)) { folded.add(start); return '22px'; }
    return `minmax(${Math.max(leastHeight, Math.round((end - start) / minute * pixelsPerMinute))}px, auto)`;
  });
  const line = (instant) => lines.indexOf(instant) + 2;
  // Where nothing is on, for who hears it between the sessions before and after it.
  // That it is now parts a gap for the eye alone.
  const gaps = (session) => [...folded].filter((start) => start < session.from && folded.delete(start)).map((start, n) =>
    h('div.ffold', {'data-key': 'f' + start, style: {'grid-area': `${line(start)} / 1 / span 1 / -1`}}, h('span', {'aria-hidden': 'true'}, '⋮'),
      n === 0 && h('span.vh', t('festival.gap', {from: clockOf(start, day), to: clockOf(session.from, day)}))));
  const width = next - 2;
  const least = width > 5 ? 132 : 150;
  return h('div.fgrid-box', {'data-key': 'grid', tabindex: '0', role: 'region', 'aria-label': t('festival.gridLabel')},
    h('div.fgrid', {style: {'min-width': `${72 + width * (least + 4)}px`, 'grid-template-columns': `66px repeat(${width}, minmax(${least}px, 1fr))`, 'grid-template-rows': `auto ${heights.join(' ')}`}},
      h('div.fcorner', {style: {'grid-area': '1 / 1'}}),
      used.map((screen) => {
        const column = columns.get(screen.id);
        return h('div.fscreen', {style: {'grid-area': `1 / ${column.first} / 2 / span ${column.count}`}}, h('b', {lang: parts.langOf(screen.name)}, screen.name), screen.floor && h('span.small', screen.floor));
      }),
      shown.map((hour) => h('div.fhour', {style: {'grid-area': `${line(hour)} / 1 / span 1 / -1`}}, h('span', clockOf(hour, day)))),
      isNow && h('div.now-line', {'aria-hidden': 'true', style: {'grid-area': `${line(now)} / 1 / span 1 / -1`}}, h('span', clockOf(now, day))),
      list.flatMap((session, i) => [...gaps(session), ...session.screens.filter((id) => columns.has(id)).map((id, n) => {
        const {first, lane} = columns.get(id);
        const {title} = readable(session);
        return h('a.fcell' + (session.to < Date.now() ? '.over' : '') + (mine.has(session.id) ? '.mine' : '') + (session.cancelled ? '.cancelled' : ''), {'data-key': session.id + n, 'data-session': session.id,
          'data-screen': id, 'data-mark': path + session.id, tabindex: i === 0 && n === 0 ? '0' : '-1', 'data-track': trackOf(session, day),
          href: `/festivals/${festival.id}/sessions/${session.id}`, style: {'grid-area': `${line(session.from)} / ${first + lane.get(session.id)} / ${line(session.to)} / span 1`}},
        h('span.fcell-w', startOf(session, day), mine.has(session.id) && h('span', {'aria-hidden': 'true'}, ' ★'), clashing.has(session.id) && h('span.warn', ' ⚠ ', h('span.vh', t('festival.clashes')))),
        h('span.fcell-t', {lang: parts.langOf(title)}, title), h('span.small', parts.dotted(flags(session))));
      })])));
}

/// How long nothing is on from an instant on; none while something is.
function gapAround(list, start) {
  if (list.some((session) => session.from <= start && session.to > start)) return 0;
  const before = Math.max(...list.filter((s) => s.to <= start).map((s) => s.to));
  const after = Math.min(...list.filter((s) => s.from > start).map((s) => s.from));
  return Number.isFinite(before) && Number.isFinite(after) ? after - before : 0;
}

/// Arrows go through a screen's sessions and over to its neighbours'; `s` marks the one that has the focus.
export function walkGrid(event) {
  const cell = event.target.closest?.('.fcell');
  if (!cell) return false;
  if (event.key === 's') { want({mark: cell.dataset.mark, title: cell.querySelector('.fcell-t').textContent}); return true; }
  const cells = [...cell.parentElement.querySelectorAll('.fcell')];
  const screens = [...new Set(cells.map((c) => c.dataset.screen))];
  const top = (c) => c.offsetTop;
  const inScreen = (screen) => cells.filter((c) => c.dataset.screen === screen).sort((a, b) => top(a) - top(b));
  const column = inScreen(cell.dataset.screen);
  const at = column.indexOf(cell);
  const beside = (by) => {
    const screen = screens.sort((a, b) => inScreen(a)[0].offsetLeft - inScreen(b)[0].offsetLeft);
    const there = inScreen(screen[(screen.indexOf(cell.dataset.screen) + by + screen.length) % screen.length]);
    return there.reduce((best, c) => Math.abs(top(c) - top(cell)) < Math.abs(top(best) - top(cell)) ? c : best, there[0]);
  };
  const to = {ArrowUp: () => column[at - 1], ArrowDown: () => column[at + 1], Home: () => column[0], End: () => column.at(-1),
    ArrowLeft: () => beside(-1), ArrowRight: () => beside(1)}[event.key];
  if (!to) return false;
  const target = to();
  if (target) {
    for (const other of cells) other.tabIndex = other === target ? 0 : -1;
    target.focus();
  }
  return true;
}
