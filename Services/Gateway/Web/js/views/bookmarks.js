// Bookmarks: what was saved, and whether it can still be caught.
import {h} from '../dom.js';
import {t} from '../i18n.js';
import {Pane, get, isAbort, query} from '../api.js';
import * as geo from '../geo.js';
import * as time from '../time.js';
import * as parts from '../parts.js';
import * as pieces from '../pieces.js';
import * as store from '../bookmarks.js';

const near = 20_000;
/// Of so many films the showings near here are asked for at once.
const filmsAtOnce = 32;

export default class Bookmarks {
  items = null;
  cinemas = new Map();
  turn = 0;
  pane = new Pane('bookmarks');

  get waiting() { return !this.items && !this.error && store.hasSession(); }

  update(ctx) { this.ctx = ctx; this.load(); }

  async load() {
    const turn = ++this.turn;
    this.controller?.abort();
    this.pane.stop();
    this.controller = new AbortController();
    try {
      const items = store.hasSession() ? await store.list({signal: this.controller.signal, slot: 'bookmarks'}) : [];
      if (turn !== this.turn) return;
      this.items = items;
      this.kept = items.kept;
      this.error = null;
      this.pane.told('/me/bookmarks', items.missing);
      await this.fill();
      if (!items.length && !this.hints) this.suggest();
    } catch (error) {
      if (isAbort(error)) return;
      if (error.status === 401) { this.pane.told('/me/bookmarks'); store.forget(); this.items = []; this.suggest(); }
      // What was lacking is lacking still.
      else { this.pane.told('/me/bookmarks', this.pane.missing, error); this.error = error; }
    }
    this.ctx.refresh();
  }

  /// Films that wait in the outbox are shown too, as far as they are known here.
  async fill() {
    const have = new Set(this.items.map((item) => item.film_id));
    const missing = store.wantedIds().filter((id) => !have.has(id)).slice(0, 20);
    const films = await Promise.all(missing.map((id) => get('/films/' + id).catch(() => null)));
    for (const film of films) if (film) this.items.unshift({film_id: film.id, film, next_showtime: null});
    // A showing names its cinema by id; each is asked for once.
    const shows = this.items.map((item) => item.next_showtime).filter((show) => show && !show.cinema && show.cinema_id);
    await Promise.all([...new Set(shows.map((show) => show.cinema_id))].map(async (id) => {
      if (!this.cinemas.has(id)) this.cinemas.set(id, await get('/cinemas/' + id).catch(() => null));
    }));
    for (const show of shows) show.cinema = this.cinemas.get(show.cinema_id) ?? undefined;
    await this.fillNear();
    for (const {next_showtime: show} of this.items) {
      if (show?.cinema?.location) show.distance_m ??= Math.round(geo.metres(geo.here, show.cinema.location));
    }
  }

  /// What somebody can catch near here comes before what begins sooner elsewhere.
  async fillNear() {
    const {lat, lon} = geo.here;
    const ids = this.items.filter((item) => item.next_showtime).map((item) => item.film_id).slice(0, filmsAtOnce);
    if (!ids.length) return;
    try {
      const answer = await get('/showtimes' + query({film: ids.join(), near: `${lat},${lon}`, radius_m: near, hide_sold_out: true, limit: 100}));
      for (const item of this.items) {
        const shows = answer.data.filter((show) => show.film_id === item.film_id && !time.isPast(show));
        item.next_showtime = shows.filter((show) => show.starts_at === shows[0].starts_at).sort((a, b) => a.distance_m - b.distance_m || 0)[0] ?? item.next_showtime;
      }
    } catch { /* the next one anywhere, then */ }
  }

  async suggest() {
    const {lat, lon} = geo.here;
    try {
      const answer = await get('/cinemas/nearby' + query({lat, lon, limit: 3, include: 'days,showtimes'}), {slot: 'suggestions'});
      const seen = new Set();
      this.hints = answer.data.flatMap((c) => c.films ?? []).map((f) => f.film).filter((f) => !seen.has(f.id) && seen.add(f.id)).slice(0, 3);
      this.ctx.refresh();
    } catch { /* suggestions are a courtesy */ }
  }

