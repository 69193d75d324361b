// A film: is it for me, where and when. A page of its own, or a sheet over the page that it was opened from.
import {h, icon} from '../dom.js';
import {t} from '../i18n.js';
import {Pane, load, post, query} from '../api.js';
import * as geo from '../geo.js';
import * as time from '../time.js';
import * as parts from '../parts.js';
import * as pieces from '../pieces.js';
import * as bookmarks from '../bookmarks.js';

/// 3,000,000: the same in every language that we write.
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');

export default class Film {
  pane = new Pane('film');

  get waiting() { return !this.film && !this.error; }

  update(ctx) {
    this.ctx = ctx;
    if (!this.film) this.load();
  }

  load() {
    return load(this, async () => {
      const near = `${geo.here.lat},${geo.here.lon}`;
      const answer = await this.pane.ask(`/films/${this.ctx.id}` + query({include: 'credits,showtimes,similar', near}));
      this.film = {...parts.readable(answer), kept: answer.kept};
      if (bookmarks.hasSession()) post('/me/views', {films: [this.ctx.id]}).catch(() => {});
    });
  }

  retry() { this.load(); }
  woke() { this.load(); }
  leave() { this.pane.cancel(); }
  title() { return this.film?.title; }
  topics() { return ['film:' + this.ctx.id]; }
  heard(name, data) { if (name === 'reset' || data?.film_id === this.ctx.id || /^(schedule|showtime)\./.test(name)) this.load(); }

  actions = {
    async share() {
      const path = '/films/' + this.ctx.id;
      if (!await parts.share(this.film.title, path)) parts.toast(location.origin + path);
    },
    more() { this.all = true; this.ctx.refresh(); },
  };

  key(event) {
    if (event.key === 'b') { document.querySelector('.film-page .want')?.click(); return true; }
    const coming = this.film ? this.reached(this.film).filter((s) => s.state !== 'cancelled') : [];
    const free = coming.find((s) => s.booking_url && s.seats?.state !== 'sold-out');
    if (event.key === 'o' && free) { window.open(free.booking_url, '_blank', 'noopener'); return true; }
    if (event.key === 'i' && coming[0]) { location.assign(`/v1/showtimes/${coming[0].id}.ics`); return true; }
    return false;
  }

  render() {
    const {film} = this;
    // What is on the screen is better than nothing: a failed renewal keeps it.
    if (this.error && !(film && this.error.passes)) return h('div.film-page', h('h1.vh', t('film')), parts.failure(this.error));
    if (!film) {
      return h('div.film-page', h('h1.vh', t('film')), h('div.ghost', {'aria-hidden': 'true'},
        h('div.film-head', h('span.poster'), h('div', h('p.bar'), h('p.bar.short'), h('p.bar'))), parts.skeleton(1)));
    }
    const rows = this.rows(film);
    return h('article.film-page', {'data-key': film.id},
      h('div.film-head', parts.poster(film, {link: false, eager: true}),
        h('div.film-what', h('h1', {lang: parts.langOf(film.title)}, film.title),
          parts.others(film, 'p', {whole: true}),
          parts.facts(film),
          film.genres?.length > 0 && h('p.facts', film.genres.map((g) => g.name ?? g).join(' · ')),
          h('div.doing', parts.want(film, {words: true}),
            h('button.btn.js', {type: 'button', 'data-do': 'share'}, icon('share'), t('share'))))),
      film.synopsis && h('p.synopsis', {lang: parts.langOf(film.synopsis)}, film.synopsis),
      rows.length > 0 && h('dl.people', rows.map(([role, what]) => h('div', h('dt', role), h('dd', what)))),
      h('section', {'aria-labelledby': 'where'}, h('h2', {id: 'where'}, t('film.where')), this.shows(film), pieces.keptNote(film.kept)),
      film.similar?.length > 0 && h('section', {'aria-labelledby': 'similar'}, h('h2', {id: 'similar'}, t('film.similar')),
        h('ul.wall', film.similar.map((other) => pieces.filmCard(other)))),
      parts.credits([film, ...film.similar ?? []]));
  }

  /// Who made it, since when it is shown, what people elsewhere think of it, what it cost and brought in, and where its trailers are.
  rows(film) {
    // Whoever it is, what else they made is one press away.
    const names = (list) => list?.length > 0 && list.slice(0, 8).flatMap((name, n) => [n > 0 && ', ', h('a', {href: '/search' + query({q: name}), lang: parts.langOf(name)}, name)]);
    const money = (amount) => amount && '$' + grouped(amount);
    return [[t('film.director'), names(film.directors)], [t('film.writers'), names(film.writers)], [t('film.cast'), names(film.cast)],
      [t('film.released'), film.released_on && time.longDate(film.released_on, 'date.year')],
      [t('film.rating'), film.votes && film.score != null && t('film.rating.text', {percent: Math.round(film.score * 10), votes: grouped(film.votes)})],
      [t('film.budget'), money(film.budget_usd)], [t('film.revenue'), money(film.revenue_usd)],
      [t('film.video'), film.videos?.map((video, place) => [place > 0 && ', ',
        h('a', {href: video.url, target: '_blank', rel: 'noopener'}, video.name ?? t('film.video'))])],
    ].filter(([, what]) => what?.length > 0);
  }

  coming(film) { return (film.showtimes ?? []).filter((s) => !time.isPast(s)); }

  /// Those to come that are shown: near ones, if there are any and nobody asked for all.
  reached(film) {
    const coming = this.coming(film);
    const reach = !this.all && coming.some((show) => show.cinema.distance_m <= parts.tooFar) ? parts.tooFar : Infinity;
    return coming.filter((show) => !(show.cinema.distance_m > reach));
  }

  /// All showings by day, then by cinema, nearest first.
  shows(film) {
    const coming = this.coming(film), reached = this.reached(film);
    if (!coming.length) return parts.notice('empty', t('film.departed'), t('film.departed.text'));
    const days = new Map();
    for (const show of reached) {
      if (!days.has(show.service_date)) days.set(show.service_date, new Map());
      const cinemas = days.get(show.service_date);
      if (!cinemas.has(show.cinema.id)) cinemas.set(show.cinema.id, {cinema: show.cinema, shows: []});
      cinemas.get(show.cinema.id).shows.push(show);
    }
    const today = time.serviceToday(reached[0].cinema.time_zone);
    const list = [...days].sort(([a], [b]) => a < b ? -1 : 1);
    const shown = this.all ? list : list.slice(0, 4);
    return [h('ol.by-day', shown.map(([date, cinemas]) => h('li', {'data-key': date},
      h('h3', date > time.addDays(today, 1) ? time.longDate(date) : [time.dayName(date, today), ' ', h('span.small', time.longDate(date))]),
      h('ul.by-cinema', [...cinemas.values()].sort((a, b) => (a.cinema.distance_m ?? 1e9) - (b.cinema.distance_m ?? 1e9)).slice(0, this.all ? 99 : 6).map(({cinema, shows}) =>
        h('li', {'data-key': cinema.id}, h('p.at', h('a', {href: `/cinemas/${cinema.id}?date=${date}`}, parts.nameOf(cinema)), ' ',
          h('span.small', parts.distance(cinema.distance_m) ?? '')), h('ul.chips', shows.map(parts.chip)))))))),
    !this.all && (reached.length < coming.length || list.length > 4 || list.some(([, c]) => c.size > 6)) && h('button.btn', {type: 'button', 'data-do': 'more'}, t('film.all'))];
  }
}
