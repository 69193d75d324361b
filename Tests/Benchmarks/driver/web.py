"""HTTP: a hello of 600 B against nginx's `return 200`, and 5,000 event streams."""

from __future__ import annotations

import resource
import socket
import time
import urllib.request
from collections.abc import Callable

from .paths import PEERS, scratch
from .peers import Toolbox
from .processes import (
    Allocations, Failed, Server, SystemCalls, anonymous_bytes, cpu_us, measured, pause_between_samples)
from .report import Report
from .settings import Settings
from .streams import Client

CONNECTIONS = 64
DEPTHS = (1, 16)  # requests in each write of the client
HELLO = '{"message":"' + "h" * 586 + '"}'  # 600 bytes, as `odi-bench http-server` answers too
STREAMS = 5000

NGINX = """
daemon off;
master_process off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 16384; }}
http {{
  access_log off;
  keepalive_requests 100000000;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  default_type application/json;
  open_file_cache max=100;
  sendfile on;
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    location = /hello {{ {hello} }}
    location /pages/ {{ root {folder}; }}
  }}
}}
"""


def returned(text: str) -> str:
    """nginx's own words for answering a text from memory. One word of its configuration holds at most 4 KiB."""
    pieces = [text[at:at + 1_000] for at in range(0, len(text), 1_000)]
    names = [f"$piece{number}" for number in range(len(pieces))]
    return " ".join(f"set {name} '{piece}';" for name, piece in zip(names, pieces)) + f" return 200 {''.join(names)};"


