// The door of a festival: who works there lets people in, each ticket once.
import {h} from '../dom.js';
import {t} from '../i18n.js';
import {Pane, load, post, readCode} from '../api.js';
import * as parts from '../parts.js';
import {readable} from './festivals.js';

/// A member of staff's token is this tab's alone, and gone with it: the next who takes the phone has none.
const tokens = {
  get(festival) { try { return sessionStorage.getItem('odi.staff.' + festival); } catch { return null; } },
  set(festival, token) {
    try { token ? sessionStorage.setItem('odi.staff.' + festival, token) : sessionStorage.removeItem('odi.staff.' + festival); }
    catch { /* without a memory it is asked for again */ }
  },
};

export default class Door {
  pane = new Pane('door');
  /// What came of the newest ticket: {kind, text}.
  word = null;

  get waiting() { return !this.festival && !this.error; }
  update(ctx) {
    this.ctx = ctx;
    this.token ??= tokens.get(ctx.id);
    if (!this.festival) this.load(); else ctx.refresh();
  }

  load() {
    return load(this, async () => {
      this.festival = await this.pane.ask('/festivals/' + this.ctx.id);
    });
  }

  retry() { this.load(); }
  leave() { this.pane.cancel(); }
  title() { return t('door'); }

  actions = {
    begin(form) {
      const token = form.token.value.trim();
      form.reset();
      // What no header can carry is no token either.
      if (!/^[!-~]{1,200}$/.test(token)) this.word = {kind: 'error', title: t('door.wrong')};
      else { this.word = null; this.take(token); }
      this.ctx.refresh();
    },
    end() { this.word = null; this.take(null); this.ctx.refresh(); },
    async show(form) {
      const code = form.code.value.trim();
      if (code && await this.admit(code)) form.reset();
      form.code.focus();
    },
    async scan(input) {
      const [file] = input.files;
      input.value = '';
      if (!file) return;
      try {
        const code = await readCode(file);
        if (code) { await this.admit(code); return; }
        parts.toast(t('qr.none'));
      } catch (error) { parts.toast(t(error.offline ? 'error.offline' : error.status === 413 ? 'qr.large' : 'qr.none')); }
    },
    again() { this.admit(this.sent.code); },
  };

  take(token) {
    this.token = token;
    tokens.set(this.ctx.id, token);
  }

  /// One ticket after the other. Returns whether it is known what came of it.
  async admit(code) {
    if (this.asking) return false;
    this.asking = true;
    // A ticket whose answer was lost is asked about again with the same key: whom it let in is not turned away.
    if (this.sent?.code !== code) this.sent = {code, key: crypto.randomUUID?.() ?? String(Math.random())};
    const headers = {'X-Odi-Staff': this.token, 'Idempotency-Key': this.sent.key};
    this.ctx.refresh();
    try {
      this.word = {kind: 'good', title: t('door.admitted'), text: holder(await post(`/festivals/${this.ctx.id}/checkins`, {code}, {headers}))};
      this.sent = null;
    } catch (error) { this.refused(error); }
    this.asking = false;
    this.ctx.refresh();
    return !this.sent;
  }

  refused({status, body, passes}) {
    if (passes) { this.word = {kind: 'error', title: t('door.lost'), text: t('door.lost.text'), again: true}; return; }
    this.sent = null;
    if (status === 403) this.take(null);
    this.word = status === 409 && body?.admitted === false
      ? {kind: 'error', title: t('door.shown'), text: [since(body), holder(body)].filter(Boolean).join(' · ')}
      : {kind: 'error', title: t(status === 403 ? 'door.wrong' : status === 404 ? 'door.unknown' : 'door.odd')};
  }

  render() {
    const {festival, error, token} = this;
    if (error && !(festival && error.passes)) return h('div', h('h1.vh', t('door')), parts.failure(error));
    if (!festival) return h('div', h('h1.vh', t('door')), h('p.ghost.bar', {'aria-hidden': 'true'}));
    return h('div.settings', {'data-key': 'door'}, h('p.hero-k', h('a', {href: '/festivals/' + this.ctx.id}, parts.tongue(readable(festival).title))),
      h('h1', t('door')), this.outcome(), token ? this.desk() : login());
  }

  /// Heard as well as seen.
  outcome() {
    const {word} = this;
    return h('div', {role: 'status'}, this.asking ? h('p', t('door.asking')) : word && h('div.notice.' + word.kind, h('p.notice-t', word.title), word.text && h('p', word.text),
      word.again && h('p.doing', h('button.btn', {type: 'button', 'data-do': 'again'}, t('retry')))));
  }

  desk() {
    return [h('form.pair', {'data-key': 'desk', 'data-do': 'show'}, h('label', {for: 'ticket'}, t('door.code')),
      h('div', h('input', {id: 'ticket', name: 'code', 'data-keep': 'ticket', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: '512'}), h('button.btn', t('door.admit')))),
    h('p.doing', {'data-key': 'more'}, h('label.btn.file', h('input.vh', {type: 'file', accept: 'image/png,image/jpeg,image/webp', capture: 'environment', 'data-on-change': 'scan'}), t('qr.scan')),
      h('button.btn', {type: 'button', 'data-do': 'end'}, t('door.end')))];
  }
}

const login = () => [h('p', {'data-key': 'why'}, t('door.text')), h('form.pair', {'data-key': 'login', 'data-do': 'begin'}, h('label', {for: 'token'}, t('door.token')),
  h('div', h('input', {id: 'token', name: 'token', 'data-keep': 'token', type: 'password', autocomplete: 'off', maxlength: '200'}), h('button.btn', t('door.begin'))))];

/// How long ago a ticket was shown, and to whom.
function since({checked_in_at: at, staff: name}) {
  const n = Math.floor((Date.now() - Date.parse(at)) / 60_000);
  return n < 1 ? t('door.since.now', {name}) : n < 60 ? t('door.since.min', {n, name}) : t('door.since.hours', {n: Math.floor(n / 60), name});
}

/// Whose ticket it is, and of which kind.
const holder = ({holder, kind}) => [holder, kind].filter(Boolean).join(' · ');
