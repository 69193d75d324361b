// One event stream, whoever holds it: the shared worker, or the tab that leads.

const names = ['hello', 'place', 'schedule.changed', 'showtime.sold_out', 'showtime.cancelled', 'showtime.moved', 'showtime.available', 'film.listed',
  'bookmark.put', 'bookmark.removed', 'bookmark.playing', 'favourite.put', 'favourite.removed', 'settings.changed', 'source.state', 'festival.session.changed', 'radio.now_playing', 'radio.down', 'reset', 'bye'];

export class LiveStream {
  /// `tell` gets {name, data, id} for each event, and {name: 'state', data: 'open' | 'closed'}.
  constructor(tell) {
    this.tell = tell;
    this.topics = '';
    this.last = '';
    this.wait = 1000;
  }

  /// Listens to these topics from now on, and alerts around `near=lat,lon` among them; what was seen before is not sent again.
  listen(topics) {
    const text = [...new Set(topics)].sort().join(' ');
    if (text === this.topics && this.source) return;
    this.topics = text;
    this.open();
  }

  open() {
    this.close();
    if (!this.topics) return;
    const wishes = this.topics.split(' ');
    const isPlace = (wish) => wish.startsWith('near=');
    const url = ['/v1/events?topics=' + wishes.filter((wish) => !isPlace(wish)).join(), ...wishes.filter(isPlace).slice(0, 1)].join('&')
      + (this.last ? '&last_event_id=' + encodeURIComponent(this.last) : '');
    const source = this.source = new EventSource(url);
    source.onopen = () => { this.wait = 1000; this.tell({name: 'state', data: 'open'}); };
    source.onerror = () => {
      if (source !== this.source) return;
      this.tell({name: 'state', data: 'closed'});
      // The browser retries a stream that broke, not one that was refused.
      if (source.readyState === EventSource.CLOSED) this.again();
    };
    for (const name of names) source.addEventListener(name, (event) => this.arrived(name, event));
  }

  arrived(name, event) {
    if (event.lastEventId) this.last = event.lastEventId;
    // A place to come back to, and nothing else.
    if (name === 'place') return;
    let data = null;
    try { data = JSON.parse(event.data); } catch { /* a word without data */ }
    if (name === 'reset') this.last = data?.newest_id ?? this.last;
    this.tell({name, data, id: this.last});
    if (name === 'bye') { this.close(); this.again(data?.retry_ms); }
  }

  again(after) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), after ?? this.wait * (0.5 + Math.random()));
    this.wait = Math.min(this.wait * 2, 30_000);
  }

  close() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }
}