def nginx_server(
        nginx: str, pages: dict[str, int] | None = None, hello: str = HELLO,
        environment: dict[str, str] | None = None) -> Server:
    """nginx in one process and one thread, on a port that was free a moment ago."""
    folder = scratch("nginx")
    (folder / "pages").mkdir(parents=True, exist_ok=True)
    for name, size in (pages or {}).items():
        (folder / "pages" / name).write_bytes(b"<p>page</p>" * (size // 11) + b"." * (size % 11))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    configuration = folder / "nginx.conf"
    configuration.write_text(NGINX.format(folder=folder, port=port, hello=f"return 200 '{hello}';" if len(hello) < 1_000 else returned(hello)))
    server = Server([nginx, "-e", str(folder / "error.log"), "-p", str(folder), "-c", str(configuration)], environment, port)
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return server
        except OSError:
            if server.process.poll() is not None:
                break
            time.sleep(0.02)
    server.__exit__()
    raise Failed(f"nginx did not start: {(folder / 'error.log').read_text()[-300:]}")


def wrk(program: str, port: int, depth: int, seconds: float) -> dict:
    duration = max(1, round(seconds * 2))  # wrk knows whole seconds only
    return measured(
        [program, "-t1", f"-c{CONNECTIONS}", f"-d{duration}s", "-s", str(PEERS / "wrk.lua"),
         f"http://127.0.0.1:{port}/hello", "--", str(depth)], timeout=duration + 20)


def run(tools: Toolbox, settings: Settings) -> Report:
    report, odi = Report("http"), str(tools.odi())
    load, nginx = tools.tool("wrk", ["--version"]), tools.nginx()
    servers: dict[str, Server] = {}
    try:
        servers["odi"] = Server([odi, "http-server", "--port", "0"])
        if nginx:
            servers["nginx"] = nginx_server(nginx)
        if load:
            for name, server in servers.items():
                check(name, server.port)
                wrk(load, server.port, 1, 0.5)  # warm
            for round, (name, depth) in settings.interleaved([(name, depth) for name in servers for depth in DEPTHS]):
                sample(report, load, name, servers[name], depth, round, settings)
            tools.install(["strace"])
            for name, server in servers.items():
                system_calls(report, name, server, load)
    finally:
        for server in servers.values():
            server.__exit__()
    if load and tools.program("allocations.so"):
        allocations(report, odi, load)
        if nginx:
            count_allocations(report, "nginx", load, lambda environment: nginx_server(nginx, environment=environment))
    streams(report, odi)
    report.goal("of nginx's server CPU per request, depth 1", "<=", 1.15,
                report.ratio("odi", "nginx", "depth 1", "server_cpu_us"))
    report.goal("of nginx's server CPU per request, depth 16", "<=", 0.25,
                report.ratio("odi", "nginx", "depth 16", "server_cpu_us"))
    report.goal(f"bytes of memory for each of {STREAMS} event streams", "<=", 1024,
                report.median("odi", f"{STREAMS} streams", "bytes_per_stream"))
    return report


def count(tools: Toolbox) -> Report:
    """Allocations and system calls of our side."""
    report, odi, load = Report("http"), str(tools.odi()), tools.tool("wrk", ["--version"])
    tools.install(["strace"])
    tools.must("allocations.so")
    if not load:
        raise Failed(f"wrk: {tools.missing['wrk']}")
    allocations(report, odi, load)
    with Server([odi, "http-server", "--port", "0"]) as server:
        system_calls(report, "odi", server, load)
    streams(report, odi)
    return report


def system_calls(report: Report, name: str, server: Server, load: str) -> None:
    for depth in DEPTHS:
        with SystemCalls(server.pid) as calls:
            done = wrk(load, server.port, depth, 0.5)
        report.count(name, f"depth {depth}", syscalls=calls.total / done["ops"])


def check(name: str, port: int) -> None:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/hello", timeout=5) as reply:
        size = len(reply.read())
    if size != len(HELLO):
        raise Failed(f"{name} answers {size} bytes to /hello, not {len(HELLO)}")


def sample(report: Report, load: str, name: str, server: Server, depth: int, round: int, settings: Settings) -> None:
    try:
        before = cpu_us(server.pid)
        done = wrk(load, server.port, depth, settings.seconds)
        used = cpu_us(server.pid) - before
    except Failed as failure:
        report.failures.append(f"{name}, depth {depth}: {failure}")
        return
    if done["errors"]:
        report.failures.append(f"{name}, depth {depth}: {done['errors']} errors")
    report.add(name, f"depth {depth}", round, ops_s=done["ops"] / done["seconds"], p50_us=done["p50_us"],
               p99_us=done["p99_us"], server_cpu_us=used / max(1, done["ops"]))
    pause_between_samples()


def allocations(report: Report, odi: str, load: str) -> None:
    count_allocations(
        report, "odi", load, lambda environment: Server([odi, "http-server", "--port", "0"], environment))


def count_allocations(report: Report, name: str, load: str, start: Callable[[dict[str, str]], Server]) -> None:
    counter = Allocations(f"http-{name}")
    with start(counter.environment) as server:
        for depth in DEPTHS:
            wrk(load, server.port, depth, 0.2)  # first-use costs are not a request's
            runs = []
            for seconds in (0.2, 1.0):
                before = counter.count()
                runs.append((wrk(load, server.port, depth, seconds)["ops"], counter.count() - before))
            # What the connections cost is in both runs.
            (few_ops, few), (many_ops, many) = runs
            report.count(name, f"depth {depth}", allocations=max(0.0, many - few) / max(1, many_ops - few_ops))


def streams(report: Report, odi: str) -> None:
    """Memory grows by the streams alone: the first few hundred have already paid for the server's own tables."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard < STREAMS + 500:
        report.notes.append(f"NOT MEASURED: {STREAMS} streams need {STREAMS + 500} open files, this system allows {hard}")
        return
    with Server([odi, "http-server", "--port", "0"]) as server:
        client, mode = Client(server.port, "/events"), f"{STREAMS} streams"
        try:
            first = 200
            client.open(first)
            memory, cpu = anonymous_bytes(server.pid), cpu_us(server.pid)
            client.open(STREAMS - first)
            opening = (cpu_us(server.pid) - cpu) / (STREAMS - first)
            cpu = cpu_us(server.pid)
            before = client.result().events
            client.read(4)
            result = client.result()
            report.count(
                "odi", mode, bytes_per_stream=(anonymous_bytes(server.pid) - memory) / (STREAMS - first),
                server_cpu_us=(cpu_us(server.pid) - cpu) / max(1, result.events - before))
            report.notes.append(
                f"{result.opened} streams, {opening:.1f} us of CPU to open one, {result.events} events received, "
                f"at least {result.fewest} by each, {result.gaps} gaps (server_cpu_us of that row: one event to one stream)")
            if result.gaps:
                report.failures.append(f"{result.gaps} events were lost")
            if result.opened < STREAMS or result.behind > 1:
                report.failures.append(
                    f"{result.opened} of {STREAMS} streams are open, and one is {result.behind} events behind the others")
        finally:
            client.close()
