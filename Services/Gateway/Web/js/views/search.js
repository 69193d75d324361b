// Search: films, cinemas, people, festivals; two characters are enough in every script.
import {h, icon} from '../dom.js';
import {t} from '../i18n.js';
import {Pane, isAbort, query} from '../api.js';
import * as geo from '../geo.js';
import * as parts from '../parts.js';
import {span} from './festivals.js';

/// Somebody who types has not finished: what is asked for meanwhile is what they paused at, in milliseconds.
const pause = 120;

const cityOf = (hit) => (hit.festival ?? hit.cinema)?.city;

export default class Search {
  pane = new Pane('search');
  /// What somebody who types may mean: a list below the field, walked by arrows while the focus stays in the field.
  guesses = {pane: new Pane('suggest'), list: [], at: -1};

  get waiting() { return false; }
  /// What there is of the answer stays, while the rest is asked for.
  get isHealing() { return (this.pane.missing.length > 0 || this.pane.isOld) && this.answered === this.q; }

  update(ctx) {
    this.ctx = ctx;
    this.listen();
    const q = ctx.url.searchParams.get('q') ?? '';
    if (q !== this.q) { this.q = q; this.load(); }
  }

  async load() {
    if (!this.q.trim()) { this.pane.cancel(); this.hits = null; this.error = null; this.ctx.refresh(); return; }
    const {lat, lon} = geo.here;
    try {
      const answer = await this.pane.ask('/search' + query({q: this.q.trim(), lat, lon, limit: 30}));
      this.hits = answer.data;
      this.meant = answer.did_you_mean;
      this.answered = this.q;
      this.error = null;
      if (!this.places && this.hits.some(cityOf)) geo.cities().then((places) => { this.places = places; this.ctx.refresh(); }, () => {});
    } catch (error) {
      if (isAbort(error)) return;
      this.error = error;
    }
    this.ctx.refresh();
  }

  /// In the reader's language, where the map has its name.
  city(hit) {
    const city = cityOf(hit);
    const place = this.places?.find(({ko, ja, en}) => [ko, ja, en].includes(city));
    return place ? geo.placeName(place) : parts.tongue(city);
  }

  retry() { this.load(); }
  leave() { clearTimeout(this.timer); this.pane.cancel(); this.guesses.pane.cancel(); this.ears?.abort(); this.ears = null; }
  title() { return t('tab.search'); }

