// Nearby: the three closest cinemas, their days, their films, their times. Pure rendering of what is known.
import {h, icon} from '../dom.js';
import {t} from '../i18n.js';
import {Pane, isAbort, query} from '../api.js';
import * as geo from '../geo.js';
import {memory} from '../env.js';
import * as time from '../time.js';
import * as parts from '../parts.js';
import * as pieces from '../pieces.js';

export default class Nearby {
  near = new Pane('nearby');
  schedule = new Pane('schedule');
  cinemas = null;
  error = null;
  /// 'cinema|date' → {films, as_of, source, stale} or {error}.
  known = new Map();

  enter() { if (memory.get('follow')) this.follow(); }

  get waiting() { return !this.error && !(this.cinemas && (!this.cinema || this.known.has(this.cinema.id + '|' + this.date))); }

  update(ctx) {
    this.ctx = ctx;
    const at = ctx.params.get('at');
    if (at && /^-?[\d.]+,-?[\d.]+$/.test(at)) {
      const [lat, lon] = at.split(',').map(Number);
      // The server's first paint looks from there, and nobody chose it on this device.
      if (geo.here.byDefault || geo.here.lat !== geo.round(lat) || geo.here.lon !== geo.round(lon)) geo.setPlace({lat, lon}, false);
    }
    const place = `${geo.here.lat},${geo.here.lon}`;
    if (this.place !== place) { this.place = place; this.load(); } else this.need();
  }

  async load() {
    const {lat, lon} = geo.here;
    try {
      const answer = await this.near.ask('/cinemas/nearby' + query({lat, lon, limit: 3, include: 'days,showtimes'}));
      this.cinemas = answer.data;
      this.kept = answer.kept;
      this.error = null;
      // The chosen day stays on the screen until its renewal is there.
      const chosen = this.cinema && this.cinema.id + '|' + this.date;
      const shown = this.known.get(chosen);
      this.known.clear();
      if (shown) this.known.set(chosen, shown);
      let isNew = false;
      for (const cinema of answer.data) {
        time.learn(cinema.time_zone, cinema.films?.[0]?.showtimes[0]?.starts_at ?? cinema.as_of);
        if (!cinema.films) continue;
        this.known.set(cinema.id + '|' + cinema.date, {...cinema, kept: answer.kept});
        isNew ||= cinema.id + '|' + cinema.date === chosen;
      }
      this.need(!isNew && this.known.has(chosen));
    } catch (error) {
      if (isAbort(error)) return;
      this.error = error;
    }
    this.ctx.refresh();
  }

  get cinema() {
    if (!this.cinemas?.length) return null;
    const id = this.ctx.params.get('cinema');
    return this.cinemas.find((c) => c.id === id) ?? this.cinemas[0];
  }

  get date() {
    const wanted = this.ctx.params.get('date');
    if (wanted && this.cinema.days?.some((d) => d.date === wanted)) return wanted;
    return this.cinema.date ?? this.cinema.days?.[0]?.date;
  }

  /// Asks for the chosen day unless it is known. The newest choice wins: the pane ends the question before.
  async need(again = false) {
    const cinema = this.cinema;
    if (!cinema) return;
    const key = cinema.id + '|' + this.date;
    const known = this.known.get(key);
    if (known && !known.error && !again) { this.schedule.cancel(); this.ctx.refresh(); return; }
    this.ctx.refresh();
    try {
      const answer = await this.schedule.ask(`/cinemas/${cinema.id}/showtimes` + query({date: this.date}));
      this.known.set(key, {films: answer.data, as_of: answer.as_of, source: answer.source, stale: answer.stale, kept: answer.kept});
    } catch (error) {
      if (isAbort(error)) return;
      // What is on the screen is better than nothing: a failed renewal keeps it.
      if (!known || known.error) this.known.set(key, {error});
    }
    this.ctx.refresh();
  }

  retry() { this.load(); }
  woke() { this.load(); }
  leave() { this.near.cancel(); this.schedule.cancel(); geo.stop(); }
  title() { return null; }
  topics() { return (this.cinemas ?? []).map((c) => 'cinema:' + c.id); }

  heard(name, data) {
    if (name === 'reset') this.load();
    if (!data?.cinema_id || !/^(schedule|showtime)\./.test(name)) return;
    const key = data.cinema_id + '|' + data.date;
    if (this.cinema?.id === data.cinema_id && this.date === data.date) this.need(true);
    else if (data.date) this.known.delete(key); else this.load();
  }