  /// A mark changed somewhere: what is gone leaves with a movement, what is new is fetched.
  wantedChanged() {
    if (!this.items) return;
    const gone = this.items.filter((item) => !store.isWanted(item.film_id));
    for (const item of gone) {
      item.gone ??= (setTimeout(() => { this.items = this.items.filter((other) => other !== item || store.isWanted(item.film_id)); this.ctx.refresh(); }, 420), true);
    }
    for (const item of this.items) if (store.isWanted(item.film_id)) item.gone = undefined;
    if (store.wantedIds().some((id) => !this.items.some((item) => item.film_id === id))) this.load();
  }

  retry() { this.load(); }
  woke() { this.load(); }
  leave() { this.turn++; this.controller?.abort(); this.pane.cancel(); }
  title() { return t('tab.bookmarks'); }
  topics() { return (this.items ?? []).slice(0, 30).map((item) => 'film:' + item.film_id); }
  heard(name) { if (name === 'reset' || /^(schedule|showtime|film)\./.test(name)) this.load(); }

  render() {
    return h('div.saved', {'data-key': 'saved'}, h('h1', t('saved.title')), this.error && !this.items ? parts.failure(this.error) : !this.items ? parts.skeleton(2) : this.sections());
  }

  sections() {
    if (!this.items.length) {
      return [parts.notice('empty', t('saved.empty'), t('saved.empty.text')),
        this.hints?.length > 0 && h('section', {'aria-labelledby': 'hints'}, h('h2', {id: 'hints'}, t('saved.hints')), h('ul.saved-list', this.hints.map((film) => this.row({film_id: film.id, film}))))];
    }
    // Of these nothing is known but that they were saved.
    const told = this.items.filter((item) => item.film);
    if (!told.length && this.pane.missing.length) return parts.notice('empty');
    const now = Date.now();
    const groups = {near: [], last: [], later: [], none: []};
    for (const item of told) {
      const next = item.next_showtime;
      const soon = next && Date.parse(next.starts_at) - now < 30 * 3600e3;
      const distance = next?.distance_m ?? next?.cinema?.distance_m;
      if (!next) groups.none.push(item);
      else if (item.last_chance || next.attributes?.includes('last_chance')) groups.last.push(item);
      else if (soon && !(distance > near)) groups.near.push(item);
      else groups.later.push(item);
    }
    const byStart = (a, b) => a.next_showtime?.starts_at < b.next_showtime?.starts_at ? -1 : 1;
    return [Object.entries(groups).map(([name, items]) => items.length > 0 && h('section', {'data-key': name, 'aria-labelledby': 'g-' + name},
      h('h2', {id: 'g-' + name}, t('saved.' + name), ' ', h('span.small', items.filter((i) => !i.gone).length)),
      h('ul.saved-list', (name === 'none' ? items : items.sort(byStart)).map((item) => this.row(item))))),
    pieces.keptNote(this.kept),
    h('p.small', store.hasSession() && h('a', {href: '/v1/me/bookmarks.ics', download: true}, t('saved.ics')))];
  }

  row({film_id, film, next_showtime: next, gone}) {
    if (!film) return null;
    film = parts.readable(film);
    const today = next && time.serviceToday(next.cinema?.time_zone);
    return h('li.saved-row' + (gone ? '.gone' : ''), {'data-key': film_id}, parts.poster(film),
      h('div.film-main', h('h3.film-title', h('a', {href: '/films/' + film.id, lang: parts.langOf(film.title)}, film.title), parts.others(film, 'span')),
        parts.facts(film, {director: true}),
        next && h('p.at', time.dayName(next.service_date, today), ' ', next.cinema && h('a', {href: `/cinemas/${next.cinema.id}?date=${next.service_date}`}, parts.nameOf(next.cinema)), ' ',
          h('span.small', parts.distance(next.distance_m ?? next.cinema?.distance_m) ?? '')),
        next && h('ul.chips', parts.chip(next))),
      parts.want(film));
  }
}
