// Discover: rows of films with a reason each, one of them large; and a wall of all that are of a kind.
import {h} from '../dom.js';
import {t} from '../i18n.js';
import {Pane, get, isAbort, isPlain, query} from '../api.js';
import * as geo from '../geo.js';
import * as parts from '../parts.js';
import * as pieces from '../pieces.js';
import * as bookmarks from '../bookmarks.js';

/// A row of fewer looks like a mistake.
const rowLeast = 3;
const wallPage = 30;
/// How long rows wait for the one that is made for somebody.
const courtesy = 500;
/// Rows that have words of their own in the catalogues; the server names the others.
const named = new Set(['near_you', 'now_playing', 'last_chance', 'new_this_week', 'coming_soon', 'classics', 'recommended']);

export default class Discover {
  rows = new Pane('discover');
  wall = new Pane('wall');
  /// How far each row was moved, to find it so again.
  offsets = new Map();

  get waiting() { return !this.error && (!this.kindsKnown || !(this.list ? this.films : this.home)); }
  /// What the wall shows: 'classics', 'genre:drama', 'person:ang-lee'; null for the rows.
  get list() {
    const {params} = this.ctx;
    const kind = ['person', 'genre'].find((name) => params.get(name));
    return kind ? kind + ':' + params.get(kind) : params.get('list');
  }

  update(ctx) {
    this.ctx = ctx;
    if (!this.genres) this.loadGenres();
    // Nobody waits for the one that is not shown.
    (this.list ? this.rows : this.wall).cancel();
    if (!this.list) { this.more = null; if (!this.films) this.shown = null; }
    if (this.list && this.list !== this.shown) { this.shown = this.list; this.films = null; this.error = null; this.load(); }
    else if (!this.list && !this.home) this.load();
    else ctx.refresh();
  }

  load() { return this.list ? this.loadWall() : this.loadRows(); }

  async loadRows() {
    const {lat, lon} = geo.here;
    const recommended = this.loadRecommended();
    try {
      const answer = await this.rows.ask('/home' + query({lat, lon}));
      // A row that comes later would move what somebody looks at; for a while it is waited for.
      if (!this.home) await Promise.race([recommended, new Promise((done) => setTimeout(done, courtesy))]);
      this.home = answer.data;
      this.kept = answer.kept;
      this.error = null;
    } catch (error) {
      if (isAbort(error)) return;
      this.error = error;
    }
    this.ctx.refresh();
  }

  /// What the model would add for somebody whose marks it may know. Without it the page is whole.
  async loadRecommended() {
    if (!bookmarks.hasSession()) return;
    try {
      this.recommended = (await get('/me/recommendations' + query({limit: 20}))).data;
      this.ctx.refresh();
    } catch { /* a courtesy */ }
  }

  async loadGenres() {
    this.genres = [];
    try {
      this.genres = (await get('/genres')).data.filter((genre) => genre.films !== 0 && isPlain(genre.id));
    } catch { /* the rows are enough */ }
    this.kindsKnown = true;
    this.ctx.refresh();
  }

  /// The first page of a wall, or with a cursor the next. One page is asked for at a time, and none twice.
  async loadWall(cursor) {
    if (cursor && this.more) return;
    this.more = cursor;
    const [kind, genre] = this.list.split(':');
    const {lat, lon} = geo.here;
    try {
      const answer = kind === 'person' ? this.worksOf(await this.wall.ask('/people/' + genre)) : await this.wall.ask('/films' + query({...(genre ? {genre} : {list: kind}), near: kind === 'near_you' ? `${lat},${lon}` : null, limit: wallPage, cursor}));
      const fresh = answer.data.map((item) => item.film ? item : {film: item, next_showtime: item.next_showtime});
      const have = new Set(cursor ? this.films.map(({film}) => film.id) : []);
      this.films = [...(cursor ? this.films : []), ...fresh.filter(({film}) => !have.has(film.id))];
      this.next = answer.has_more ? answer.next_cursor : null;
      this.error = null;
    } catch (error) {
      if (isAbort(error)) return;
      this.error = error;
    }
    this.more = null;
    this.ctx.refresh();
  }

  /// What somebody made or plays in, each once, as a list has it.
  worksOf(person) {
    this.person = person;
    return {data: [person.directed, person.wrote, person.played_in].flat().filter((film, i, all) => film && all.findIndex(({id}) => id === film.id) === i)};
  }

  /// What of a wall is there stays: the page that did not come is asked for.
  retry() {
    if (this.list && this.films && this.next && !this.wall.isOld) this.loadWall(this.next);
    else if (!this.list || !this.films || this.films.length <= wallPage) this.load();
  }
  woke() { if (this.home && !this.list) this.loadRows(); }
  leave() { this.rows.cancel(); this.wall.cancel(); this.more = null; }
  title() { return t('tab.discover'); }
  heard(name) { if (name === 'reset' || name === 'film.listed') this.woke(); }
  actions = {more() { this.loadWall(this.next); }};

  /// Rows are where they were left.
  after(root) {
    for (const rail of root.querySelectorAll('.rail')) {
      const key = rail.dataset.key;
      if (!rail.heard) {
        rail.heard = true;
        if (this.offsets.has(key)) rail.scrollLeft = this.offsets.get(key);
        rail.addEventListener('scroll', () => this.offsets.set(key, rail.scrollLeft), {passive: true});
      }
    }
  }

  // --- Rendering ---