  follow() {
    memory.set('follow', true);
    geo.follow(() => { this.located = null; this.picking = false; this.place = null; this.ctx ? this.ctx.go(this.ctx.with({at: null, cinema: null}), {replace: true}) : 0; },
      (why) => { memory.set('follow', null); this.located = why; this.picking = true; this.ctx?.refresh(); this.loadCities(); });
  }

  async loadCities() {
    try { this.cityList = (await geo.cities()).filter((place) => place.pick); } catch { this.cityList = []; }
    this.ctx.refresh();
  }

  actions = {
    again() { this.need(true); },
    place() { this.picking = !this.picking; this.loadCities(); this.ctx.refresh(); },
    locate() { this.follow(); },
    city(button) {
      memory.set('follow', null);
      geo.stop();
      this.located = null;
      this.picking = false;
      const place = this.cityList[Number(button.dataset.city)];
      // Another city's heading over this one's cinemas would be a lie, however short.
      this.cinemas = null;
      geo.setPlace({lat: place.lat, lon: place.lon, names: {ko: place.ko, ja: place.ja, en: place.en}});
      this.ctx.go(this.ctx.with({at: null, cinema: null, date: null}), {replace: true});
    },
  };

  key(event) {
    if (event.key !== '[' && event.key !== ']' || !this.cinemas?.length) return false;
    const at = this.cinemas.indexOf(this.cinema);
    const next = this.cinemas[(at + (event.key === ']' ? 1 : this.cinemas.length - 1)) % this.cinemas.length];
    this.ctx.go(this.ctx.with({cinema: next.id}), {replace: true});
    return true;
  }

  // --- Rendering ---

  render() {
    return h('div.near', {'data-key': 'near'},
      h('div.near-side', this.placeLine(), this.picker(), this.cards(), this.about('wide')),
      h('section.near-main', {'aria-labelledby': this.cinema ? 'sched' : undefined}, this.main()));
  }

  placeLine() {
    const {here} = geo;
    const name = here.mine ? t('place.mine') : here.names ? geo.placeName(here.names) : here.byDefault && here.name || t(here.byDefault ? 'place.default' : 'place.point');
    return h('div.place', h('h1', t('near.title', {place: name})),
      h('button.plain.js', {type: 'button', 'data-do': 'place', 'aria-expanded': String(Boolean(this.picking))}, t('place.change')));
  }

  picker() {
    if (!this.picking) return null;
    return h('div.picker', this.located && h('p', {role: 'status'}, t('place.' + this.located)),
      h('button.btn', {type: 'button', 'data-do': 'locate'}, icon('near'), t('place.locate')),
      h('ul', {'aria-label': t('place.cities')}, (this.cityList ?? []).map((place, i) =>
        h('li', h('button.pill', {type: 'button', 'data-do': 'city', 'data-city': i}, geo.placeName(place))))),
      h('p.small', t('place.privacy')));
  }

  cards() {
    if (!this.cinemas) return this.error ? null : h('ul.cards', {'aria-hidden': 'true'}, [1, 2, 3].map(() => h('li', h('span.card.ghost'))));
    return h('ul.cards', {'aria-label': t('near.cards')}, this.cinemas.map((cinema) => this.card(cinema)));
  }

  card(cinema) {
    const today = time.serviceToday(cinema.time_zone);
    const now = cinema.days?.find((d) => d.date === today);
    const shows = (this.known.get(cinema.id + '|' + today)?.films ?? []).flatMap((f) => f.showtimes);
    const coming = shows.filter((s) => !time.isPast(s) && s.state !== 'cancelled').sort((a, b) => a.starts_at < b.starts_at ? -1 : 1);
    const next = coming.find((s) => s.seats?.state !== 'sold-out') ?? coming[0];
    const state = now?.status === 'closed' ? 'off' : next ? 'on' : 'done';
    const later = cinema.days?.find((d) => d.date > today && d.status === 'open');
    return h('li', {'data-key': cinema.id}, h('a.card.' + state, {href: this.ctx.with({cinema: cinema.id}), 'data-replace': true,
      'aria-current': cinema === this.cinema ? 'true' : undefined},
    h('span.card-n', parts.nameOf(cinema)),
    h('span.card-d', h('span', parts.distance(cinema.distance_m)), parts.walk(cinema) && h('span', parts.walk(cinema))),
    h('span.card-s', next ? [t('card.next'), ' ', h('b', time.chipTime(next))]
      : state === 'off' ? t('card.closed') : !cinema.days || !cinema.films ? '' : later ? t('card.later', {day: time.dayName(later.date, today)}) : t('card.none'))));
  }

