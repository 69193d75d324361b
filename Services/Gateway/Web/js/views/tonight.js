// Tonight: which films start soon and can be reached on foot, or play on another day, each once, by the clock; and where.
import {h} from '../dom.js';
import {t, lang} from '../i18n.js';
import {Pane, isAbort, query} from '../api.js';
import * as geo from '../geo.js';
import * as time from '../time.js';
import * as parts from '../parts.js';
import * as pieces from '../pieces.js';
import {byKind, genres} from '../kinds.js';

const tooFar = 30_000;
/// What is left of today, in minutes; the rest of the answer is tomorrow's.
const wholeDay = 1_440;
/// Nobody needs to be told today when to leave for something that is so far off.
const leavesWithin = 180;
/// Metres that whoever takes a train or a car comes in a minute, and minutes that they need besides.
const ride = 500, doors = 5;
/// Days to choose from, and at once: the names of more would say nothing.
const daysMost = 7;
/// Times of day to choose from, before and after which somebody has time.
const hours = Array.from({length: 17}, (_, n) => `${n + 10}:00`);
/// Of the nearest cinemas so many can be chosen, and those that were.
const cinemasMost = 6;
/// A whole day of the cinemas around.
const showsMost = 300;
/// As many as are looked at around somebody, and more than there are marks of showings.
const listMost = 20;
/// Ids and marks as the server reads them.
const idForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/, markForm = /^[a-z0-9][a-z0-9:_-]{0,79}$/;

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

  // What makes no sense in an address is passed over, as the server does: an address is for people.
  numberOf(name, least, most) {
    const text = this.ctx.params.get(name) ?? '', number = Number(text);
    return /^\d+$/.test(text) && number >= least && number <= most ? number : null;
  }
  listOf(name, form) { return (this.ctx.params.get(name) ?? '').split(',').filter(Boolean).slice(0, listMost).filter((one) => form.test(one)); }
  /// Who names a time of day asks for the day.
  get within() { return this.numberOf('within', 5, wholeDay) ?? (this.hourOf('after') || this.hourOf('before') ? wholeDay : 180); }
  get walk() { return this.numberOf('walk', 1, 600); }
  /// What the showings must have, all of it.
  get wanted() { return this.listOf('with', markForm); }
  /// Another day than what is left of today, and the last of several; those that do not follow each other are one.
  get date() { return this.dayOf('date'); }
  get first() { return this.date ?? time.serviceToday(this.zone); }
  get until() { const day = this.dayOf('until'); return day > this.first && day < time.addDays(this.first, daysMost) ? day : null; }
  get isOfDays() { return Boolean(this.date || this.until); }
  dayOf(name) { const text = this.ctx.params.get(name); return /^\d{4}-\d\d-\d\d$/.test(text ?? '') && time.addDays(text, 0) === text ? text : null; }
  /// Times of day as they are printed: no earlier, and earlier.
  hourOf(name) { const text = this.ctx.params.get(name); return /^[0-2]\d:[0-5]\d$/.test(text ?? '') ? text : null; }
  get chosen() { return this.listOf('cinemas', idForm); }
  get genres() { return (this.ctx.params.get('genre') ?? '').split(',').filter((one) => genres.includes(one)); }
  get free() { return this.ctx.params.has('free'); }
  /// A list that is there and empty: none of them, while without the list it would be all.
  get isNone() { return ['cinemas', 'genre'].some((name) => this.ctx.params.get(name) === ''); }
  get isNarrow() { return this.isNone || this.free || [this.wanted, this.chosen, this.genres].some((list) => list.length > 0) || Boolean(this.hourOf('after') || this.hourOf('before')); }

  async load() {
    const {lat, lon} = geo.here;
    const {asked} = this;
    this.busy = true;
    this.ctx.refresh();
    try {
      const answer = await this.pane.ask('/tonight' + query({lat, lon, within_min: this.within, walk_max_min: this.walk,
        date: this.isOfDays ? this.first : null, date_to: this.until, start_after: this.hourOf('after'), start_before: this.hourOf('before'),
        cinema: this.chosen.join(','), genre: this.genres.join(','), attribute: this.wanted.join(','), hide_sold_out: this.free || null, limit: showsMost}));
      this.shows = answer.data;
      this.answered = asked;
      this.offered = (answer.attributes ?? []).map((one) => one.id);
      this.cinemas = answer.cinemas ?? [];
      this.kindsOfFilms = answer.genres ?? [];
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
  heard(name) { if (name === 'reset' || /^(schedule|showtime)\./.test(name)) this.load(); }
  topics() { return [...new Set((this.shows ?? []).map((s) => 'cinema:' + s.cinema.id))].slice(0, 12); }

  actions = {hours(select) { this.ctx.go(this.ctx.with({[select.name]: select.value || null}), {replace: true}); }};

  render() {
    const today = time.serviceToday(this.zone);
    const days = Array.from({length: daysMost}, (_, n) => time.addDays(today, n));
    const title = this.until ? t('tonight.span', {from: time.longDate(this.first), to: time.longDate(this.until)}) : this.date ? time.longDate(this.date) : t(this.walk ? 'tonight.title' : 'tab.tonight');
    return h('div.tonight', {'data-key': 'tonight'}, h('h1', title),
      h('div.choices',
        pieces.pills(t('strip'), days.map((day) => [day, time.dayName(day, today)]), this.date ?? today, (day) => this.ctx.with({date: day === today ? null : day, until: null})),
        !this.isOfDays && pieces.pills(t('tonight.within'), [[60, t('tonight.h', {n: 1})], [120, t('tonight.h', {n: 2})], [180, t('tonight.h', {n: 3})], [wholeDay, t('tonight.all')]], this.within, (value) => this.ctx.with({within: value})),
        pieces.pills(t('tonight.walk'), [[15, t('dur.min', {n: 15})], [30, t('dur.min', {n: 30})], [null, t('tonight.any')]], this.walk, (value) => this.ctx.with({walk: value})),
        h('details.more', {open: this.isNarrow || Boolean(this.until)}, h('summary', t('tonight.filters')), this.places(), this.kinds(), this.hours(today))),
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

  /// How many days, and at which times of them: a form, which needs a button where there is no script.
  hours(today) {
    const {first, until} = this;
    const select = (name, label, usual, options, chosen) => h('label.choice', h('span.small', t(label)),
      h('select', {name, 'data-on-change': 'hours'}, [['', t(usual)], ...options].map(([value, text]) => h('option', {value, selected: value === chosen}, text))));
    const hour = (name, label) => {
      const chosen = this.hourOf(name);
      return select(name, label, 'tonight.any', [...new Set([...hours, ...(chosen ? [chosen] : [])])].sort().map((one) => [one, printed(one)]), chosen);
    };
    return h('form.hours', {action: '/tonight'},
      select('until', 'tonight.until', 'tonight.one', Array.from({length: daysMost - 1}, (_, n) => time.addDays(first, n + 1)).map((day) => [day, time.dayName(day, today)]), until),
      hour('after', 'tonight.after'), hour('before', 'tonight.before'), h('noscript', h('button.pill', t('tonight.go'))),
      [...this.ctx.params].filter(([name]) => !['until', 'after', 'before'].includes(name)).map(([name, value]) => h('input', {type: 'hidden', name, value})));
  }

  /// What is there tonight, or was chosen, by kind; pressed again it is taken away.
  kinds() {
    const {wanted, genres: taken, kindsOfFilms = []} = this, isSold = this.sold > 0 || this.free, kinds = byKind([...(this.offered ?? []), ...wanted]);
    return (isSold || kinds.length > 0 || kindsOfFilms.length > 0) && h('div.filters',
      kindsOfFilms.length > 0 && this.many(t('tonight.genre'), kindsOfFilms.map(({id, name}) => this.pill({genre: toggled(taken, id)}, name, taken.includes(id)))),
      kinds.map(([kind, members]) => this.many(t('tonight.kind.' + kind), members.map((name) =>
      this.pill({with: toggled(wanted, name)}, parts.wordOf(name), wanted.includes(name))))),
    isSold && this.many(t('tonight.seats'), this.pill({free: this.free ? null : '1'}, t('tonight.free'), this.free)));
  }

  list() {
    // Nobody goes to another region for a film that starts soon.
    const isToday = (s) => this.isOfDays || this.within < wholeDay || s.service_date === time.serviceToday(s.cinema.time_zone);
    const coming = this.isNone ? [] : this.shows.filter((s) => !time.isPast(s) && s.cinema && !((s.distance_m ?? s.cinema.distance_m) > tooFar) && isToday(s));
    const {isNarrow} = this, whole = this.ctx.with({with: null, free: null, cinemas: null, genre: null, after: null, before: null});
    if (!coming.length) {
      const title = this.isNone ? t('tonight.nothing') : this.date && !this.until ? t('day.none.title', {day: time.longDate(this.date)}) : t('tonight.none');
      return parts.notice('empty', title, this.narrowing() || (this.isOfDays || this.isNone ? null : t(this.walk ? 'tonight.none.text' : 'tonight.none.time')),
        isNarrow && h('a.btn', {href: whole, 'data-replace': true}, t('tonight.every')),
        this.isOfDays && h('a.btn', {href: this.ctx.with({date: null, until: null}), 'data-replace': true}, t('today')),
        !this.isOfDays && this.within < wholeDay && h('a.btn', {href: this.ctx.with({within: wholeDay}), 'data-replace': true}, t('tonight.all')),
        this.walk && h('a.btn', {href: this.ctx.with({walk: null}), 'data-replace': true}, t('tonight.anyWalk')),
        !this.isOfDays && h('a.btn', {href: this.ctx.with({date: time.addDays(this.first, 1)}), 'data-replace': true}, t('tomorrow')));
    }
    const films = groups(coming, (s) => s.film?.id ?? 'untold-' + s.title);
    return [isNarrow && h('p.small', {role: 'status'}, t('tonight.told', {n: films.length, what: this.narrowing()}), ' ', h('a', {href: whole, 'data-replace': true}, t('tonight.every'))),
      h('ul.evening', {'aria-busy': this.busy ? 'true' : undefined}, films.map(([key, shows]) => this.row(key, shows))),
      this.more && h('p.small', t('tonight.more')), h('p.small', t('walk.rule'))];
  }

  /// What narrows the list, in words.
  narrowing() {
    const [after, before] = ['after', 'before'].map((name) => this.hourOf(name));
    const named = (ids, list, name) => ids.map((id) => list?.find((one) => one.id === id)).filter(Boolean).map(name);
    return [...named(this.genres, this.kindsOfFilms, ({name}) => name), after && t('tonight.from', {time: printed(after)}), before && t('tonight.to', {time: printed(before)}),
      ...this.wanted.map(parts.wordOf), ...named(this.chosen, this.cinemas, parts.nameOf), this.free && t('tonight.free')].filter(Boolean).join(' · ');
  }

  row(key, shows) {
    const [{film: told, title}] = shows;
    const film = parts.readable(told ?? {id: key, title});
    return h('li', {'data-key': key}, parts.poster(film, {link: Boolean(told)}),
      h('div.evening-what', h('h2.film-title', told ? [h('a', {href: '/films/' + film.id, lang: parts.langOf(film.title)}, film.title), parts.others(film, 'span')] : film.title),
        parts.facts(film),
        // Of several days each stands by itself.
        h('ul.by-cinema', groups(shows, (s) => this.until ? s.service_date + ' ' + s.cinema.id : s.cinema.id).map(([key, list]) => this.at(key, list)))));
  }

  /// One cinema's times of a film, and when to leave for the first of them that has seats.
  at(key, shows) {
    const free = shows.find((s) => s.seats?.state !== 'sold-out'), [{cinema, ...first}] = shows;
    const walk = first.walk_min ?? cinema.walk_min;
    const until = free && Math.max(1, time.minutesUntil(free.starts_at));
    const leave = walk && walk <= 75 ? until - walk - 5 : null;
    const metres = first.distance_m ?? cinema.distance_m;
    // What nobody can be at in time is not counted down to.
    const isLate = metres / ride + doors > until;
    const when = () => isLate ? time.clockTime(free.starts_at) : until < 60 ? t('tonight.in', {n: until}) : t('tonight.inLong', {time: time.duration(until)});
    return h('li', {'data-key': key},
      h('p.at', this.until && time.longDate(shows[0].service_date) + ' ', h('a', {href: '/cinemas/' + cinema.id}, parts.nameOf(cinema)), ' ', h('span.small', [parts.distance(metres), walk <= 75 && t('walk', {n: walk})].filter(Boolean).join(' · '))),
      !this.isOfDays && free && h('p.leave' + (leave !== null && leave >= 0 && leave < 10 ? '.soon' : ''), when(),
        leave !== null && leave >= 0 && leave <= leavesWithin && [' · ', t('tonight.leave', {time: time.duration(leave)})]),
      h('ul.chips', shows.map(parts.chip)));
  }
}

/// A time of day as cinemas print it, "25:00"; in English the clock's.
const printed = (text) => ['ko', 'ja'].includes(lang) ? text : time.clockTime(`0000-00-00T${String(text.slice(0, 2) % 24).padStart(2, '0')}${text.slice(2)}`);

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
