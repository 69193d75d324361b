// The map: coasts, rivers and cinemas, drawn by us, without tiles. The list beside it says the same in the same order.
import {h} from '../dom.js';
import {t, lang} from '../i18n.js';
import {base} from '../env.js';
import {Pane, isAbort, query} from '../api.js';
import * as geo from '../geo.js';
import * as time from '../time.js';
import * as parts from '../parts.js';
import {emptyDay, cinemaFacts} from './nearby.js';

const tile = 256;
const nearest = 14.5;
const farthest = 4;
/// Markers closer than this are one.
const crowd = 34;
/// What the buttons take of the map's upper right corner.
const keysWide = 58, keysHigh = 200;
/// Marks so near to the map's edge are cut off by it.
const edge = 10;

/// Web Mercator, in pixels of zoom 0.
const project = ({lat, lon}) => {
  const s = Math.sin(Math.max(-85, Math.min(85, lat)) * Math.PI / 180);
  return {x: (lon + 180) / 360 * tile, y: (0.5 - Math.log((1 + s) / (1 - s)) / (4 * Math.PI)) * tile};
};

/// The ring's numbers are differences, in parts of a degree.
function pathOf(ring, scale, close) {
  let lon = 0, lat = 0, text = '';
  for (let i = 0; i < ring.length; i += 2) {
    lon += ring[i]; lat += ring[i + 1];
    const p = project({lat: lat / scale, lon: lon / scale});
    text += (i ? 'L' : 'M') + p.x.toFixed(4) + ' ' + p.y.toFixed(4);
  }
  return close ? text + 'Z' : text;
}

/// When a cinema begins next, or why it does not.
const nextOf = (c) => c.next_showtime ? [t('map.next', {time: time.nextTime(c.next_showtime)}), time.strangeZone(c.time_zone)].filter(Boolean).join(' · ') : c.open_today === undefined ? t('day.unknown') : t(c.open_today ? 'card.done' : 'card.closed');

export default class MapView {
  pane = new Pane('map');
  one = new Pane('map-cinema');
  schedule = new Pane('schedule');
  known = new Map();
  details = new Map();
  centre = project(geo.here);
  zoom = 11.5;

  get waiting() { return !this.cinemas && !this.error; }

  update(ctx) {
    this.ctx = ctx;
    if (!this.cinemas) this.load();
    this.choose(ctx.params.get('cinema'), ctx.params.get('date'));
  }

  async load() {
    if (!this.land) {
      fetch(base + '/map/base.json').then((r) => r.json()).then((map) => {
        this.land = map.land.map((ring) => pathOf(ring, 100, true)).join('');
        this.rivers = map.rivers.map((ring) => pathOf(ring, 1000, false)).join('');
        this.places = map.places;
        this.ctx.refresh();
      }).catch(() => { this.noLand = true; this.ctx.refresh(); });
    }
    try {
      const isFirst = !this.cinemas;
      const answer = await this.pane.ask('/cinemas.geojson');
      this.cinemas = answer.features.map((f) => ({id: f.id ?? f.properties.id, ...f.properties, lat: f.geometry.coordinates[1], lon: f.geometry.coordinates[0]}));
      for (const cinema of this.cinemas) {
        cinema.p = project(cinema);
        cinema.distance_m = Math.round(geo.metres(geo.here, cinema));
      }
      this.cinemas.sort((a, b) => a.distance_m - b.distance_m);
      this.error = null;
      this.choose(this.ctx.params.get('cinema'), this.ctx.params.get('date'), isFirst);
    } catch (error) {
      if (isAbort(error)) return;
      this.error = error;
    }
    this.ctx.refresh();
  }

