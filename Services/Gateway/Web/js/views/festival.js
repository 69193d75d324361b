// A festival: its days, and each as a list or as a grid of screens and hours, with what somebody chose of it.
import {h, icon} from '../dom.js';
import {t} from '../i18n.js';
import {Pane, get, readCode, isAbort, isOffline, query} from '../api.js';
import {memory} from '../env.js';
import * as bookmarks from '../bookmarks.js';
import * as time from '../time.js';
import * as parts from '../parts.js';
import * as pieces from '../pieces.js';
import {grid, walkGrid} from './festival-grid.js';
import {readable, span} from './festivals.js';

export const agendaPath = (festival) => `festivals/${festival}/agenda/`;

/// The sessions of a day, each with its instants and all its screens, in the order of their start.
export function sessionsOf(day) {
  const slot = (day.slot_min ?? 5) * 60_000;
  const zero = Date.parse(day.starts_at);
  const whole = new Map();
  for (const session of day.sessions) {
    const known = whole.get(session.id);
    const screens = session.screens ?? [session.screen].filter(Boolean);
    if (known) { known.screens = [...new Set([...known.screens, ...screens])]; continue; }
    whole.set(session.id, {...session, screens: [...new Set(screens)],
      from: session.starts_at ? Date.parse(session.starts_at) : zero + session.row[0] * slot, to: session.ends_at ? Date.parse(session.ends_at) : zero + session.row[1] * slot});
  }
  return [...whole.values()].sort((a, b) => a.from - b.from || a.to - b.to);
}

/// A clock of the festival: an instant in the offset that it has there then.
export const clockOf = (instant, day) => time.clockTime(time.writtenWithin(instant, day));

/// A track's place among the festival's, for its colour.
export function trackOf({track}, {tracks}) {
  if (!track) return undefined;
  const at = (tracks ?? []).findIndex(({id}) => id === track.id);
  return String((at < 0 ? parts.hash(track.id) : at) % 6);
}

/// When a session begins, as a festival prints it: "24:30" in Korean and Japanese.
export const startOf = (session, day) => session.starts_at ? time.chipTime(session) : clockOf(session.from, day);

export default class Festival {
  info = new Pane('festival');
  pane = new Pane('timetable');
  days = new Map();
  /// The network was asked and did not answer: what is shown is a copy.
  isLost = false;

  get waiting() { return !this.error && (!this.festival || Boolean(this.date && !this.days.has(this.date))); }
  get path() { return agendaPath(this.ctx.id); }

  get date() {
    const wanted = this.ctx.params.get('day');
    const days = this.festival.days ?? [];
    if (days.includes(wanted)) return wanted;
    const today = time.serviceToday(this.festival.time_zone);
    return days.find((day) => day >= today) ?? days[0];
  }

  /// The list says all; the grid is for who has room, and for who asks.
  get asGrid() { return (this.ctx.params.get('view') ?? (innerWidth < 600 ? 'list' : 'grid')) === 'grid'; }
  /// The screen that alone is shown, if the address names one.
  get room() { return this.screen(this.ctx.params.get('screen')); }
  screen(id) { return this.festival.screens?.find((screen) => screen.id === id); }
  get mineOnly() { return this.ctx.params.get('mine') === '1'; }

  update(ctx) {
    // A map's link stands below what it changes.
    if (this.ctx && this.ctx.params.get('screen') !== ctx.params.get('screen')) scrollTo(0, 0);
    this.ctx = ctx;
    // As codes on doors were printed. Once what leads here is done.
    const session = ctx.url.searchParams.get('session');
    if (/^[\w.-]+$/.test(session ?? '')) {
      const {pathname} = ctx.url, page = `${pathname}/sessions/${session}`;
      queueMicrotask(() => ctx.go(ctx.with({}).replace(pathname, page), {replace: true}));
      return;
    }
    if (!this.festival) this.load(); else this.need();
  }

  async load() {
    bookmarks.listBelow(this.path, async (options) => {
      const answer = await get(`/me/festivals/${this.ctx.id}/agenda`, options);
      const known = new Map(answer.data.map((session) => [session.id, session]));
      this.overlaps = (answer.conflicts ?? []).map(({sessions, minutes}) => ({both: sessions.map((id) => known.get(id)), minutes})).filter(({both}) => both.every(Boolean));
      return [...known.keys()];
    }).catch(() => {});
    try {
      const [festival, floors] = await Promise.all([this.info.ask('/festivals/' + this.ctx.id), get(`/festivals/${this.ctx.id}/floors`).catch(() => null)]);
      this.festival = {...festival, days: (festival.days ?? []).map((day) => day.date ?? day), floors: floors?.data};
      this.error = null;
    } catch (error) {
      if (isAbort(error)) return;
      this.error = error;
      this.ctx.refresh();
      return;
    }
    this.need();
    this.gather();
  }

