// An evening that somebody planned and gave away the link of: the film, the table, and how to get there.
import {h, icon} from '../dom.js';
import {t} from '../i18n.js';
import {Pane, get, load} from '../api.js';
import * as time from '../time.js';
import * as parts from '../parts.js';
import {eveningBar} from './dinner.js';

const map = ({lat, lon}) => `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=17/${lat}/${lon}`;

export default class Plan {
  pane = new Pane('plan');

  get waiting() { return !this.plan && !this.error; }
  update(ctx) { this.ctx = ctx; if (!this.plan) this.load(); else ctx.refresh(); }

  load() {
    return load(this, async () => {
      const plan = await this.pane.ask('/plans/' + this.ctx.id);
      // A plan is kept in its maker's words; names are shown in the reader's.
      const {cinema_id: cinema, film_id: film} = plan.showtime;
      [this.cinema, this.film] = await Promise.all([['/cinemas/', cinema], ['/films/', film]].map(([path, id]) => id && get(path + id).catch(() => null)));
      this.plan = plan;
    });
  }

  retry() { this.load(); }
  woke() { this.load(); }
  topics() { return this.plan ? ['cinema:' + this.plan.showtime.cinema_id] : []; }
  heard(name, data) { if (name === 'reset' || (data?.showtime_id && data.showtime_id === this.plan?.showtime.id)) this.load(); }
  leave() { this.pane.cancel(); }
  title() { return this.plan && this.names.title; }
  actions = {async share() { if (!await parts.share(this.title(), '/plans/' + this.ctx.id)) parts.toast(location.href); }};

  get names() {
    const {showtime: show, title} = this.plan;
    const film = this.film ? parts.readable(this.film) : {id: show.film_id ?? show.title, title: show.title};
    return {film, title: title ?? film.title, cinema: this.cinema ? parts.nameOf(this.cinema) : show.cinema};
  }

  /// The showing as it is now; what was planned of it stays, if it was not moved.
  get now() {
    const {showtime: show, showtime_state: state, starts_at_now: start, ends_at_now: end} = this.plan;
    if (state !== 'moved' || !start) return show;
    return {...show, starts_at: start, ends_at: end};
  }

  render() {
    if (this.error && !this.plan) return h('div.film-page', h('h1.vh', t('plan')), parts.failure(this.error));
    if (!this.plan) return h('div.film-page', h('h1.vh', t('plan')), h('div.ghost', {'aria-hidden': 'true'}, h('p.bar'), h('p.bar.short')));
    const {share, showtime: {starts_at: planned}, showtime_state: state} = this.plan;
    const dinner = this.plan.dinner && {...this.plan.dinner, ...this.plan.dinner_now};
    const {now: show, names} = this;
    const out = (href, text) => h('li', h('a', {href, target: '_blank', rel: 'noopener'}, text));
    return h('article.film-page.plan', {'data-key': 'plan-' + share},
      h('div.film-head', parts.poster(names.film, {link: false}), h('div.film-what', h('p.hero-k', t(dinner ? 'dinner.title' : 'plan')),
        h('h1', {lang: parts.langOf(names.title)}, names.title),
        h('p.facts', parts.dotted([time.longDate(show.starts_at.slice(0, 10)), time.clockTime(show.starts_at), parts.tongue(names.cinema), parts.tongue(show.screen)])),
        state === 'cancelled' ? h('p.warn', t('seats.cancelled')) : show.starts_at !== planned && h('p.warn', moved(planned, show.starts_at)))),
      this.plan.note && h('p.synopsis', {lang: parts.langOf(this.plan.note)}, this.plan.note),
      dinner && this.plan.dinner_state === 'closed' && h('p.warn', t('dinner.none')),
      dinner && eveningBar(dinner.mode, dinner, show),
      dinner && isTight(dinner, show) && h('p.warn', t('plan.tight')),
      h('p.doing', show.booking_url && h('a.btn', {href: show.booking_url, target: '_blank', rel: 'noopener'}, t('plan.book')),
        h('a.btn', {href: `/v1/plans/${share}.ics`, download: true}, t('link.add')), h('button.btn.js', {type: 'button', 'data-do': 'share'}, icon('share'), t('share'))),
      h('ul.links', show.film_id && h('li', h('a', {href: '/films/' + show.film_id}, t('film'))), h('li', h('a', {href: '/cinemas/' + show.cinema_id}, names.cinema)),
        out(map(show.location), 'OpenStreetMap')),
      dinner && h('section', {'aria-labelledby': 'table'}, h('h2', {id: 'table', lang: parts.langOf(dinner.name)}, dinner.name),
        h('p.facts', parts.dotted([parts.tongue(dinner.address), t('walk', {n: dinner.walk_min})])),
        h('ul.links', dinner.url && out(dinner.url, t('link.website')), out(map(dinner.location), 'OpenStreetMap')),
        dinner.attribution && h('p.small', dinner.attribution.text ?? dinner.attribution)),
      h('section.code', {'aria-labelledby': 'code'}, h('img', {src: `/v1/qr.svg?quiet=2&data=${location.origin}/plans/${share}`, alt: t('plan.code.alt'), width: '144', height: '144'}),
        h('div', h('h2', {id: 'code'}, t('plan.code')), h('p.small', t('plan.code.text')))));
  }
}

/// From when to when; with their days, if these are two.
function moved(from, to) {
  const told = (instant) => from.slice(0, 10) === to.slice(0, 10) ? time.clockTime(instant) : time.fullTime({starts_at: instant});
  return t('plan.moved', {from: told(from), to: told(to)});
}

/// Whether a showing that was moved leaves too little time between the table and the cinema.
function isTight(dinner, show) {
  const way = dinner.walk_min * 60_000;
  if (dinner.mode !== 'after') return Date.parse(dinner.leave_by) + way > Date.parse(show.starts_at);
  return Boolean(show.ends_at) && Date.parse(show.ends_at) + way > Date.parse(dinner.sit_from);
}
