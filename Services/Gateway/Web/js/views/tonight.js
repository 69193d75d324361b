// Tonight: which films start soon and can be reached on foot, or play on another day, each once, by the clock; and where.
import {h} from '../dom.js';
import {t} from '../i18n.js';
import {Pane, isAbort, query} from '../api.js';
import * as geo from '../geo.js';
import * as time from '../time.js';
import * as parts from '../parts.js';
import {byKind} from '../kinds.js';

const tooFar = 30_000;
/// What is left of today, in minutes; the rest of the answer is tomorrow's.
const wholeDay = 720;
/// Nobody needs to be told today when to leave for something that is so far off.
const leavesWithin = 180;
/// Days to choose from: the names of more would say nothing.
const daysMost = 7;
/// Of the nearest cinemas so many can be chosen, and those that were.
const cinemasMost = 6;
/// A whole day of the cinemas around.
const showsMost = 300;

export default class Tonight {
  pane = new Pane('tonight');

  get waiting() { return !this.shows && !this.error; }

  update(ctx) {
    this.ctx = ctx;
    const key = ctx.url.search + geo.here.lat + geo.here.lon;
    if (key !== this.asked) { this.asked = key; this.load(); }
  }

  /// Whether what came last is what is chosen, and not what was chosen before.
  get isAnswered() { return Boolean(this.shows) && this.answered === this.asked; }

  get within() { return Number(this.ctx.params.get('within')) || 180; }
  get walk() { return Number(this.ctx.params.get('walk')) || null; }
  /// What the showings must have, all of it.
  get wanted() { return (this.ctx.params.get('with') ?? '').split(',').filter(Boolean); }
  /// Another day than what is left of today.
  get date() { const text = this.ctx.params.get('date'); return /^\d{4}-\d\d-\d\d$/.test(text ?? '') ? text : null; }
  get chosen() { return (this.ctx.params.get('cinemas') ?? '').split(',').filter(Boolean); }
  get free() { return this.ctx.params.has('free'); }

  async load() {
    const {lat, lon} = geo.here;
    const {asked} = this;
    this.busy = true;
    this.ctx.refresh();
    try {
      const answer = await this.pane.ask('/tonight' + query({lat, lon, within_min: this.within, walk_max_min: this.walk, date: this.date,
        cinema: this.chosen.join(','), attribute: this.wanted.join(','), hide_sold_out: this.free || null, limit: showsMost}));
      this.shows = answer.data;
      this.answered = asked;
      this.offered = (answer.attributes ?? []).map((one) => one.id);
      this.cinemas = answer.cinemas ?? [];
      this.zone = answer.time_zone;
      this.more = answer.has_more;
      this.sold = answer.sold_out;
      this.kept = answer.kept;
      this.error = null;
    } catch (error) {
      if (isAbort(error)) return;
      this.error = error;
    }
    this.busy = false;
    this.ctx.refresh();
  }

  retry() { this.load(); }
  woke() { this.load(); }
  leave() { this.pane.cancel(); }
  title() { return t('tab.tonight'); }
  heard(name) { if (name === 'reset' || /^showtime\./.test(name)) this.load(); }
  topics() { return [...new Set((this.shows ?? []).map((s) => 'cinema:' + s.cinema.id))].slice(0, 12); }

  render() {
    const today = time.serviceToday(this.zone);
    const days = Array.from({length: daysMost}, (_, n) => time.addDays(today, n));
    return h('div.tonight', {'data-key': 'tonight'}, h('h1', this.date ? time.longDate(this.date) : t('tonight.title')),
      h('div.choices',
        parts.pills(t('strip'), days.map((day) => [day, time.dayName(day, today)]), this.date ?? today, (day) => this.ctx.with({date: day === today ? null : day})),
        !this.date && parts.pills(t('tonight.within'), [[60, t('tonight.h', {n: 1})], [120, t('tonight.h', {n: 2})], [180, t('tonight.h', {n: 3})], [wholeDay, t('tonight.all')]], this.within, (value) => this.ctx.with({within: value})),
        parts.pills(t('tonight.walk'), [[15, t('dur.min', {n: 15})], [30, t('dur.min', {n: 30})], [null, t('tonight.any')]], this.walk, (value) => this.ctx.with({walk: value})),
        this.places(), this.kinds()),
      this.error && !this.isAnswered ? parts.failure(this.error) : !this.shows ? h('ul.evening', {'aria-hidden': 'true'}, [1, 2, 3, 4].map(() => h('li.ghost', h('span.poster'), h('div', h('p.bar'), h('p.bar.short')))))
        : this.list());
  }

  /// A link that takes a choice, or takes it away again.
  pill(changes, text, on) { return h('a.pill', {href: this.ctx.with(changes), 'data-replace': true, 'aria-current': on ? 'true' : undefined}, text); }
  many(label, ...pills) { return h('div.choice.many', {role: 'group', 'aria-label': label}, h('span.small', {'aria-hidden': 'true'}, label), pills); }