  /// All that a day in its halls needs is fetched while there is a network: every day, every floor. Once, when the
  /// browser has nothing else to do, and only where a service worker keeps it.
  gather() {
    if (this.gathered || !navigator.serviceWorker?.controller || navigator.connection?.saveData) return;
    this.gathered = true;
    const {days, floors} = this.festival;
    const addresses = [...days.map((day) => `/festivals/${this.ctx.id}/timetable` + query({day}))];
    (window.requestIdleCallback ?? setTimeout)(async () => {
      for (const address of addresses) await get(address).catch(() => {});
      for (const floor of floors ?? []) await fetch(floor.url).catch(() => {});
    });
  }

  async need(again = false) {
    const {date} = this;
    this.ctx.refresh();
    const known = this.days.get(date);
    if (!date || (known && !known.error && !again)) return;
    try {
      const answer = await this.pane.ask(`/festivals/${this.ctx.id}/timetable` + query({day: date}));
      this.days.set(date, {...answer, list: sessionsOf(answer), kept: answer.kept});
      if (!answer.kept) this.isLost = false;
    } catch (error) {
      if (isAbort(error)) return;
      if (!known || known.error) this.days.set(date, {error});
    }
    this.ctx.refresh();
  }

  retry() { this.festival ? this.need(true) : this.load(); }
  /// Whether an answer is what this view shows: the festival, or the day that is chosen.
  isShown(address) {
    const {pathname, searchParams} = new URL(address, location.href), own = '/v1/festivals/' + this.ctx.id;
    return pathname === own || (pathname === own + '/timetable' && Boolean(this.festival) && searchParams.get('day') === this.date);
  }
  woke(address) {
    if (!address || this.isShown(address)) this.isLost = false;
    if (address?.endsWith('/festivals/' + this.ctx.id)) this.load(); else if (this.festival) this.needAnew();
  }
  /// Another festival, or a day that nobody looks at, says nothing of what is shown.
  lost(address) { if (this.isShown(address)) { this.isLost = true; this.ctx.refresh(); } }
  /// What is known of other days may be old: they are asked for again when they are looked at.
  needAnew() {
    for (const day of [...this.days.keys()]) if (day !== this.date) this.days.delete(day);
    this.need(true);
  }
  leave() { this.info.cancel(); this.pane.cancel(); }
  title() { return this.festival && readable(this.festival).title; }
  topics() { return ['festival:' + this.ctx.id]; }

  heard(name, data) {
    if (name === 'reset') this.days.clear();
    if (name !== 'reset' && (name !== 'festival.session.changed' || data?.festival_id !== this.ctx.id)) return;
    const changed = this.days.get(this.date)?.list?.find((session) => data?.session_ids?.includes(session.id));
    if (changed) parts.toast(t('festival.changed', {title: changed.title}));
    if (this.festival) this.needAnew();
  }

  actions = {
    again() { this.need(true); },
    print() { print(); },
    /// The picture of a code: what it says leads somewhere, here or elsewhere.
    async scan(input) {
      const [file] = input.files;
      input.value = '';
      if (!file) return;
      try {
        const text = await readCode(file);
        if (!text) { parts.toast(t('qr.none')); return; }
        let url = null;
        try { url = new URL(text, location.origin); } catch { /* a code of another kind */ }
        if (url?.origin === location.origin) this.ctx.go(url.href, {over: true});
        else parts.toast(text.slice(0, 200));
      } catch (error) { parts.toast(t(error.offline ? 'error.offline' : error.status === 413 ? 'qr.large' : 'qr.none')); }
    },
  };

  key(event) { return walkGrid(event); }

  /// The grid opens where one is in time.
  after(root) {
    const box = root.querySelector('.fgrid-box');
    if (!box || box === this.box) return;
    this.box = box;
    const line = box.querySelector('.now-line');
    if (line) box.scrollTop = Math.max(0, line.offsetTop - box.clientHeight / 3);
  }

  // --- Rendering ---