  render() {
    return h('div.discover', {'data-key': 'discover'}, h('h1', t('discover.title')), this.kinds(), this.list ? this.all() : this.sections());
  }

  /// Genres to go on with; without them, nothing stands there.
  kinds() {
    if (!this.kindsKnown) return h('ul.kinds.ghost', {'aria-hidden': 'true'}, Array.from({length: 17}, (_, i) => h('li', h('span.pill', '\u00a0'.repeat(5 + i % 3 * 3)))));
    if (!this.genres.length && !this.list) return null;
    const link = (values, text, current) => h('li', h('a.pill', {href: this.ctx.with({list: null, genre: null, person: null, ...values}), 'aria-current': current ? 'true' : undefined}, text));
    const [kind, genre] = (this.list ?? '').split(':');
    return h('ul.kinds', {'aria-label': t('discover.kinds')}, link({}, t('discover.all'), !this.list),
      kind && !genre && link({list: kind}, this.name({id: kind}), true), kind === 'person' && this.person?.id === genre && link({person: genre}, this.person.name, true),
      this.genres.slice(0, 16).map((g) => link({genre: g.id}, g.name ?? g.id, genre === String(g.id))));
  }

  name(row) { return named.has(row.id) ? t('row.' + row.id) : row.title ?? row.id; }

  sections() {
    if (this.error && !this.home) return parts.failure(this.error);
    if (!this.home) return [h('div.hero.ghost', {'aria-hidden': 'true'}, h('span.poster'), h('div', h('p.bar'), h('p.bar.short'), h('p.bar'))), [1, 2, 3].map(() => h('section.ghost', {'aria-hidden': 'true'}, h('p.bar.short'), h('ul.rail', [1, 2, 3, 4, 5, 6].map(() => h('li', h('span.poster'), h('p.bar'))))))];
    const told = this.home.filter((row) => row.id !== 'recommended' || !this.recommended?.length);
    const own = this.recommended?.length >= rowLeast ? [{id: 'recommended', items: this.recommended}] : [];
    const rows = [...told.slice(0, 1), ...own, ...told.slice(1)].filter((row) => row.items.length >= (row.id === 'near_you' ? 1 : rowLeast));
    if (!rows.length) return parts.notice('empty', t('discover.none'), t('discover.none.text'), h('a.btn', {href: '/'}, t('tab.nearby')));
    const best = told.find((row) => row.id === 'last_chance' && row.items.length >= rowLeast) ?? rows[0];
    const large = best.items.find((item) => item.next_showtime);
    // What stands there large need not stand below once more.
    const below = (row) => row === best && row.items.length > rowLeast ? {...row, items: row.items.filter((item) => item !== large)} : row;
    return [this.hero(best, large), rows.map((row) => this.row(below(row))), pieces.keptNote(this.kept), this.credits(rows.flatMap((row) => row.items))];
  }

  /// One film, large: what can be missed.
  hero(row, item) {
    if (!item) return null;
    const film = parts.readable(item.film);
    return h('section.hero', {'data-key': 'hero', 'aria-labelledby': 'hero-t'}, parts.poster(film, {eager: true}),
      h('div', h('p.hero-k', this.name(row)), h('h2', {id: 'hero-t'}, h('a', {href: '/films/' + film.id, lang: parts.langOf(film.title)}, film.title)),
        parts.others(film, 'p'),
        parts.facts(film, {director: true}), h('p.hero-n', pieces.nextLine(item.next_showtime)), h('p.doing', parts.want(film, {words: true}))));
  }

  row(row) {
    const id = 'row-' + row.id.replace(/\W/g, '-');
    const [kind, genre] = row.id.split(':');
    // A kind that a source brought may be called what no address of the page can say.
    const more = row.more && kind !== 'recommended' && kind !== 'near_you' && (kind !== 'genre' || isPlain(genre));
    return h('section.row', {'data-key': id, 'aria-labelledby': id}, h('div.row-h', h('h2', {id}, this.name(row)),
      more && h('a.small', {href: this.ctx.with(kind === 'genre' ? {genre} : {list: kind}), 'aria-label': t('discover.more', {name: this.name(row)})}, t('film.all')),
      parts.stripButton(-1), parts.stripButton(1)),
    h('ul.rail', {'data-key': row.id, 'data-strip': '', tabindex: '0', 'aria-label': this.name(row)}, row.items.map((item) => pieces.filmCard(item.film, this.line(item)))));
  }

  /// Why a film is here, or when it plays.
  line(item) {
    return item.reasons?.[0]?.text ?? item.reason ?? (item.next_showtime ? pieces.nextLine(item.next_showtime) : undefined);
  }

  all() {
    const door = h('a.btn', {href: '/discover'}, t('discover.all'));
    if (this.error && !this.films) return this.error.status === 400 ? parts.notice('empty', t('discover.strange'), null, door) : parts.failure(this.error);
    if (!this.films) return h('ul.wall', {'aria-hidden': 'true'}, Array.from({length: 8}, () => h('li.ghost', h('span.poster'), h('p.bar'))));
    if (!this.films.length) return parts.notice('empty', t('discover.none'), t('discover.none.text'), door);
    return [h('ul.wall', this.films.map((item) => pieces.filmCard(item.film, this.line(item)))),
      this.next && h('p.doing', h('button.btn', {type: 'button', 'data-do': 'more', 'aria-busy': this.more ? 'true' : undefined}, t('discover.next'))), this.credits(this.films)];
  }

  credits(items) { return parts.credits(items.map((item) => item.film ?? item)); }
}
