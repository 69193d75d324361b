// Radio: something to hear on the way. Stations by section, those that somebody likes first, and when to fall asleep.
import {h} from '../dom.js';
import {t, has} from '../i18n.js';
import {Pane, get, isAbort} from '../api.js';
import * as bookmarks from '../bookmarks.js';
import * as parts from '../parts.js';
import * as pieces from '../pieces.js';
import * as player from '../player.js';

const liked = 'favourites/station/';

export default class Radio {
  pane = new Pane('radio');
  said = [];

  get waiting() { return !this.sections && !this.error; }

  update(ctx) {
    this.ctx = ctx;
    if (!this.sections) this.load(); else ctx.refresh();
    this.ear ??= player.onChange(() => this.ctx.refresh());
  }

  async load() {
    bookmarks.listBelow(liked, async (options) => (await get('/me/favourites?kind=station&limit=100', options)).data.map((item) => item.id)).catch(() => {});
    try {
      const answer = await this.pane.ask('/stations');
      const said = this.sections ? [] : [...this.said];
      this.sections = answer.data.filter((section) => section.id !== 'favourites').map((section) => ({...section, title: has('radio.of.' + section.id) ? t('radio.of.' + section.id) : parts.nameOf(section)}));
      this.kept = answer.kept;
      this.error = null;
      for (const [name, data] of said) this.heard(name, data);
      player.listed(this.from());
    } catch (error) {
      if (isAbort(error)) return;
      this.error = error;
    }
    this.ctx.refresh();
  }

  retry() { this.load(); }
  woke() { this.load(); }
  leave() { this.pane.cancel(); this.ear?.(); this.ear = null; }
  title() { return t('tab.radio'); }
  topics() { return ['radio']; }
  heard(name, data) {
    if (name === 'reset') this.load();
    if (!name.startsWith('radio.') || !data) return;
    // Each melody is told once: what is heard before the stations came is theirs when they come.
    if (!this.sections) { this.said.push([name, data]); return; }
    for (const station of this.sections.flatMap((section) => section.stations)) {
      if (station.id !== data.station_id) continue;
      if (name === 'radio.now_playing') station.now_playing = data.now_playing ?? data;
      station.state = data.state ?? (name === 'radio.down' ? 'down' : 'alive');
    }
    this.ctx.refresh();
  }

  key(event) { return player.key(event); }

  actions = {
    station(button) {
      const {id, section} = button.dataset;
      const list = this.from(section);
      player.toggle(list.find((station) => station.id === id), list);
    },
    sleep(button) { player.sleep(button.dataset.min === 'end' ? 'end' : Number(button.dataset.min)); },
    find(input) { this.words = input.value; this.ctx.refresh(); },
    search() { /* what is typed is found at once */ },
  };

  /// Sections with what was looked for; those that somebody likes come first.
  rows(sought = this.words) {
    const words = (sought ?? '').trim().toLowerCase();
    const fits = (station) => [station.name, station.name_en, station.description, ...(station.tags ?? []), ...(station.other_tags ?? [])].some((text) => text?.toLowerCase().includes(words));
    const all = new Map(this.sections.flatMap((section) => section.stations).map((station) => [station.id, station]));
    const mine = bookmarks.markedBelow(liked).map((id) => all.get(id)).filter(Boolean);
    return [mine.length > 0 && {id: 'favourites', title: t('radio.favourites'), stations: mine}, ...this.sections].filter(Boolean)
      .map((section) => ({...section, stations: words ? section.stations.filter(fits) : section.stations})).filter((section) => section.stations.length);
  }

  /// All that may be played, from a section on: after its last station comes the next section's first.
  from(section) {
    const rows = this.rows(''), at = Math.max(0, rows.findIndex((row) => row.id === section));
    return [...new Map([...rows.slice(at), ...rows.slice(0, at)].flatMap((row) => row.stations).filter(mayPlay).map((station) => [station.id, station])).values()];
  }

