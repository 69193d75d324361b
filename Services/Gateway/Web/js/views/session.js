// A session of a festival: what it is, when, where, and whether it goes together with what else was chosen.
import {h} from '../dom.js';
import {t} from '../i18n.js';
import {Pane, get, isAbort, isOffline, load, query} from '../api.js';
import * as time from '../time.js';
import * as parts from '../parts.js';
import * as pieces from '../pieces.js';
import {agendaPath, flags, sessionsOf, speakers} from './festival.js';
import {readable} from './festivals.js';

/// What the kept days of a festival say of a session, for who was not at its own page while there was a network.
async function ofKeptDays(festival, id) {
  for (const day of festival?.days ?? []) {
    const answer = await get(`/festivals/${festival.id}/timetable` + query({day: day.date ?? day})).catch(() => null);
    const found = answer && sessionsOf(answer).find((session) => session.id === id);
    if (found) return Object.defineProperty(found, 'kept', {value: answer.kept});
  }
  return null;
}

export default class Session {
  pane = new Pane('session');
  /// The network was asked and did not answer: what is shown is a copy.
  isLost = false;

  get waiting() { return !this.session && !this.error; }
  get address() { return `/festivals/${this.ctx.id}/sessions/${this.ctx.part}`; }
  update(ctx) { this.ctx = ctx; if (!this.session) this.load(); else ctx.refresh(); }

  load() {
    return load(this, async () => {
      const [session, festival] = await Promise.allSettled([this.pane.ask(this.address), get('/festivals/' + this.ctx.id)]);
      if (isAbort(session.reason)) throw session.reason;
      this.festival = festival.value ?? this.festival;
      const kept = session.reason?.offline && !this.session && await ofKeptDays(this.festival, this.ctx.part);
      if (session.reason && !kept) throw session.reason;
      this.session = session.value ?? kept;
      if (kept) this.isLost = true; else if (!this.session.kept) this.isLost = false;
    });
  }

  retry() { this.load(); }
  woke() { this.load(); }
  lost(address) { if (new URL(address, location.href).pathname === '/v1' + this.address) { this.isLost = true; this.ctx.refresh(); } }
  leave() { this.pane.cancel(); }
  title() { return this.session && readable(this.session).title; }
  topics() { return ['festival:' + this.ctx.id]; }
  heard(name, data) { if (name === 'reset' || (data?.festival_id === this.ctx.id && data.session_ids?.includes(this.ctx.part))) this.load(); }

  render() {
    const {session} = this;
    if (this.error && !(session && this.error.passes)) return h('div.film-page', h('h1.vh', t('session')), parts.failure(this.error));
    if (!session) return h('div.film-page', h('h1.vh', t('session')), h('div.ghost', {'aria-hidden': 'true'}, h('p.bar'), h('p.bar.short'), h('p.bar')));
    const when = [time.longDate(session.starts_at.slice(0, 10)), session.ends_at ? t('festival.span', {from: time.clockTime(session.starts_at), to: time.clockTime(session.ends_at)}) : time.clockTime(session.starts_at)].join(' ');
    const rooms = session.screens.map((id) => this.festival?.screens?.find((screen) => screen.id === id)?.name ?? id).join(', ');
    const {title, original_title: other} = readable(session);
    const mark = agendaPath(this.ctx.id) + this.ctx.part;
    const text = session.abstract ?? session.description;
    return h('article.film-page', {'data-key': session.id},
      this.festival && h('p.hero-k', h('a', {href: '/festivals/' + this.ctx.id}, parts.tongue(readable(this.festival).title))),
      h('h1', {lang: parts.langOf(title)}, title), other && h('p.orig', {lang: parts.langOf(other)}, other),
      h('p.facts', parts.dotted([when, parts.tongue(rooms), ...flags(session), parts.tongue(session.kind), /^[a-z]{2,3}$/.test(session.language ?? '') ? parts.languageName(session.language) : parts.tongue(session.language)])),
      h('p.doing', parts.want({id: mark, title}, {words: true}), h('a.btn', {href: `/v1${this.address}.ics`, download: true}, t('link.add')),
        session.film_id && h('a.btn', {href: '/films/' + session.film_id}, t('film'))),
      text && h('div.synopsis', {lang: parts.langOf(text)}, (session.prose ?? [{kind: 'paragraph', lines: [[{text}]]}]).map(prose)),
      session.speakers?.length > 0 && h('dl.people', h('div', h('dt', t('session.speakers')), h('dd', speakers(session)),
        session.speakers.filter((one) => one.about).map(({name, about}) => h('dd.small', {lang: parts.langOf(about)}, h('b', name), ' ', about)))),
      session.url && h('ul.links', h('li', h('a', {href: session.url, target: '_blank', rel: 'noopener'}, t('link.website')))),
      (this.isLost || isOffline()) && pieces.keptNote(session.kept));
  }
}

/// A part of what a festival wrote, as the server read it.
function prose({kind, lines}) {
  const written = lines.map((runs) => runs.map(({text, url, strong, emphasis}) => {
    const stressed = emphasis ? h('em', text) : text;
    const piece = strong ? h('strong', stressed) : stressed;
    return url ? h('a', {href: url, target: '_blank', rel: 'noopener nofollow'}, piece) : piece;
  }));
  if (kind === 'list' || kind === 'numbered_list') return h(kind === 'list' ? 'ul' : 'ol', written.map((line) => h('li', line)));
  return h(kind === 'heading' ? 'h2' : 'p', written.map((line, n) => [n > 0 && h('br'), line]));
}
