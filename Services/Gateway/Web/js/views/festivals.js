// Festivals: those that are on, those to come, and at the end those that were.
import {h} from '../dom.js';
import {t} from '../i18n.js';
import {Pane, load} from '../api.js';
import * as time from '../time.js';
import * as parts from '../parts.js';
import * as pieces from '../pieces.js';

/// A session or a festival with the title in front that this reader can read, and the other behind it.
export const readable = (told) => ({...told, ...parts.readable({title: told.title ?? told.name, original_title: told.subtitle})});

/// "20 Nov – 22 Nov", or one day.
export function span(festival) {
  const from = festival.starts_on ?? festival.days?.[0], to = festival.ends_on ?? festival.days?.at(-1);
  return !from ? '' : from === to || !to ? pieces.anyDate(from) : t('festival.span', {from: pieces.anyDate(from), to: pieces.anyDate(to)});
}

/// Whether it is on (0), still to come (1) or over (2).
const stage = ({starts_on: from, ends_on: to, time_zone: zone}, today = time.serviceToday(zone)) => to < today ? 2 : from <= today ? 0 : 1;

/// What was, the latest first; the rest as it comes.
const inOrder = (list) => list.map((one) => [stage(one), one]).sort(([a, one], [b, other]) =>
  a - b || (a === 2 ? -1 : 1) * (one.starts_on < other.starts_on ? -1 : one.starts_on > other.starts_on ? 1 : 0)).map(([, one]) => one);

export default class Festivals {
  pane = new Pane('festivals');

  get waiting() { return !this.list && !this.error; }
  update(ctx) { this.ctx = ctx; if (!this.list) this.load(); else ctx.refresh(); }

  load() {
    return load(this, async () => {
      const answer = await this.pane.ask('/festivals');
      this.list = inOrder(answer.data);
      this.kept = answer.kept;
    });
  }

  retry() { this.load(); }
  woke() { this.load(); }
  leave() { this.pane.cancel(); }
  title() { return t('tab.festivals'); }
  heard(name) { if (name === 'reset') this.load(); }

  render() {
    return h('div.festivals', {'data-key': 'festivals'}, h('h1', t('festival.all')),
      this.error && !this.list ? parts.failure(this.error)
        : !this.list ? h('ul.fests', {'aria-hidden': 'true'}, [1, 2].map(() => h('li.ghost', h('p.bar'), h('p.bar.short'))))
          : !this.list.length ? parts.notice('empty', t('festival.none'), t('festival.none.text'))
            : h('ul.fests', this.list.map((festival) => this.row(festival))));
  }

  row(festival) {
    const {title, original_title: other} = readable(festival);
    const at = stage(festival);
    return h('li', {'data-key': festival.id}, h('a.fest', {href: '/festivals/' + festival.id},
      h('span.fest-n', {lang: parts.langOf(title)}, title), other && h('span.orig', {lang: parts.langOf(other)}, other),
      h('span.facts', parts.dotted([span(festival), parts.tongue(festival.city)])),
      h('span.fest-s', at === 0 && h('span.demo.now', t('festival.now')), at === 2 && h('span.demo', t('festival.past')), festival.demo && h('span.demo', t('demo')))));
  }
}
