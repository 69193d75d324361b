// Dinner around a showing: where one can eat and still be on time, with a bar of the evening for each place.
import {h} from '../dom.js';
import {t, lang} from '../i18n.js';
import {Pane, get, post, isAbort, query} from '../api.js';
import * as bookmarks from '../bookmarks.js';
import * as time from '../time.js';
import * as parts from '../parts.js';
import * as pieces from '../pieces.js';

const eating = 60;
const askAgain = 1000;
/// What a dinner may cost, in a currency's smallest unit. Others are told and not chosen by.
const sums = {KRW: [10_000, 15_000, 20_000, 30_000], JPY: [1_500, 3_000, 5_000, 8_000], GBP: [1_500, 2_500, 4_000], EUR: [1_500, 2_500, 4_000], USD: [1_500, 2_500, 4_000]};

export default class Dinner {
  pane = new Pane('dinner');
  kinds = new Map();

  get waiting() { return !this.error && (!this.answer || (this.answer.state === 'loading' && !this.answer.data.length)); }
  get mode() { return this.ctx.params.get('mode') === 'after' ? 'after' : 'before'; }
  get walk() { return Number(this.ctx.params.get('walk')) || 10; }
  get genre() { return this.ctx.params.get('genre'); }
  get budget() { return Number(this.ctx.params.get('budget')) || null; }

  update(ctx) {
    this.ctx = ctx;
    const asked = ctx.id + ctx.url.search;
    if (asked !== this.asked) { this.asked = asked; this.load(); } else ctx.refresh();
  }

  async load() {
    this.busy = true;
    this.ctx.refresh();
    try {
      this.answer = await this.pane.ask(`/showtimes/${this.ctx.id}/dinner` + query({mode: this.mode, walk_max_min: this.walk, eat_min: eating, genre: this.genre, budget_max: this.budget}));
      this.error = null;
      this.learn();
      // The places are being fetched from elsewhere just now.
      clearTimeout(this.again);
      if (this.answer.state === 'loading') this.again = setTimeout(() => this.load(), askAgain);
    } catch (error) {
      if (isAbort(error)) return;
      this.error = error;
    }
    this.busy = false;
    this.ctx.refresh();
  }

  /// Kinds of the places that were found here, and the one that is chosen: all that there are would be of any city and language.
  learn() {
    for (const {restaurant: {genre, budget}} of this.answer.data) {
      if (genre?.name) this.kinds.set(genre.code ?? genre.id, genre.name);
      this.currency ??= budget?.amount?.currency;
    }
    if (this.genre && !this.kinds.has(this.genre)) this.loadKind(this.genre);
  }

  async loadKind(code) {
    this.kinds.set(code, code);
    try {
      const known = (await get('/dining/genres')).data.find((genre) => (genre.code ?? genre.id) === code);
      if (known) this.kinds.set(code, known.name);
      this.ctx.refresh();
    } catch { /* its code, then */ }
  }

  retry() { this.load(); }
  leave() { this.pane.cancel(); clearTimeout(this.again); }
  title() { return t('dinner'); }

  actions = {
    kind(select) { this.ctx.go(this.ctx.with({genre: select.value || null}), {replace: true}); },
    budget(select) { this.ctx.go(this.ctx.with({budget: select.value || null}), {replace: true}); },
    /// Showing and place as one link for whoever comes along.
    async plan(button) {
      const choice = [this.ctx.id, button.dataset.place, this.mode].join();
      // One key a choice: pressed again, it is the same plan.
      this.keys ??= new Map();
      if (!this.keys.has(choice)) this.keys.set(choice, crypto.randomUUID?.() ?? String(Math.random()));
      let plan;
      try {
        plan = await bookmarks.asSomebody(() => post('/me/plans', {showtime_id: this.ctx.id, restaurant_id: button.dataset.place, mode: this.mode, eat_min: eating},
          {headers: {'Idempotency-Key': this.keys.get(choice)}}));
      } catch (error) {
        if (!isAbort(error)) parts.toast(t(error.offline ? 'error.offline' : 'plan.failed'));
        return;
      }
      const path = '/plans/' + plan.share;
      // It is kept; who may not share it from here goes there and does.
      if (!await parts.share(t('dinner'), path)) this.ctx.go(path);
    },
  };

  render() {
    const show = this.answer?.showtime;
    const film = show?.film ? parts.readable(show.film) : null;
    return h('div.dinner', {'data-key': 'dinner'},
      h('h1', t('dinner.title')),
      show && h('p.facts', parts.dotted([parts.tongue(film?.title ?? show.title), show.service_date && time.longDate(show.service_date), time.chipTime(show), show.cinema && parts.nameOf(show.cinema), parts.tongue(show.screen)])),
      h('div.choices',
        pieces.pills(t('dinner.when'), [['before', t('dinner.before')], ['after', t('dinner.after')]], this.mode, (mode) => this.ctx.with({mode: mode === 'before' ? null : mode})),
        pieces.pills(t('tonight.walk'), [5, 10, 15, 20].map((n) => [n, t('dur.min', {n})]), this.walk, (walk) => this.ctx.with({walk: walk === 10 ? null : walk})),
        h('label.choice.js', h('span.small', t('dinner.genre')), h('select', {'data-on-change': 'kind', value: this.genre ?? ''},
          h('option', {value: ''}, t('tonight.any')), [...this.kinds].map(([code, name]) => h('option', {value: code, lang: parts.langOf(name), selected: code === this.genre}, name)))), this.sums()),
      this.error ? this.away(/quota$/.test(this.error.body?.type) ? 'quota' : this.error.status >= 500 && 'failed', this.error) : this.waiting ? h('ul.places', {'aria-hidden': 'true'}, [1, 2, 3].map(() => h('li.ghost', h('p.bar'), h('p.bar.short'), h('p.bar')))) : this.places());
  }