  render() {
    const many = this.sections?.reduce((sum, section) => sum + section.stations.length, 0) > 8;
    return h('div.radio', {'data-key': 'radio'}, h('h1', t('tab.radio')),
      many && h('form.find.js', {role: 'search', 'data-do': 'search'}, h('label.vh', {for: 'radio-q'}, t('radio.find')),
        h('input', {id: 'radio-q', type: 'search', placeholder: t('radio.find'), autocomplete: 'off', 'data-on-input': 'find', value: this.words ?? ''})),
      player.on.station && this.sleep(),
      this.error && !this.sections ? parts.failure(this.error)
        : !this.sections ? h('ul.stations', {'aria-hidden': 'true'}, [1, 2, 3, 4, 5, 6].map(() => h('li.ghost.station', h('span.poster'), h('div', h('p.bar'), h('p.bar.short')))))
          : this.list());
  }

  /// When to fall silent.
  sleep() {
    const left = player.on.sleepAt;
    const choice = (value, text, current) => h('button.pill', {type: 'button', 'data-do': 'sleep', 'data-min': value, 'aria-pressed': String(Boolean(current))}, text);
    return h('div.choice.sleep', {role: 'group', 'aria-label': t('radio.sleep')}, h('span.small', {'aria-hidden': 'true'}, t('radio.sleep')),
      player.minutes.map((n) => choice(n, t('dur.min', {n}))), player.on.now?.ends_at && choice('end', t('radio.sleepEnd'), player.on.programme),
      left && [choice(0, t('radio.sleepOff')), h('span.small', {role: 'timer'}, player.sleepLeft())]);
  }

  list() {
    const rows = this.rows();
    if (!rows.length) return parts.notice('empty', t(this.words ? 'radio.nothing' : 'radio.none'), t(this.words ? 'search.none.text' : 'radio.none.text'));
    return [rows.map((section) => h('section', {'data-key': 's-' + section.id, 'aria-labelledby': 's-' + section.id}, h('h2', {id: 's-' + section.id}, section.title),
      h('ul.stations', section.stations.map((station) => this.station(station, section))))), pieces.keptNote(this.kept)];
  }

  station(station, section) {
    const {on} = player;
    const mine = on.station?.id === station.id;
    const busy = mine && (on.state === 'playing' || on.state === 'loading');
    const down = station.state === 'down' || (mine && on.state === 'dead');
    // That it is dead stands below, with what to do.
    const about = mine && !['idle', 'dead'].includes(on.state) ? player.stateText() : station.now_playing?.title ?? station.description ?? (station.tags ?? []).join(' · ');
    return h('li.station' + (mine ? '.on' : ''), {'data-key': station.id}, sign(station),
      h('div', h('h3', {lang: parts.langOf(parts.nameOf(station))}, station.website ? h('a', {href: station.website, target: '_blank', rel: 'noopener'}, parts.nameOf(station)) : parts.nameOf(station), station.demo && [' ', h('span.demo', t('demo'))]),
        h('p.small', {lang: parts.langOf(about)}, about),
        down && h('p.small.dead', t('radio.dead'), ' ', mine && player.hasNext() && h('button.plain', {type: 'button', 'data-do': 'radioNext'}, t('radio.next')))),
      pieces.heart(liked + station.id, parts.nameOf(station), t('radio.like', {name: parts.nameOf(station)})),
      mayPlay(station) && h('button.tool.play.js', {type: 'button', 'data-do': 'station', 'data-id': station.id, 'data-section': section.id,
        'aria-label': t(busy ? 'radio.pause' : 'radio.play', {name: parts.nameOf(station)})}, player.playIcon(mine ? on.state : 'idle')));
  }
}

/// One that may only be linked to is heard elsewhere.
const mayPlay = (station) => station.rights?.use !== 'link';

/// A station's sign: its first letter on a colour of its own, as posters have it.
function sign(station) {
  const seed = parts.hash(station.id);
  return h(`span.poster.sign.c${seed % 10}.m${(seed >>> 8) % 6}`, {'aria-hidden': 'true'}, h('span.p-t', [...parts.nameOf(station)][0]));
}
