// The browser's one stream: all tabs' topics together, every event to every tab.
import {LiveStream} from './live-stream.js';

const ports = new Map();
let state = 'closed';
let hello = null;
const stream = new LiveStream((event) => {
  if (event.name === 'state') state = event.data;
  if (event.name === 'hello') hello = event;
  for (const port of ports.keys()) port.postMessage(event);
});

self.onconnect = ({ports: [port]}) => {
  ports.set(port, {topics: [], seen: Date.now()});
  port.onmessage = ({data}) => {
    if (data.bye) ports.delete(port);
    else ports.set(port, {topics: data.topics, seen: Date.now()});
    // A tab says every minute that it lives; one that crashed says nothing.
    for (const [other, {seen}] of ports) if (Date.now() - seen > 200_000) ports.delete(other);
    if (data.renew) stream.open();
    stream.listen([...ports.values()].flatMap((p) => p.topics));
    if (!ports.size) stream.close();
  };
  port.postMessage({name: 'state', data: state});
  if (hello) port.postMessage(hello);
};
