// An evening that somebody planned and gave away the link of: the film, the table, and how to get there.
import {h} from '../dom.js';
import {t} from '../i18n.js';
import {Pane, isAbort} from '../api.js';
import * as time from '../time.js';
import * as parts from '../parts.js';
import {eveningBar} from './dinner.js';

const map = ({lat, lon}) => `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=17/${lat}/${lon}`;

export default class Plan {
  pane = new Pane('plan');

  get waiting() { return !this.plan && !this.error; }
  update(ctx) { this.ctx = ctx; if (!this.plan) this.load(); else ctx.refresh(); }

  async load() {
    try {
      this.plan = await this.pane.ask('/plans/' + this.ctx.id);
      this.error = null;
    } catch (error) {
      if (isAbort(error)) return;
      this.error = error;
    }
    this.ctx.refresh();
  }

  retry() { this.error = null; this.load(); }
  woke() { this.load(); }
  topics() { return this.plan ? ['cinema:' + this.plan.showtime.cinema_id] : []; }
  heard(name, data) { if (name === 'reset' || data?.showtime_id === this.plan?.showtime.id) this.load(); }
  leave() { this.pane.cancel(); }
  title() { return this.plan?.title ?? this.plan?.showtime.title; }

  render() {
    if (this.error) return h('div.film-page', h('h1.vh', t('plan')), parts.failure(this.error));
    if (!this.plan) return h('div.film-page', h('h1.vh', t('plan')), h('div.ghost', {'aria-hidden': 'true'}, h('p.bar'), h('p.bar.short')));
    const {showtime: show, dinner, showtime_state: state} = this.plan;
    // Moved: the evening as it goes now.
    const {starts_at_now: start, ends_at_now: end} = this.plan;
    const now = start ? {...show, starts_at: start, ends_at: end} : show;
    const title = this.plan.title ?? show.title;
    const out = (href, text) => h('li', h('a', {href, target: '_blank', rel: 'noopener'}, text));
    return h('article.film-page.plan', {'data-key': 'plan-' + this.plan.share},
      h('div.film-head', parts.poster({id: show.film_id ?? show.title, title: show.title}, {link: false}), h('div.film-what', h('p.hero-k', t(dinner ? 'dinner.title' : 'plan')),
        h('h1', {lang: parts.langOf(title)}, title),
        h('p.facts', [time.longDate(show.starts_at.slice(0, 10)), time.clockTime(show.starts_at), show.cinema, show.screen].filter(Boolean).join(' · ')),
        ['moved', 'cancelled'].includes(state) && h('p.warn', state === 'moved' ? t('plan.moved', {time: time.clockTime(this.plan.starts_at_now ?? show.starts_at)}) : t('seats.cancelled')))),
      this.plan.note && h('p.synopsis', {lang: parts.langOf(this.plan.note)}, this.plan.note),
      dinner && this.plan.dinner_state === 'closed' && h('p.warn', t('dinner.none')),
      dinner && eveningBar(dinner.mode, {...dinner, ...this.plan.dinner_now}, now),
      h('p.doing', show.booking_url && h('a.btn', {href: show.booking_url, target: '_blank', rel: 'noopener'}, t('plan.book')),
        h('a.btn', {href: `/v1/plans/${this.plan.share}.ics`, download: true}, t('link.add'))),
      h('ul.links', show.film_id && h('li', h('a', {href: '/films/' + show.film_id}, t('film'))), h('li', h('a', {href: '/cinemas/' + show.cinema_id}, show.cinema)),
        out(map(show.location), 'OpenStreetMap')),
      dinner && h('section', {'aria-labelledby': 'table'}, h('h2', {id: 'table', lang: parts.langOf(dinner.name)}, dinner.name),
        h('p.facts', [dinner.address, t('walk', {n: dinner.walk_min})].filter(Boolean).join(' · ')),
        h('ul.links', dinner.url && out(dinner.url, t('link.website')), out(map(dinner.location), 'OpenStreetMap')),
        dinner.attribution && h('p.small', dinner.attribution.text ?? dinner.attribution)));
  }
}