  /// The nearest cinemas of all that is shown, and those that were chosen.
  places() {
    const {chosen} = this, isChosen = ({id}) => chosen.includes(id);
    const places = (this.cinemas ?? []).filter((cinema) => !(cinema.distance_m > tooFar) || isChosen(cinema))
      .filter((cinema, n) => n < cinemasMost || isChosen(cinema));
    return (places.length > 1 || places.some(isChosen)) && this.many(t('tonight.cinemas'), places.map(({id, ...cinema}) =>
      this.pill({cinemas: toggled(chosen, id)}, parts.nameOf(cinema), chosen.includes(id))));
  }

  /// What is there tonight, or was chosen, by kind; pressed again it is taken away.
  kinds() {
    const {wanted} = this, isSold = this.sold > 0 || this.free, kinds = byKind([...(this.offered ?? []), ...wanted]);
    return (isSold || kinds.length > 0) && h('div.filters', kinds.map(([kind, members]) => this.many(t('tonight.kind.' + kind), members.map((name) =>
      this.pill({with: toggled(wanted, name)}, parts.wordOf(name), wanted.includes(name))))),
    isSold && this.many(t('tonight.seats'), this.pill({free: this.free ? null : '1'}, t('tonight.free'), this.free)));
  }

  list() {
    // Nobody goes to another region for a film that starts soon.
    const isToday = (s) => this.date || this.within < wholeDay || s.service_date === time.serviceToday(s.cinema.time_zone);
    const coming = this.shows.filter((s) => !time.isPast(s) && s.cinema && !((s.distance_m ?? s.cinema.distance_m) > tooFar) && isToday(s));
    if (!coming.length) {
      const narrow = this.wanted.length > 0 || this.free || this.chosen.length > 0;
      return parts.notice('empty', this.date ? t('day.none.title', {day: time.longDate(this.date)}) : t('tonight.none'), this.date ? null : t('tonight.none.text'),
        narrow && h('a.btn', {href: this.ctx.with({with: null, free: null, cinemas: null}), 'data-replace': true}, t('tonight.every')),
        this.date && h('a.btn', {href: this.ctx.with({date: null}), 'data-replace': true}, t('today')),
        !this.date && this.within < wholeDay && h('a.btn', {href: this.ctx.with({within: wholeDay}), 'data-replace': true}, t('tonight.all')),
        this.walk && h('a.btn', {href: this.ctx.with({walk: null}), 'data-replace': true}, t('tonight.anyWalk')),
        !this.date && this.within >= wholeDay && !this.walk && !narrow && h('a.btn', {href: '/'}, t('tab.nearby')));
    }
    const films = groups(coming, (s) => s.film?.id ?? 'untold-' + s.title);
    return [h('ul.evening', {'aria-busy': this.busy ? 'true' : undefined}, films.map(([key, shows]) => this.row(key, shows))),
      this.more && h('p.small', t('tonight.more')), h('p.small', t('walk.rule'))];
  }

  row(key, shows) {
    const [{film: told, title}] = shows;
    const film = parts.readable(told ?? {id: key, title});
    return h('li', {'data-key': key}, parts.poster(film, {link: Boolean(told)}),
      h('div.evening-what', h('h2.film-title', told ? [h('a', {href: '/films/' + film.id, lang: parts.langOf(film.title)}, film.title), parts.others(film, 'span')] : film.title),
        parts.facts(film),
        h('ul.by-cinema', groups(shows, (s) => s.cinema.id).map(([id, list]) => this.at(id, list)))));
  }

  /// One cinema's times of a film, and when to leave for the first of them that has seats.
  at(id, shows) {
    const free = shows.find((s) => s.seats?.state !== 'sold-out') ?? shows[0];
    const {cinema} = free;
    const walk = free.walk_min ?? cinema.walk_min;
    const until = Math.max(1, time.minutesUntil(free.starts_at));
    const leave = walk && walk <= 75 ? until - walk - 5 : null;
    return h('li', {'data-key': id},
      h('p.at', h('a', {href: '/cinemas/' + id}, parts.nameOf(cinema)), ' ', h('span.small', [parts.distance(free.distance_m ?? cinema.distance_m), walk <= 75 && t('walk', {n: walk})].filter(Boolean).join(' · '))),
      !this.date && h('p.leave' + (leave !== null && leave >= 0 && leave < 10 ? '.soon' : ''), until < 60 ? t('tonight.in', {n: until}) : t('tonight.inLong', {time: time.duration(until)}),
        leave !== null && leave >= 0 && leave <= leavesWithin && [' · ', t('tonight.leave', {time: time.duration(leave)})]),
      h('ul.chips', shows.map(parts.chip)));
  }
}

/// A list with one more, or without it, as an address has it.
const toggled = (list, one) => list.filter((other) => other !== one).concat(list.includes(one) ? [] : one).join(',') || null;

/// A list in groups of what is alike, each in the place of its first: [[key, members]].
function groups(list, keyOf) {
  const found = new Map();
  for (const one of list) {
    const key = keyOf(one);
    if (found.has(key)) found.get(key).push(one); else found.set(key, [one]);
  }
  return [...found];
}