  render() {
    const {festival} = this;
    if (this.error && !(festival && this.error.passes)) return h('div', h('h1.vh', t('tab.festivals')), parts.failure(this.error));
    if (!festival) return h('div', h('h1.vh', t('tab.festivals')), h('p.ghost.bar', {'aria-hidden': 'true'}), ghosts());
    const day = this.days.get(this.date);
    const name = readable(festival);
    return h('div.festival', {'data-key': 'festival-' + this.ctx.id},
      h('header.head', h('h1', {lang: parts.langOf(name.title)}, name.title), name.original_title && h('p.orig', {lang: parts.langOf(name.original_title)}, name.original_title),
        h('p.facts', parts.dotted([span(festival), parts.tongue(festival.city)]), festival.demo && [' ', h('span.demo', t('demo'))])),
      h('ul.kinds', {'aria-label': t('strip')}, festival.days.map((date) => h('li', h('a.pill', {href: this.ctx.with({day: date}), 'data-replace': true,
        'aria-current': date === this.date ? 'date' : undefined}, pieces.anyDate(date))))),
      this.alone(),
      this.tools(),
      !this.date ? parts.notice('empty', t('festival.empty'), t('festival.none.text')) : !day ? ghosts() : day.error ? parts.failure(day.error, 'again') : this.programme(day),
      (day || !this.date) && [this.venue(), this.floors(), this.sponsors()],
      h('p.small.js', h('a', {href: `/festivals/${this.ctx.id}/door`}, t('door.link'))));
  }

  /// Which screen is shown alone, and the way back to all.
  alone() {
    const {room} = this;
    return room && h('p.facts.alone', parts.dotted([parts.tongue(room.name), room.floor]), ' ', h('a.pill', {href: this.ctx.with({screen: null}), 'data-replace': true}, t('festival.rooms')));
  }

  tools() {
    const choice = (values, text, current) => h('a.pill', {href: this.ctx.with(values), 'data-replace': true, 'aria-current': current ? 'true' : undefined}, text);
    return h('div.ftools.js', {role: 'group', 'aria-label': t('festival.show')},
      choice({view: 'list'}, t('festival.list'), !this.asGrid), choice({view: 'grid'}, t('festival.grid'), this.asGrid),
      choice({mine: this.mineOnly ? null : '1'}, t('festival.mine'), this.mineOnly),
      h('button.pill', {type: 'button', 'data-do': 'print'}, t('festival.print')),
      h('label.pill.file', h('input.vh', {type: 'file', accept: 'image/png,image/jpeg,image/webp', capture: 'environment', 'data-on-change': 'scan'}), t('qr.scan')));
  }

  programme(day) {
    const mine = new Set(bookmarks.markedBelow(this.path));
    const {room} = this;
    const list = day.list.filter((session) => (!this.mineOnly || mine.has(session.id)) && (!room || session.screens.includes(room.id)));
    if (!list.length) return parts.notice('empty', t(this.mineOnly ? 'festival.noneMine' : 'festival.empty'), t(this.mineOnly ? 'festival.noneMine.text' : 'festival.none.text'));
    const pairs = this.pairs(day, mine);
    const clashing = new Set(pairs.flatMap(({both}) => both.map((session) => session.id)));
    const context = {festival: this.festival, day, mine, clashing, path: this.path};
    return [pairs.length > 0 && h('div.banner', {role: 'status'}, h('p', t('festival.clash', {n: clashing.size})), h('ul', pairs.map(({both, minutes}) => {
      const [one, other] = both.map((session) => readable(session).title);
      const elsewhere = both[0].day && both[0].day !== this.date;
      return h('li', {'data-key': both.map((session) => session.id).join()}, h('a', {href: elsewhere ? this.ctx.with({day: both[0].day}) : `/festivals/${this.ctx.id}/sessions/${both[1].id}`, 'data-replace': elsewhere ? true : undefined},
        elsewhere && time.longDate(both[0].day) + ' · ', t('festival.pair', {one, other, n: minutes})));
    }))),
      this.asGrid ? grid(room ? list.map((session) => ({...session, screens: [room.id]})) : list, context) : h('ol.sessions', list.map((session) => row(session, context))),
      (this.isLost || isOffline()) && pieces.keptNote(day.kept)];
  }

  /// What somebody chose and cannot see both of: of this day as it is marked now, of other days as the server knows it.
  pairs(day, mine) {
    const here = clashes(day.list.filter((session) => mine.has(session.id)));
    const elsewhere = (this.overlaps ?? []).filter(({both}) => both.every((session) => mine.has(session.id)) && both[0].day !== this.date);
    return [...here, ...elsewhere];
  }

