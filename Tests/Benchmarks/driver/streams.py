"""Many event streams held open at once: what one costs the server in memory and in CPU, and whether an event is lost."""

from __future__ import annotations

import re
import selectors
import socket
import time
from dataclasses import dataclass

from .processes import Failed


@dataclass
class Streams:
    opened: int
    events: int  # received by all together
    fewest: int  # received by the stream that received least
    gaps: int  # events whose number does not follow the one before
    behind: int  # how far the last event of one stream is behind another's; one is on its way


class _Stream:
    def __init__(self, connection: socket.socket):
        self.connection, self.head, self.tail, self.events, self.gaps, self.last = connection, b"", b"", 0, 0, None

    def received(self, data: bytes) -> None:
        lines = (self.tail + data).split(b"\n")
        self.tail = lines.pop()
        for line in lines:
            if line.startswith(b"id:"):
                number = int(line[3:])
                self.events += 1
                self.gaps += self.last is not None and number != self.last + 1
                self.last = number


class Client:
    """Opens streams of `GET PATH` and reads them."""

    def __init__(self, port: int, path: str):
        self.port, self.path = port, path
        self.selector, self.streams = selectors.DefaultSelector(), []

    def open(self, count: int) -> None:
        request = f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n".encode()
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", self.port), timeout=5)
            connection.sendall(request)
            stream = _Stream(connection)
            while b"\r\n\r\n" not in stream.head:
                data = connection.recv(4096)
                if not data:
                    raise Failed("the server closed a stream that was being opened")
                stream.head += data
            head, rest = stream.head.split(b"\r\n\r\n", 1)
            if not re.match(rb"HTTP/1.1 200 ", head):
                raise Failed(f"the server answered {head[:40]!r} to a stream")
            stream.head = b""
            stream.received(rest)
            connection.setblocking(False)
            self.selector.register(connection, selectors.EVENT_READ, stream)
            self.streams.append(stream)

    def read(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for key, _ in self.selector.select(0.1):
                data = key.fileobj.recv(65536)
                if not data:
                    raise Failed("the server closed a stream")
                key.data.received(data)

    def result(self) -> Streams:
        return Streams(
            len(self.streams), sum(s.events for s in self.streams), min(s.events for s in self.streams),
            sum(s.gaps for s in self.streams),
            max(s.last or 0 for s in self.streams) - min(s.last or 0 for s in self.streams))

    def close(self) -> None:
        for stream in self.streams:
            stream.connection.close()
        self.selector.close()
