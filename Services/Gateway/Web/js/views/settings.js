// Settings: language, look, place, keys, and what is kept about somebody.
import {h, icon} from '../dom.js';
import {t, lang, languages} from '../i18n.js';
import {memory} from '../env.js';
import {get, post, patch, remove} from '../api.js';
import * as geo from '../geo.js';
import * as store from '../bookmarks.js';
import {toast} from '../parts.js';
import {setTheme, setText, setLanguage} from '../app.js';
import Import from './import.js';

const names = {ko: '한국어', ja: '日本語', en: 'English'};

export default class Settings {
  get waiting() { return false; }
  update(ctx) {
    this.ctx = ctx;
    this.import ??= new Import(() => this.ctx.refresh());
    ctx.refresh();
    if (store.hasSession()) get('/me/settings').then((kept) => { this.kept = kept; ctx.refresh(); }).catch(() => {});
  }

  // Another device chose.
  heard(name) { if (name === 'settings.changed' || name === 'reset') this.update(this.ctx); }
  title() { return t('tab.settings'); }

  actions = {
    language(input) { setLanguage(input.value); },
    look(input) { setTheme(input.value); },
    text(input) { setText(input.value); },
    keys(input) { memory.set('keys', input.checked); },
    forgetPlace() {
      memory.set('place', null);
      memory.set('follow', null);
      geo.stop();
      document.cookie = 'at=; path=/; max-age=0';
      toast(t('set.placeForgotten'));
      this.ctx.refresh();
    },
    async export() {
      try {
        const data = await get('/me/export');
        const link = h('a', {download: 'odi.json'});
        link.href = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], {type: 'application/json'}));
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
      } catch (error) { toast(t(error.offline ? 'error.offline' : 'error.server')); }
    },
    bring(input) { return this.import.take(input); },
    async history(input) {
      this.wanted = input.checked;
      // One choice after the other: the last one must reach the server last.
      if (this.choosing) return;
      this.choosing = true;
      let wanted;
      do {
        wanted = this.wanted;
        try {
          // Where what was looked at cannot be removed, nothing has been chosen yet, here and on other devices.
          if (!wanted) await remove('/me/views');
          if (this.wanted !== wanted) continue;
          this.kept = await patch('/me/settings', {keeps_history: wanted});
          // What another tab sent in between.
          if (!wanted) await remove('/me/views');
        } catch (error) { if (this.wanted === wanted) toast(t(error.offline ? 'error.offline' : 'error.server')); }
      } while (this.wanted !== wanted);
      this.choosing = false;
      this.wanted = undefined;
      this.ctx.refresh();
    },
    async pair() {
      try {
        this.code = await store.asSomebody(() => post('/me/pairing', {}));
      } catch (error) { toast(t(error.offline ? 'error.offline' : 'error.server')); }
      this.ctx.refresh();
    },
    async join(form) {
      const code = form.code.value.trim();
      // Each try counts: a code sent twice would be wrong the second time.
      if (!code || this.joining) return;
      this.joining = true;
      try {
        await store.join(code);
        form.reset();
        // A code that was shown here was for who this browser was before.
        this.code = null;
        toast(t('pair.done'));
      } catch (error) {
        toast(t(error.offline ? 'error.offline' : error.status === 429 ? 'error.busy' : error.status >= 500 ? 'error.server' : 'pair.wrong'));
      }
      this.joining = false;
      this.update(this.ctx);
    },
    erase() { this.asking = true; this.ctx.refresh(); },
    keep() { this.asking = false; this.ctx.refresh(); },
    async reallyErase() {
      try {
        await remove('/me');
        store.forget();
        this.code = this.kept = null;
        toast(t('set.erased'));
      } catch (error) { toast(t(error.offline ? 'error.offline' : 'error.server')); }
      this.asking = false;
      this.ctx.refresh();
    },
  };

  radios(name, action, values, current, label) {
    return h('fieldset', h('legend', label), h('div.seg', values.map(([value, text, code]) =>
      h('label', h('input', {type: 'radio', name, value, checked: value === current, 'data-on-change': action}), h('span', {lang: code}, text)))));
  }

  render() {
    const {theme = 'auto', text = 'usual'} = document.documentElement.dataset;
    return h('div.settings', {'data-key': 'settings'}, doors(), h('h1', t('tab.settings')),
      this.radios('lang', 'language', languages.map((code) => [code, names[code], code]), lang, t('set.language')),
      this.radios('theme', 'look', ['auto', 'light', 'dark'].map((v) => [v, t('theme.' + v)]), theme, t('set.theme')),
      this.radios('text', 'text', ['usual', 'large', 'largest'].map((v) => [v, t('text.' + v)]), text, t('set.text')),
      h('section', h('h2', t('set.place')), h('p', geo.here.mine ? t('place.mine') : geo.here.names?.[lang] ?? (geo.here.byDefault && geo.here.name || t(geo.here.byDefault ? 'place.default' : 'place.point')), ' ', h('span.small', `${geo.here.lat}, ${geo.here.lon}`)), h('p.small', t('place.privacy')),
        !geo.here.byDefault && h('button.btn', {type: 'button', 'data-do': 'forgetPlace'}, t('set.forgetPlace'))),
      h('section', h('h2', t('keys')), h('label.check', h('input', {type: 'checkbox', checked: memory.get('keys') !== false, 'data-on-change': 'keys'}), h('span', t('set.keys'))),
        h('button.btn', {type: 'button', 'data-do': 'help'}, t('set.keysAll'))),
      this.devices(),
      this.import.render(),
      h('section', h('h2', t('set.data')), h('p', t('set.data.text')), store.hasSession()
        ? h('p.doing', h('button.btn', {type: 'button', 'data-do': 'export'}, t('set.export')), this.asking
          ? [h('button.btn.danger', {type: 'button', 'data-do': 'reallyErase'}, t('set.eraseYes')), h('button.btn', {type: 'button', 'data-do': 'keep'}, t('set.eraseNo'))]
          : h('button.btn', {type: 'button', 'data-do': 'erase'}, t('set.erase')))
        : h('p.small', t('set.nothing')),
      store.hasSession() && h('label.check', h('input', {type: 'checkbox', checked: this.wanted ?? this.kept?.keeps_history !== false, 'data-on-change': 'history'}), h('span', t('set.history')))));
  }

  /// The same marks on two devices, without an account: one shows a code, the other takes it.
  devices() {
    const {code} = this;
    return h('section', h('h2', t('pair')), h('p', t('pair.text')),
      code && Date.parse(code.expires_at) > Date.now()
        ? h('p', {role: 'status'}, h('b.pair-code', code.code.replace(/(.{4})(?=.)/g, '$1 ')), h('span.small', t('pair.until', {n: Math.ceil((Date.parse(code.expires_at) - Date.now()) / 60_000)})))
        : h('button.btn', {type: 'button', 'data-do': 'pair'}, t('pair.show')),
      h('form.pair', {'data-do': 'join'}, h('label', {for: 'code'}, t('pair.enter')),
        h('div', h('input', {id: 'code', name: 'code', 'data-keep': 'code', autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', maxlength: '40'}), h('button.btn', t('pair.join')))));
  }
}

/// Where else one can go, for screens on which the tabs have no room for it.
const doors = () => h('ul.doors', {'aria-label': t('tab.more')}, [['festivals', 'festival'], ['radio', 'radio'], ['search', 'search'], ['status', 'status']].map(([name, picture]) =>
  h('li', h('a', {href: '/' + name}, icon(picture), h('span', t('tab.' + name))))));