  async choose(id, date, first) {
    if (!id) {
      for (const pane of [this.one, this.schedule]) pane.cancel();
      this.chosen = null;
      this.ctx.refresh();
      return;
    }
    if (this.chosen !== id && this.cinemas) {
      const cinema = this.cinemas.find((c) => c.id === id);
      if (cinema && (first || !this.inside(cinema))) { this.centre = {...cinema.p}; this.zoom = Math.max(this.zoom, 12); }
    }
    this.chosen = id;
    this.ctx.refresh();
    // What failed is kept under the day, or, of a cinema of which nothing came, under none.
    let key = id + '|';
    try {
      if (!this.details.has(id)) this.details.set(id, await this.one.ask(`/cinemas/${id}` + query({include: 'days'})));
      // Another was chosen meanwhile: its programme is asked for, not this one's.
      if (this.chosen !== id) return;
      const cinema = this.details.get(id);
      const day = date ?? this.dateOf(cinema);
      key += day;
      if (!this.known.has(key) || this.known.get(key).error) {
        this.ctx.refresh();
        const answer = await this.schedule.ask(`/cinemas/${id}/showtimes` + query({date: day}));
        this.known.set(key, {films: answer.data, as_of: answer.as_of, source: answer.source, stale: answer.stale, kept: answer.kept});
      } else this.schedule.cancel();
    } catch (error) { if (!isAbort(error)) this.known.set(key, {error}); }
    this.ctx.refresh();
  }

  dateOf(cinema) {
    const today = time.serviceToday(cinema.time_zone);
    return this.ctx.params.get('date') ?? cinema.days?.find((d) => d.date >= today)?.date ?? today;
  }

  retry() {
    if (this.one.isOld) this.details.delete(this.chosen);
    if (this.schedule.isOld) this.known.clear();
    this.load();
  }
  leave() { for (const pane of [this.pane, this.one, this.schedule]) pane.cancel(); this.watcher?.disconnect(); }
  title() { return t('tab.map'); }
  topics() { return this.chosen ? ['cinema:' + this.chosen] : []; }
  heard(name, data) { if (data?.cinema_id === this.chosen && this.chosen) { this.known.clear(); this.choose(this.chosen, this.ctx.params.get('date')); } }

  // --- Moving ---

  get scale() { return 2 ** this.zoom; }
  inside(c) { const p = this.screen(c.p); return p.x > 20 && p.y > 20 && p.x < this.w - 20 && p.y < this.h - 20; }
  screen(p) { return {x: (p.x - this.centre.x) * this.scale + this.w / 2, y: (p.y - this.centre.y) * this.scale + this.h / 2}; }
  w = 600;
  h = 500;

  move(dx, dy) { this.centre.x -= dx / this.scale; this.centre.y -= dy / this.scale; this.draw(); }

  zoomTo(zoom, at = {x: this.w / 2, y: this.h / 2}) {
    const before = {x: this.centre.x + (at.x - this.w / 2) / this.scale, y: this.centre.y + (at.y - this.h / 2) / this.scale};
    this.zoom = Math.max(farthest, Math.min(nearest, zoom));
    this.centre = {x: before.x - (at.x - this.w / 2) / this.scale, y: before.y - (at.y - this.h / 2) / this.scale};
    this.draw();
  }

  fit() {
    const all = this.cinemas ?? [];
    if (!all.length) return;
    // Another continent does not make this one small.
    const around = all.filter((c) => c.distance_m < 600_000);
    const list = around.length ? around : all;
    const xs = list.map((c) => c.p.x), ys = list.map((c) => c.p.y);
    const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    this.centre = {x: (x0 + x1) / 2, y: (y0 + y1) / 2};
    this.zoomTo(Math.log2(Math.min((this.w - 80) / Math.max(x1 - x0, 1e-6), (this.h - 80) / Math.max(y1 - y0, 1e-6))));
  }

  actions = {
    zoomIn() { this.zoomTo(this.zoom + 1); },
    zoomOut() { this.zoomTo(this.zoom - 1); },
    home() { this.centre = project(geo.here); this.zoomTo(12); },
    fit() { this.fit(); },
    pin(mark) {
      const list = mark.dataset.pins.split(' ');
      if (list.length > 1 && this.zoom < nearest - 0.1) {
        const all = this.cinemas.filter((c) => list.includes(c.id));
        this.centre = {x: all.reduce((s, c) => s + c.p.x, 0) / all.length, y: all.reduce((s, c) => s + c.p.y, 0) / all.length};
        this.zoomTo(this.zoom + 2);
      } else this.ctx.go(this.ctx.with({cinema: list[0], date: null}), {replace: true});
    },
    again() { this.choose(this.chosen, this.ctx.params.get('date')); },
    all() { this.ctx.go(this.ctx.with({cinema: null, date: null}), {replace: true}); },
  };