  actions = {
    typed(input) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => { this.guess(input.value.trim()); this.ctx.go('/search' + query({q: input.value}), {replace: true}); }, pause);
    },
    find(form) { clearTimeout(this.timer); this.shut(); this.ctx.go('/search' + query({q: form.q.value}), {replace: true}); },
    pick(option) { this.choose(Number(option.dataset.at)); },
  };

  // --- What somebody may mean ------------------------------------------------------------------------------------------

  async guess(text) {
    const {guesses} = this;
    if (!text) { this.shut(); return; }
    try {
      const answer = await guesses.pane.ask('/suggest' + query({q: text}));
      Object.assign(guesses, {list: answer.data.filter((one) => pathOf(one)), at: -1});
      // Who went on with something else meanwhile wants no list.
      if (document.activeElement?.id !== 'q') guesses.list = [];
      this.ctx.refresh();
    } catch { /* the results below say what is wrong */ }
  }

  shut() {
    this.guesses.pane.cancel();
    if (!this.guesses.list.length) return;
    Object.assign(this.guesses, {list: [], at: -1});
    this.ctx.refresh();
  }

  choose(at) {
    const one = this.guesses.list[at];
    clearTimeout(this.timer);
    this.shut();
    if (one) this.ctx.go(pathOf(one), {over: one.type === 'film'});
  }

  /// Keys in the field that belong to the list.
  typing(event) {
    const {list, at} = this.guesses;
    if (event.target.id !== 'q' || !list.length || event.isComposing) return false;
    if (event.key === 'Enter' && at >= 0) { this.choose(at); return true; }
    if (event.key === 'Escape') { this.shut(); return true; }
    const to = {ArrowDown: at + 1, ArrowUp: at < 0 ? list.length - 1 : at - 1}[event.key];
    if (to === undefined) return false;
    // Beyond either end is the field itself.
    this.guesses.at = to >= list.length ? -1 : to;
    this.ctx.refresh();
    return true;
  }

  /// Whoever goes on elsewhere is done with the list. Pressing on it does not take the focus out of the field.
  listen() {
    if (this.ears) return;
    this.ears = new AbortController();
    const {signal} = this.ears;
    document.addEventListener('mousedown', (event) => { if (event.target.closest?.('#q-list')) event.preventDefault(); }, {signal});
    document.addEventListener('focusout', (event) => { if (event.target.id === 'q') this.shut(); }, {signal});
  }

  combobox() {
    const {list, at} = this.guesses;
    return [h('input', {id: 'q', name: 'q', type: 'text', inputmode: 'search', role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': String(list.length > 0), 'aria-controls': 'q-list',
      'aria-activedescendant': at >= 0 ? 'q-' + at : undefined, value: this.q, placeholder: t('search.hint'), autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', enterkeyhint: 'search', 'data-on-input': 'typed', autofocus: true}),
    h('ul.guesses', {id: 'q-list', role: 'listbox', 'aria-label': t('search.suggest'), hidden: !list.length}, list.map((one, index) =>
      h('li', {id: 'q-' + index, role: 'option', 'aria-selected': String(index === at), 'data-do': 'pick', 'data-at': String(index)},
        h('span', {lang: parts.langOf(one.text)}, one.text), h('span.small', t('kind.' + one.type)))))];
  }

  render() {
    return h('div.search', {'data-key': 'search'}, h('h1.vh', t('tab.search')),
      h('form.find', {action: '/search', role: 'search', 'data-do': 'find'}, h('label.vh', {for: 'q'}, t('search.label')),
        this.combobox()),
      h('div', {'aria-live': 'polite'}, this.error && !this.isHealing ? parts.failure(this.error) : this.results()));
  }

  results() {
    if (!this.hits && this.q.trim()) return h('ul.hits', {'aria-hidden': 'true'}, [1, 2, 3].map(() => h('li.ghost', h('span.poster'), h('div', h('p.bar'), h('p.bar.short')))));
    if (!this.hits) return h('p.small.pad', t('search.start'));
    if (!this.hits.length) {
      return parts.notice('empty', t('search.none', {q: this.answered}), t('search.none.text'),
        ...this.meant ? [h('a.btn', {href: '/search' + query({q: this.meant})}, t('search.meant', {q: this.meant}))] : []);
    }
    return [h('p.vh', t('search.count', {n: this.hits.length})), h('ul.hits', this.hits.map((hit) => this.hit(hit))), parts.credits(this.hits.map((hit) => hit.film))];
  }

  hit(hit) {
    // What matched of a cinema may be its city.
    const title = hit.cinema && !hit.highlight?.length ? parts.nameOf(hit.cinema) : hit.title ?? hit.film?.title ?? hit.name ?? '';
    const text = marked(title, hit.highlight);
    if (hit.type === 'film') {
      const film = {id: hit.id, title, ...hit.film};
      return h('li', {'data-key': hit.id}, parts.poster(film), h('div', h('h2.film-title', h('a', {href: '/films/' + hit.id, lang: parts.langOf(title)}, text),
        film.title !== title && h('span.orig', {lang: parts.langOf(film.title)}, film.title)), parts.facts(film, {director: true})), parts.want(film));
    }
    const cinema = hit.cinema ?? hit;
    const known = pathOf(hit);
    return h('li', {'data-key': hit.type + hit.id}, h('span.poster.place-sign', {'aria-hidden': 'true'}, hit.type === 'cinema' ? icon('near') : hit.festival ? icon('festival') : [...title][0]),
      h('div', h('h2.film-title', known ? h('a', {href: known, lang: parts.langOf(title)}, text) : text), h('p.facts', parts.dotted([t('kind.' + (known ? hit.type : 'other')), hit.festival && span(hit.festival), this.city(hit), parts.distance(cinema.distance_m),
        hit.person?.films && t('day.films', {n: hit.person.films})]))));
  }
}

/// Where a suggestion leads.
const pathOf = ({type, id}) => ({film: '/films/' + id, cinema: '/cinemas/' + id, person: '/discover?person=' + id, festival: '/festivals/' + id})[type];

/// The part of a title that was asked for, marked. Ranges are pairs of code point offsets.
function marked(text, ranges) {
  if (!ranges?.length) return text;
  const letters = [...text];
  const out = [];
  let at = 0;
  for (const range of ranges) {
    const [from, to] = Array.isArray(range) ? range : [range.start, range.end];
    if (!(from >= at && to > from)) continue;
    out.push(letters.slice(at, from).join(''), h('mark', letters.slice(from, to).join('')));
    at = to;
  }
  out.push(letters.slice(at).join(''));
  return out;
}
