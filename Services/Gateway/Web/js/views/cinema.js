// One cinema: its days and films, as Nearby shows them, with an address of its own.
import {h} from '../dom.js';
import {t} from '../i18n.js';
import {Pane, isAbort, query} from '../api.js';
import * as geo from '../geo.js';
import * as time from '../time.js';
import * as parts from '../parts.js';
import {emptyDay, overDay, cinemaFacts} from './nearby.js';

export default class Cinema {
  info = new Pane('cinema');
  schedule = new Pane('schedule');
  known = new Map();

  get waiting() { return !this.error && !(this.cinema && this.known.has(this.date)); }

  update(ctx) {
    this.ctx = ctx;
    if (!this.cinema) this.load(); else this.need();
  }

  async load() {
    try {
      this.cinema = await this.info.ask(`/cinemas/${this.ctx.id}` + query({include: 'days'}));
      this.error = null;
    } catch (error) {
      if (isAbort(error)) return;
      // An old link leads on.
      const other = error.status === 410 && error.body?.replaced_by;
      if (other) { this.ctx.go(`/cinemas/${other}${this.ctx.url.search}`, {replace: true}); return; }
      this.error = error;
      this.ctx.refresh();
      return;
    }
    this.need();
  }

  get date() {
    const wanted = this.ctx.params.get('date');
    const today = time.serviceToday(this.cinema.time_zone);
    return wanted ?? this.cinema.days?.find((d) => d.date >= today)?.date ?? today;
  }

  async need(again = false) {
    const date = this.date;
    const known = this.known.get(date);
    this.ctx.refresh();
    if (known && !known.error && !again) { this.schedule.cancel(); return; }
    try {
      const answer = await this.schedule.ask(`/cinemas/${this.ctx.id}/showtimes` + query({date}));
      this.known.set(date, {films: answer.data, as_of: answer.as_of, source: answer.source, stale: answer.stale, kept: answer.kept});
    } catch (error) {
      if (isAbort(error)) return;
      if (!known || known.error) this.known.set(date, {error});
    }
    this.ctx.refresh();
  }

  retry() { this.cinema ? this.need(true) : this.load(); }
  woke() { if (this.cinema) this.need(true); }
  leave() { this.info.cancel(); this.schedule.cancel(); }
  title() { return this.cinema && parts.nameOf(this.cinema); }
  topics() { return ['cinema:' + this.ctx.id]; }
  heard(name, data) { if (name === 'reset' || data?.cinema_id === this.ctx.id) { this.known.clear(); if (this.cinema) this.need(true); } }
  actions = {again() { this.need(true); }};

  render() {
    if (this.error) return h('div', h('h1.vh', t('kind.cinema')), parts.failure(this.error));
    if (!this.cinema) return h('div', h('h1.vh', t('kind.cinema')), h('p.ghost.bar', {'aria-hidden': 'true'}), parts.skeleton());
    const {cinema, date} = this;
    const today = time.serviceToday(cinema.time_zone);
    const known = this.known.get(date);
    const away = geo.metres(geo.here, cinema.location ?? geo.here);
    const href = (d) => this.ctx.with({date: d});
    return h('div.cinema', {'data-key': 'cinema-' + cinema.id},
      h('header.head', h('h1', parts.nameOf(cinema)), h('p.facts', parts.dotted([parts.tongue(parts.nameOf(cinema) === cinema.name ? cinema.name_en !== cinema.name && cinema.name_en : cinema.name), parts.distance(Math.round(away))])),
        cinemaFacts(cinema)),
      parts.strip(cinema.days, date, today, href),
      h('h2.small', time.longDate(date)),
      !known ? parts.skeleton() : known.error ? parts.failure(known.error, 'again')
        : known.films.length ? [overDay(cinema, known.films, date, today, href), h('ul.films', {'data-key': 'films'}, parts.inOrder(known.films).map((row) => parts.filmRow(row))),
            parts.asOf(known, cinema)]
          : emptyDay(cinema, date, today, href, known));
  }
}
