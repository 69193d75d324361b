// Festivals: those that are on, those to come, and at the end those that were.
import {h} from '../dom.js';
import {t} from '../i18n.js';
import {Pane, isAbort} from '../api.js';
import * as time from '../time.js';
import * as parts from '../parts.js';

/// A session or a festival with the title in front that this reader can read, and the other behind it.
export const readable = (told) => ({...told, ...parts.readable({title: told.title ?? told.name, original_title: told.subtitle})});

/// "20 Nov – 22 Nov", or one day.
export function span(festival) {
  const from = festival.starts_on ?? festival.days?.[0], to = festival.ends_on ?? festival.days?.at(-1);
  return !from ? '' : from === to || !to ? time.longDate(from) : t('festival.span', {from: time.longDate(from), to: time.longDate(to)});
}

export default class Festivals {
  pane = new Pane('festivals');

  get waiting() { return !this.list && !this.error; }
  update(ctx) { this.ctx = ctx; if (!this.list) this.load(); else ctx.refresh(); }

  async load() {
    try {
      const answer = await this.pane.ask('/festivals');
      this.list = answer.data;
      this.kept = answer.kept;
      this.error = null;
    } catch (error) {
      if (isAbort(error)) return;
      this.error = error;
    }
    this.ctx.refresh();
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
    const today = time.serviceToday(festival.time_zone);
    const isOn = festival.starts_on <= today && today <= festival.ends_on;
    return h('li', {'data-key': festival.id}, h('a.fest', {href: '/festivals/' + festival.id},
      h('span.fest-n', {lang: parts.langOf(title)}, title), other && h('span.orig', {lang: parts.langOf(other)}, other),
      h('span.facts', parts.dotted([span(festival), parts.tongue(festival.city)])),
      h('span.fest-s', isOn && h('span.demo.now', t('festival.now')), festival.demo && h('span.demo', t('demo')))));
  }
}