  main() {
    if (this.error && !this.cinemas) return parts.failure(this.error);
    if (!this.cinemas) return [h('div.strip.ghost', {'aria-hidden': 'true'}), parts.skeleton()];
    const cinema = this.cinema;
    if (!cinema) {
      return parts.notice('empty', t('near.none'), t('near.none.text'), h('button.btn', {type: 'button', 'data-do': 'place'}, t('place.change')));
    }
    const today = time.serviceToday(cinema.time_zone);
    const date = this.date;
    return [
      h('div.sched-h', h('h2', {id: 'sched'}, h('a', {href: '/cinemas/' + cinema.id}, parts.nameOf(cinema))),
        h('p.small', time.longDate(date))),
      parts.strip(cinema.days, date, today, (d) => this.ctx.with({cinema: cinema.id, date: d})),
      this.films(cinema, date, today), this.about('narrow')];
  }

  films(cinema, date, today) {
    const known = this.known.get(cinema.id + '|' + date);
    if (!known) return parts.skeleton();
    if (known.error) return parts.failure(known.error, 'again');
    if (known.films.length) {
      return [overDay(cinema, known.films, date, today, (d) => this.ctx.with({cinema: cinema.id, date: d})),
        h('ul.films', {'data-key': 'films'}, parts.inOrder(known.films).map((row, i) => parts.filmRow(row, {eager: i === 0}))),
        parts.asOf(known, cinema)];
    }
    return emptyDay(cinema, date, today, (d) => this.ctx.with({cinema: cinema.id, date: d}), known);
  }

  /// The cinema's own facts and doors to elsewhere.
  about(where) {
    const cinema = this.cinema;
    return cinema && h('div.about.' + where, cinemaFacts(cinema));
  }
}

/// Today's films are over: the next day that has some is one step away.
export function overDay(cinema, films, date, today, href) {
  if (date !== today || !films.every((row) => row.showtimes.every((show) => time.isPast(show)))) return null;
  const next = cinema.days?.find((d) => d.date > date && d.status === 'open' && d.showtimes !== 0);
  return h('p.over-day', {'data-key': 'over'}, h('span', t('day.over')), next && h('a.btn', {href: href(next.date), 'data-replace': true}, t('day.see', {day: time.dayName(next.date, today)})));
}

/// No shows on a day: closed, or not told yet, and when the next ones are.
export function emptyDay(cinema, date, today, href, known) {
  if (cinema.closed) return parts.notice('empty', t('cinema.gone'));
  const status = cinema.days?.find((d) => d.date === date)?.status;
  const next = cinema.days?.find((d) => d.date > date && d.status === 'open' && d.showtimes !== 0)
    ?? cinema.days?.find((d) => d.date !== date && d.status === 'open' && d.showtimes !== 0);
  return [parts.notice('empty', t(status === 'closed' ? 'day.closed.title' : status === 'unknown' ? 'day.unknown.title' : 'day.none.title', {day: time.longDate(date)}),
    next ? t('day.next', {day: time.longDate(next.date), n: next.films ?? 0}) : status !== 'closed' && t('day.nothing'),
    next && h('a.btn', {href: href(next.date)}, t('day.see', {day: time.dayName(next.date, today)}))),
  parts.asOf(known, cinema)];
}

/// Address, walk, and links out.
export function cinemaFacts(cinema) {
  const out = (href, text) => h('a', {href, target: '_blank', rel: 'noopener'}, text);
  return [
    cinema.address && h('p.address', {lang: parts.langOf(cinema.address)}, cinema.address),
    h('ul.links',
      cinema.links?.website && h('li', out(cinema.links.website, t('link.website'))),
      cinema.links?.instagram && h('li', out(cinema.links.instagram, 'Instagram')),
      pieces.mapLinks(cinema.links?.maps),
      h('li', h('a', {href: `/v1/cinemas/${cinema.id}/calendar.ics`, download: true}, t('link.calendar'))))];
}