  venue() {
    const {venue, address, maps} = this.festival;
    return (venue || address || maps) && h('section', {'aria-labelledby': 'venue'}, h('h2', {id: 'venue'}, t('festival.venue')),
      venue && h('p', parts.tongue(venue)), address && h('p.address', {lang: parts.langOf(address)}, address), maps && h('ul.links', pieces.mapLinks(maps)));
  }

  /// Maps are pictures here; on its own, one's rooms can be pressed.
  floors() {
    const {floors} = this.festival;
    return floors?.length > 0 && h('section', {'aria-labelledby': 'floors'}, h('h2', {id: 'floors'}, t('festival.floors')),
      floors.map((floor) => {
        const rooms = (floor.rooms ?? []).map((id) => this.screen(id)).filter(Boolean);
        return h('details.floor', h('summary', floor.name ?? floor.id),
          h('a', {href: floor.url, target: '_blank', rel: 'noopener'}, h('img', {src: floor.url, alt: t('festival.floor', {name: floor.name ?? floor.id}), loading: 'lazy'})),
          rooms.length > 0 && h('ul.links', rooms.map(({id, name}) => h('li', h('a', {href: this.ctx.with({screen: id}), lang: parts.langOf(name)}, name)))));
      }));
  }

  /// Those of one tier together. "tier-1" says which these are, and nothing to people.
  sponsors() {
    const {sponsors} = this.festival;
    const tiers = new Map();
    for (const one of sponsors ?? []) tiers.set(one.tier ?? '', [...tiers.get(one.tier ?? '') ?? [], one]);
    return sponsors?.length > 0 && h('section', {'aria-labelledby': 'sponsors'}, h('h2', {id: 'sponsors'}, t('festival.sponsors')),
      [...tiers].map(([tier, list], n) => [tier && !tier.startsWith('tier-') && h('h3', {lang: parts.langOf(tier)}, tier),
        h('ul.links' + (n === 0 && tiers.size > 1 ? '.lead' : ''), list.map((one) => h('li', one.url ? h('a', {href: one.url, target: '_blank', rel: 'noopener'}, one.name) : one.name)))]));
  }
}

const ghosts = () => h('ol.sessions', {'aria-hidden': 'true'}, [1, 2, 3, 4].map(() => h('li.ghost.session', h('p.bar.short'), h('div', h('p.bar'), h('p.bar.short')))));

/// Those of a list that last at the same time, two and two, and how many minutes. Nobody misses what does not take place.
export function clashes(all) {
  const list = all.filter((session) => !session.cancelled);
  return list.flatMap((one, i) => list.slice(i + 1).filter((other) => other.from < one.to && one.from < other.to)
    .map((other) => ({both: [one, other], minutes: Math.round((Math.min(one.to, other.to) - Math.max(one.from, other.from)) / 60_000)})));
}

const screenNames = (session, day) => session.screens.map((id) => day.screens.find((screen) => screen.id === id)?.name ?? id).join(', ');

export const speakers = ({speakers}) => parts.tongue(speakers.map((one) => one.name ?? one).join(', '));

/// What a session has besides its title, in words.
export const flags = (session) => [session.code, parts.tongue(session.track?.name), parts.tongue(session.level), ...(session.flags ?? []).map((flag) => flag === 'gv' ? t('attr.gv') : flag),
  session.sold_out && t('seats.sold'), session.cancelled && t('seats.cancelled')].filter(Boolean);

function row(session, {day, festival, mine, clashing, path}) {
  const {title, original_title: other} = readable(session);
  const over = session.to < Date.now();
  return h('li.session' + (over ? '.over' : ''), {'data-key': session.id, 'data-track': trackOf(session, day)},
    h('p.session-w', h('b', startOf(session, day)), h('span.small', session.ends_at ? time.clockTime(session.ends_at) : clockOf(session.to, day))),
    h('div', h('h2', h('a', {href: `/festivals/${festival.id}/sessions/${session.id}`, lang: parts.langOf(title)}, title), other && h('span.orig', {lang: parts.langOf(other)}, other)),
      h('p.small', parts.dotted([parts.tongue(screenNames(session, day)), ...flags(session)])),
      session.speakers?.length > 0 && h('p.small', speakers(session)),
      clashing.has(session.id) && h('p.small.warn', t('festival.clashes'))),
    pieces.heart(path + session.id, title, t(mine.has(session.id) ? 'festival.drop' : 'festival.take', {title})));
}
