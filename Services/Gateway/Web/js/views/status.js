// Status of sources: what each cinema's times come from, and how old they are.
import {h} from '../dom.js';
import {has, t} from '../i18n.js';
import {Pane, load} from '../api.js';
import * as time from '../time.js';
import * as parts from '../parts.js';

const order = {broken: 0, quarantined: 1, stale: 2, pending: 3, unknown: 3, ok: 4, disabled: 5};

/// A source that is read and says nothing of what is shown when is no good one.
const isMute = (source) => source.state === 'ok' && source.reason && !source.showtimes;
const stateOf = (source) => isMute(source) || !(source.state in order) ? 'unknown' : source.state;

/// In the reader's language, by the state: the reason itself is for who mends it.
const why = (source) => isMute(source) ? h('p.small', t('status.mute'))
  : source.reason && has('status.why.' + source.state) && h('p.small', t('status.why.' + source.state));

export default class Status {
  pane = new Pane('status');

  get waiting() { return !this.sources && !this.error; }
  update(ctx) { this.ctx = ctx; this.load(); }

  load() {
    return load(this, async () => {
      const answer = await this.pane.ask('/sources');
      this.sources = answer.data;
    });
  }

  retry() { this.load(); }
  leave() { this.pane.cancel(); }
  title() { return t('tab.status'); }
  topics() { return ['sources']; }
  heard(name) { if (name === 'source.state' || name === 'reset') this.load(); }

  render() {
    return h('div.status', {'data-key': 'status'}, h('h1', t('status.title')), h('p.lead', t('status.text')),
      // So many empty rows that the foot of the page stays below what is seen while they fill.
      this.error && !this.sources ? parts.failure(this.error) : !this.sources ? [h('p.sum', {'aria-hidden': 'true'}, h('b', '\u00a0')), h('ul.sources', {'aria-hidden': 'true'}, Array.from({length: 16}, () => h('li.ghost', h('p.bar'))))] : this.list());
  }

  list() {
    if (!this.sources.length) return parts.notice('empty', t('status.none'));
    const sorted = [...this.sources].sort((a, b) => order[stateOf(a)] - order[stateOf(b)]);
    const good = sorted.filter((source) => stateOf(source) === 'ok').length;
    return [h('p.sum', h('b', good), ' / ', sorted.length, ' ', t('status.good')),
      h('ul.sources', sorted.map((source) => this.row(source)))];
  }

  row(source) {
    const cinema = source.cinema ?? source.cinemas?.[0];
    const at = source.last_success ?? source.as_of;
    const state = stateOf(source);
    return h('li', {'data-key': source.id}, h('span.state.' + state, h('span.dot', {'aria-hidden': 'true'}), t('state.' + state)),
      h('div', h('p', h('b', cinema?.id ? h('a', {href: '/cinemas/' + cinema.id}, parts.nameOf(cinema)) : source.name), source.demo && [' ', h('span.demo', t('demo'))]),
        h('p.small', [at ? t('asof', {ago: time.ago(at)}) : t('status.never'), source.name].filter(Boolean).join(' · '), source.showtimes !== undefined && [' · ', h('span.whole', t('status.shows', {n: source.showtimes}))]),
        why(source)),
      source.url && h('a.tool', {href: source.url, target: '_blank', rel: 'noopener', 'aria-label': t('status.open', {name: cinema ? parts.nameOf(cinema) : source.name})},
        h('svg.i', {'aria-hidden': 'true'}, h('use', {href: '#i-out'}))));
  }
}