  /// What a dinner may cost, in the money of the places that were found.
  sums() {
    const {budget, currency} = this;
    const list = [...new Set([...sums[currency] ?? [], ...(budget ? [budget] : [])])].sort((a, b) => a - b);
    return h('label.choice.js', h('span.small', t('dinner.budget')), h('select', {'data-on-change': 'budget', value: budget ?? ''},
      h('option', {value: ''}, t('tonight.any')), list.map((sum) => h('option', {value: sum, selected: sum === budget}, t('dinner.upTo', {sum: money(sum, currency)})))));
  }

  /// In words for people: what an answer says of itself names its parameters.
  away(why, error = {status: 503}) { return parts.failure(error, 'retry', why ? t('dinner.away.' + why) : undefined); }

  places() {
    const {data, showtime} = this.answer;
    if (['quota', 'failed'].includes(this.answer.state) && !data.length) return this.away(this.answer.state);
    if (!data.length) {
      return parts.notice('empty', t('dinner.none'), t(this.mode === 'after' ? 'dinner.none.after' : 'dinner.none.before'),
        this.walk < 20 && h('a.btn', {href: this.ctx.with({walk: 20}), 'data-replace': true}, t('dinner.farther')),
        h('a.btn', {href: this.ctx.with({mode: this.mode === 'before' ? 'after' : null}), 'data-replace': true}, t(this.mode === 'before' ? 'dinner.after' : 'dinner.before')));
    }
    const credits = new Map([this.answer.attribution, ...data.map((item) => item.restaurant.attribution)].flat().filter(Boolean).map((a) => [a.text, a.url]));
    return [h('ul.places', {'aria-busy': this.busy ? 'true' : undefined}, data.map((item) => this.place(item, showtime))),
      h('p.small', t('walk.rule'), [...credits].map(([text, url]) => [' · ', url ? h('a', {href: url, target: '_blank', rel: 'noopener'}, text) : text]))];
  }

  place(item, show) {
    const {restaurant: place} = item;
    const name = parts.nameOf(place);
    return h('li', {'data-key': place.id},
      h('div.place-h', h('h2', {lang: parts.langOf(name)}, place.url ? h('a', {href: place.url, target: '_blank', rel: 'noopener'}, name) : name),
        h('p.leave', t('dinner.leave.' + this.mode, {time: time.clockTime(this.mode === 'before' ? item.leave_by : item.sit_from)}))),
      h('p.facts', parts.dotted([parts.tongue(place.genre?.name), parts.tongue(place.budget?.display), parts.distance(item.distance_m), item.walk_min && t('walk', {n: item.walk_min}),
        place.capacity && t('dinner.seats', {n: place.capacity}), place.demo && t('demo')])),
      eveningBar(this.mode, item, show),
      place.address && h('p.small.address', {lang: parts.langOf(place.address)}, place.address),
      h('p.small.place-f', h('span', place.open && h('span', {lang: parts.langOf(place.open)}, place.open), item.open_confidence && item.open_confidence !== 'parsed' && [' ', h('span.demo', t('dinner.unsure'))]),
        h('button.plain.js', {type: 'button', 'data-do': 'plan', 'data-place': place.id}, t('plan.send'))));
  }
}

/// "₩10,000", of a sum in a currency's smallest unit.
function money(sum, currency) {
  if (!currency) return String(sum);
  const form = new Intl.NumberFormat(lang === 'xx' ? 'en' : lang, {style: 'currency', currency, minimumFractionDigits: 0});
  return form.format(sum / (['KRW', 'JPY'].includes(currency) ? 1 : 100));
}

/// The evening as a bar: eating, walking, the film; each as long as it takes, in tens of minutes.
export function eveningBar(mode, item, show) {
  const part = (look, from, to, text) => {
    const minutes = Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / 60000));
    return h('li.' + look, {'data-g': String(Math.min(18, Math.max(2, Math.floor((minutes + 5) / 10))))}, h('b', time.clockTime(from)), h('span', text));
  };
  const walk = t('dinner.walk', {n: item.walk_min});
  // The cinema's own clock is kept: an instant that is made here has its offset.
  const after = (instant, min) => time.written(Date.parse(instant) + min * 60000, show.starts_at);
  const film = show.ends_at ?? after(show.starts_at, show.film?.runtime_min ?? 110);
  const list = mode === 'before'
    ? [part('eat', item.sit_from, item.leave_by, t('dinner.eat')), part('go', item.leave_by, show.starts_at, walk), part('see', show.starts_at, film, t('film'))]
    : [part('see', show.starts_at, film, t('film')), part('go', film, item.sit_from, walk), part('eat', item.sit_from, item.leave_by ?? after(item.sit_from, eating), t('dinner.eat'))];
  return h('ol.bar-e', list);
}
