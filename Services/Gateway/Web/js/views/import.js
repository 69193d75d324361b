// A list from elsewhere: a file is chosen, the server saves what it knows, and what came of each line is told.
import {h} from '../dom.js';
import {has, t} from '../i18n.js';
import {post} from '../api.js';
import * as store from '../bookmarks.js';
import * as parts from '../parts.js';

/// The server looks up thousands of names.
const patience = 60_000;
/// Lines that are shown of each kind; of more, the number says enough.
const shown = 200;
const titles = {taken: 'import.taken', known: 'import.known', not_found: 'import.missing', refused: 'import.refused'};
/// What somebody can do something about stands first, and open.
const order = ['not_found', 'refused', 'taken', 'known'];

export default class Import {
  constructor(refresh) { this.refresh = refresh; }

  /// One file at a time; what came of the one before is told until then.
  async take(input) {
    const [file] = input.files;
    input.value = '';
    if (!file || this.name) return;
    Object.assign(this, {name: file.name, answer: null, problem: null});
    this.refresh();
    const isJSON = /\.json$/i.test(file.name) || file.type === 'application/json';
    try {
      const raw = new Blob([await file.arrayBuffer()], {type: isJSON ? 'application/json' : 'text/csv'});
      const headers = {'Idempotency-Key': crypto.randomUUID?.() ?? String(Math.random())};
      this.answer = await store.asSomebody(() => post('/me/bookmarks/import', undefined, {raw, headers, patience}));
      await store.list().catch(() => {});
    } catch (error) { this.problem = error; }
    this.name = null;
    this.refresh();
  }

  render() {
    return h('section', h('h2', t('import')), h('p', t('import.text')),
      h('label.btn.file', h('input.vh', {type: 'file', accept: '.json,.csv,application/json,text/csv', 'data-on-change': 'bring'}), t('import.choose')),
      h('div.brought', {role: 'status'}, this.word()), this.answer && this.lines(this.answer.rows));
  }

  /// How far it is, or what came of it, in one sentence.
  word() {
    const {name, answer, problem} = this;
    if (name) return h('p', t('import.reading', {name}));
    if (problem) return this.failed(problem);
    if (!answer) return null;
    const counts = Object.entries(titles).map(([kind, title]) => [title, of(answer.rows, kind).length]).filter(([, n]) => n);
    return h('p', counts.length ? counts.map(([title, n]) => t(title, {n})).join(' · ') : t('import.nothing'));
  }

  /// The server's own words where it has some: what is wrong with the file, or that no more can be kept.
  failed({offline, status, body}) {
    const refused = status >= 400 && status < 500 && status !== 413;
    const why = refused && (body?.errors?.[0] ?? body);
    return [h('p', t(offline ? 'error.offline' : status === 413 ? 'import.large' : refused ? 'import.wrong' : 'error.server')),
      why?.detail && h('p.small', {lang: 'en'}, [why.pointer, why.detail].filter(Boolean).join(': '))];
  }

  lines(rows) {
    return order.map((kind) => {
      const [found, title] = [of(rows, kind), titles[kind]];
      if (!found.length) return null;
      const list = [h('ul.brought', found.slice(0, shown).map((row) => line(row))), found.length > shown && h('p.small', t('import.more', {n: found.length - shown}))];
      return kind === 'not_found' || kind === 'refused'
        ? h('div', {'data-key': kind}, h('h3', t(title, {n: found.length})), list)
        : h('details.brought', {'data-key': kind}, h('summary', t(title, {n: found.length})), list);
    });
  }
}

const of = (rows, kind) => rows.filter((row) => row.outcome === kind);

function line(row) {
  const id = row.film_id ?? row.id;
  const name = row.title ?? id ?? '';
  const place = row.line ? t('import.line', {n: row.line}) : t('import.place', {n: Number(row.pointer?.split('/').pop()) + 1});
  const words = {lang: parts.langOf(name)};
  return h('li', h('span.small', place), ' ',
    row.film_id && row.outcome !== 'not_found' ? h('a', {href: '/films/' + row.film_id, ...words}, name) : h('b', words, name),
    row.outcome === 'refused' && why(row),
    row.outcome === 'not_found' && (row.did_you_mean ? [h('p.small', t('import.meant')), h('ul', row.did_you_mean.map(meant))] : h('p.small', t('import.unknown'))));
}

/// Why a line was refused: in words of ours, or the server's own for a reason that is newer than this page.
const why = ({reason, detail}) => has('import.why.' + reason) ? h('p.small', t('import.why.' + reason)) : h('p.small', {lang: 'en'}, detail);

/// A film that may be meant, with its mark.
const meant = ({film_id: id, title, year}) => h('li', h('span', h('a', {href: '/films/' + id, lang: parts.langOf(title)}, title), year && ` (${year})`), parts.want({id, title}));