  key(event) {
    const step = 80;
    const move = {ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step]}[event.key];
    const onMap = event.target.closest?.('.map-box');
    const pin = event.target.closest?.('.pin');
    this.steered = onMap && (pin?.dataset.pins.split(' ')[0] ?? '-');
    if (move && onMap) { this.move(...move); return true; }
    if (event.key === 'Escape' && onMap) { document.querySelector('.map-list a')?.focus(); return true; }
    const zoom = {'+': 1, '=': 1, '-': -1}[event.key];
    // Whoever is at a mark comes nearer to that one.
    const at = pin?.transform.baseVal.getItem(0).matrix;
    if (zoom) { this.zoomTo(this.zoom + zoom, at && {x: at.e, y: at.f}); return true; }
    if (pin && (event.key === 'Enter' || event.key === ' ')) { this.actions.pin.call(this, pin); return true; }
    if (event.key === '0') { this.fit(); return true; }
    return false;
  }

  /// Fingers and wheels, once the box is there.
  after(root) {
    const box = root.querySelector('.map-box');
    // A mark that went into another leaves the focus to that one; one that left the map leaves it to the map.
    if (this.steered && document.activeElement === document.body) (box?.querySelector(`.pin[data-pins~="${this.steered}"]`) ?? box)?.focus({preventScroll: true});
    this.steered = null;
    if (!box || box === this.box) return;
    this.box = box;
    // Which mark is meant by the line of the list that somebody is at.
    for (const type of ['pointerover', 'focusin']) {
      root.querySelector('.map-side').addEventListener(type, ({target}) => {
        const id = target.closest('.map-list li')?.dataset.key;
        for (const pin of box.querySelectorAll('.pin')) pin.classList.toggle('hint', pin.dataset.pins.split(' ').includes(id));
      });
    }
    this.watcher?.disconnect();
    this.watcher = new ResizeObserver(() => { this.w = box.clientWidth; this.h = box.clientHeight; this.draw(); });
    this.watcher.observe(box);
    const fingers = new Map();
    box.addEventListener('pointerdown', (e) => { if (!e.target.closest('button')) { fingers.set(e.pointerId, e); this.dragged = 0; } });
    box.addEventListener('pointermove', (e) => {
      const last = fingers.get(e.pointerId);
      if (!last) return;
      const dx = e.clientX - last.clientX, dy = e.clientY - last.clientY;
      if (fingers.size === 2) {
        const [other] = [...fingers.values()].filter((f) => f.pointerId !== e.pointerId);
        const size = (a) => Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY);
        const frame = box.getBoundingClientRect();
        this.zoomTo(this.zoom + Math.log2(size(e) / Math.max(1, size(last))), {x: (e.clientX + other.clientX) / 2 - frame.left, y: (e.clientY + other.clientY) / 2 - frame.top});
      } else {
        this.dragged += Math.abs(dx) + Math.abs(dy);
        if (this.dragged > 4 && !box.hasPointerCapture(e.pointerId)) box.setPointerCapture(e.pointerId);
        this.move(dx, dy);
      }
      fingers.set(e.pointerId, e);
    });
    for (const end of ['pointerup', 'pointercancel']) box.addEventListener(end, (e) => fingers.delete(e.pointerId));
    box.addEventListener('click', (e) => { if (this.dragged > 4) { e.stopPropagation(); this.dragged = 0; } }, true);
    box.addEventListener('wheel', (e) => {
      e.preventDefault();
      const frame = box.getBoundingClientRect();
      this.zoomTo(this.zoom - e.deltaY / 300, {x: e.clientX - frame.left, y: e.clientY - frame.top});
    }, {passive: false});
  }

  draw() {
    if (this.drawing) return;
    this.drawing = requestAnimationFrame(() => { this.drawing = 0; this.ctx.refresh(); });
  }

  // --- Rendering ---

  render() {
    if (this.error && !this.cinemas) return h('div.map-page', h('h1', t('tab.map')), parts.failure(this.error));
    return h('div.map-page', {'data-key': 'map'},
      h('h1.vh', t('tab.map')),
      h('a.skip', {href: '#map-list'}, t('map.toList')),
      this.noLand ? null : this.picture(),
      h('section.map-side', {id: 'map-list', tabindex: '-1', 'aria-label': t('map.list')}, this.chosen ? this.card() : this.list()));
  }

  picture() {
    const k = this.scale;
    const shift = `translate(${this.w / 2 - this.centre.x * k} ${this.h / 2 - this.centre.y * k}) scale(${k})`;
    const me = this.screen(project(geo.here));
    const groups = this.groups();
    return h('div.map-box', {'data-key': 'box', tabindex: '0', role: 'application', 'aria-label': t('map.label')},
      h('svg.map', {width: this.w, height: this.h},
        h('g', {'aria-hidden': 'true', transform: shift, 'data-keep': `${this.land ? 1 : 0} ${shift}`},
          h('path.land', {d: this.land ?? '', 'vector-effect': 'non-scaling-stroke'}), h('path.river', {d: this.rivers ?? '', 'stroke-width': Math.max(1, (this.zoom - 7) * 1.5).toFixed(1), 'vector-effect': 'non-scaling-stroke'})),
        this.labels(groups),
        h('circle.me-halo', {cx: me.x, cy: me.y, r: 16}), h('circle.me', {cx: me.x, cy: me.y, r: 5.5}),
        this.marks(groups)),
      h('div.map-keys', [['zoomIn', 'plus', 'map.in'], ['zoomOut', 'minus', 'map.out'], ['home', 'near', 'map.me'], ['fit', 'globe', 'map.fit']].map(([action, name, key]) =>
        h('button.tool', {type: 'button', 'data-do': action, 'aria-label': t(key), title: t(key)}, h('svg.i', {'aria-hidden': 'true'}, h('use', {href: '#i-' + name}))))),
      h('p.map-c', 'Natural Earth'));
  }

  /// Names of places, where no mark and no other name stands.
  labels(groups) {
    const taken = groups.map(({x, y, chosen}) => ({x, y: chosen ? y - 8 : y + 24}));
    return (this.places ?? []).filter((p) => p.from <= this.zoom && (p.from > 8 || this.zoom < 10.5)).map((place) => {
      const at = this.screen(project(place));
      if (at.x < -40 || at.y < -10 || at.x > this.w + 40 || at.y > this.h + 10) return null;
      if (taken.some((o) => Math.abs(o.x - at.x) < 52 && Math.abs(o.y - at.y) < 24)) return null;
      taken.push(at);
      return h('text.label', {'aria-hidden': 'true', x: at.x, y: at.y - 12, 'data-key': 'l' + place.en}, place[lang] ?? place.en);
    });
  }

  /// Cinemas whose names have room below them. Far out, names would say less than the marks.
  named(groups) {
    const found = new Set();
    if (this.zoom < 10) return found;
    const half = (g) => [...parts.nameOf(g.list[0])].reduce((sum, c) => sum + (c > '\u1100' ? 12 : 7), 0) / 2;
    for (const g of groups.filter((one) => one.list.length === 1)) {
      const mine = half(g);
      const isFree = g.x > mine + 4 && g.x < this.w - mine - (g.y < keysHigh ? keysWide : 4) && g.y < this.h - 30 && groups.every((o) => o === g || Math.abs(o.x - g.x) > mine + 14 || Math.abs(o.y - g.y - 20) > 18)
        && [...found].every((o) => Math.abs(o.x - g.x) > mine + half(o) || Math.abs(o.y - g.y) > 16);
      if (isFree) found.add(g);
    }
    return found;
  }

  /// Cinemas on the screen; what would touch is one mark with a number.
  groups() {
    const groups = [];
    for (const cinema of this.cinemas ?? []) {
      const at = this.screen(cinema.p);
      if (at.x < -20 || at.y < -20 || at.x > this.w + 20 || at.y > this.h + 20) continue;
      const near = cinema.id !== this.chosen && groups.find((g) => !g.chosen && Math.hypot(g.x - at.x, g.y - at.y) < crowd);
      if (near) near.list.push(cinema);
      else groups.push({...at, list: [cinema], chosen: cinema.id === this.chosen});
    }
    return groups.sort((a, b) => Number(a.chosen) - Number(b.chosen));
  }

  /// Whether a mark is in sight: not at the edge, nor below the buttons.
  plain({x, y}) { return x > edge && y > edge && x < this.w - edge && y < this.h - edge && !(x > this.w - keysWide && y < keysHigh); }

  marks(groups) {
    const named = this.named(groups);
    return groups.map((g) => {
      const many = g.list.length > 1;
      const open = g.list.some((c) => c.next_showtime);
      const label = many ? t('map.several', {n: g.list.length}) : [parts.nameOf(g.list[0]), parts.distance(g.list[0].distance_m), nextOf(g.list[0])].filter(Boolean).join(', ');
      const look = 'g.pin' + (many ? '.many' : '') + (open ? '.open' : '') + (g.chosen ? '.chosen' : '');
      return h(look, {'data-key': 'p' + g.list[0].id, 'data-do': 'pin', 'data-pins': g.list.map((c) => c.id).join(' '), transform: `translate(${g.x} ${g.y})`,
        role: 'button', tabindex: this.plain(g) ? '0' : '-1', 'aria-label': label, 'aria-pressed': many ? undefined : String(g.chosen)},
        h('circle.hit', {r: 22}), h('circle.body', {r: many ? 14 : g.chosen ? 10 : 7.5}), many ? h('text', {y: 4.5}, g.list.length) : null,
        !many && (g.chosen || named.has(g)) ? h('text.name', {y: g.chosen ? -18 : 24}, parts.nameOf(g.list[0])) : null);
    });
  }

  list() {
    if (!this.cinemas) return [h('p.small.pad', {'aria-hidden': 'true'}, '\u00a0'), h('ul.map-list', {'aria-hidden': 'true'}, [1, 2, 3, 4, 5, 6].map(() => h('li.ghost', h('p.bar'))))];
    if (!this.cinemas.length) return parts.notice('empty', t('near.none'), t('near.none.text'));
    return [h('p.small.pad', t('map.count', {n: this.cinemas.length})),
      h('ul.map-list', this.cinemas.map((c) => h('li', {'data-key': c.id}, h('a', {href: this.ctx.with({cinema: c.id, date: null}), 'data-replace': true},
        h('span.dot' + (c.next_showtime ? '.open' : ''), {'aria-hidden': 'true'}),
        h('span.map-n', parts.nameOf(c)), h('span.small', parts.distance(c.distance_m)),
        h('span.map-s', nextOf(c))))))];
  }

  card() {
    const head = this.cinemas?.find((c) => c.id === this.chosen);
    const cinema = this.details.get(this.chosen);
    const back = h('button.plain.back', {type: 'button', 'data-do': 'all'}, h('svg.i', {'aria-hidden': 'true'}, h('use', {href: '#i-prev'})), t('map.all'));
    const failed = this.known.get(this.chosen + '|');
    if (!cinema) return [back, h('h2', head ? parts.nameOf(head) : ''), failed?.error ? parts.failure(failed.error, 'again') : parts.skeleton(2)];
    const today = time.serviceToday(cinema.time_zone);
    const date = this.dateOf(cinema);
    const known = this.known.get(cinema.id + '|' + date);
    const href = (d) => this.ctx.with({date: d});
    return [back, h('h2', h('a', {href: '/cinemas/' + cinema.id}, parts.nameOf(cinema))), h('p.facts', [parts.distance(head?.distance_m), head && parts.walk({walk_min: Math.ceil(head.distance_m / 80)})].filter(Boolean).join(' · ')),
      cinemaFacts(cinema), parts.strip(cinema.days, date, today, href),
      !known ? parts.skeleton(2) : known.error ? parts.failure(known.error, 'again') : known.films.length
        ? [h('ul.films', parts.inOrder(known.films).map((row) => parts.filmRow(row))), parts.asOf(known, cinema)]
        : emptyDay(cinema, date, today, href, known)];
  }
}
