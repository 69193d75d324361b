// One stream of events for all tabs of a browser that has no shared worker: the tab that holds a lock leads.
import {LiveStream} from './live-stream.js';

/// - topics: what this tab wants to hear about now.
/// Answers what the tab speaks to the stream through, wherever that is.
export function lead(arrived, topics) {
  if (!navigator.locks || !('BroadcastChannel' in window)) {
    const own = new LiveStream(arrived);
    return ({topics: list, renew: again}) => { if (again) own.topics = ''; own.listen(list); };
  }
  const channel = new BroadcastChannel('odi-live');
  const me = Math.random().toString(36).slice(2);
  const wishes = new Map();
  let stream = null;
  // How the stream stands: for tabs that come later, and for this one if it leads next.
  let state = null, hello = null, last = '';
  const heard = (event) => {
    if (event.name === 'state') state = event;
    if (event.name === 'hello') hello = event;
    last = event.id || last;
    arrived(event);
  };
  const tell = (event) => { heard(event); channel.postMessage({event}); };
  const gather = (again) => {
    if (!stream) return;
    if (again) stream.topics = '';
    stream.listen([...wishes.values()].flat());
  };
  channel.onmessage = ({data}) => {
    if (data.event && (data.to ?? me) === me) heard(data.event);
    if (data.wish) {
      if (stream && !wishes.has(data.from)) for (const event of [state, hello]) if (event) channel.postMessage({event, to: data.from});
      wishes.set(data.from, data.wish);
      gather(data.renew);
    }
    if (data.who) speak({topics: topics()});
  };
  const speak = ({topics: list, renew: again}) => {
    wishes.set(me, list);
    channel.postMessage({wish: list, from: me, renew: again});
    gather(again);
  };
  addEventListener('pagehide', () => channel.postMessage({wish: [], from: me}));
  navigator.locks.request('odi-live', () => new Promise(() => {
    // Nobody listened since the tab that led is gone: what happened meanwhile is asked for, as after any break.
    if (state) tell({name: 'state', data: 'closed'});
    stream = new LiveStream(tell);
    stream.last = last;
    channel.postMessage({who: true});
    gather();
  }));
  return speak;
}
