"""The nearest cinemas: through gateway and locator against nginx that returns the same bytes, and over RPC against
Redis's GEOSEARCH in the same points."""

from __future__ import annotations

import json
import random
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

from .paths import PEERS, scratch
from .peers import Toolbox
from .processes import Failed, Server, cpu_us, measured, output, pause_between_samples
from .report import Report
from .settings import Settings
from .suite import Service, Suite, asked, free_ports
from .web import CONNECTIONS, nginx_server

POINTS = 10_000
RADIUS_KM = 20_000  # Redis must be given one; ours has none to give
SOUTH, NORTH, WEST, EAST = 33.2, 38.5, 126.1, 129.5
PATH = "/v1/cinemas/nearby?lat={:.6f}&lon={:.6f}"
DEPTHS = (1, 64)


def points() -> list[tuple[str, float, float]]:
    made = random.Random(7)
    return [(f"cinema-{n}", made.uniform(SOUTH, NORTH), made.uniform(WEST, EAST)) for n in range(POINTS)]


def directory() -> Path:
    file = scratch("cinemas.csv")
    rows = [f"{name},극장 {name},Cinema {name},KR,seoul,Seoul,1 Some Street,{lat:.6f},{lon:.6f},Asia/Seoul,1"
            for name, lat, lon in points()]
    file.write_text("id,name,name_en,country,region,city,address,lat,lon,time_zone,active\n" + "\n".join(rows) + "\n")
    return file


def run(tools: Toolbox, settings: Settings) -> Report:
    report = Report("nearby")
    with Suite(tools, "nearby") as suite:
        locator = suite.start("locator")
        # Points at random lie in the wrong region now and then; that is no fault here.
        subprocess.run([locator.program, "import", str(directory()), "--data", str(suite.data)],
                       capture_output=True, timeout=120)
        found = len(asked_locator(locator))
        if found < 3:
            raise Failed("the locator did not take the points")
        over_http(report, tools, settings, suite, locator)
        over_rpc(report, tools, settings, locator)
    in_process(report, tools)
    return report


def in_process(report: Report, tools: Toolbox) -> None:
    """The index alone, from ten thousand points to a million."""
    found = {}
    for points in (10_000, 1_000_000):
        result = measured([str(tools.odi()), "nearest", "--points", str(points)])
        report.add("odi", result["case"], 0, p50_us=result["p50_us"], p99_us=result["p99_us"])
        found[points] = result["p50_us"]
    report.goal("us for the nearest three of a million, in the process", "<=", 5, found[1_000_000])
    report.goal("of the time among ten thousand points, a million", "<=", 2, found[1_000_000] / found[10_000])


def asked_locator(locator: Service) -> list:
    text = locator.command("near", "37.5,127.0", "-n", "3", "--json")
    answer = json.loads(text)
    return answer["data"] if isinstance(answer, dict) else answer


def over_http(report: Report, tools: Toolbox, settings: Settings, suite: Suite, locator: Service) -> None:
    plain = suite.start("gateway", cache="off")
    first = asked(plain.http, PATH.format(37.5, 127.0))
    if len(first["data"]) != 3:
        raise Failed(f"the gateway knows {len(first['data'])} cinemas near Seoul, not 3")
    cached = Service(tools, "gateway", second(suite), **{
        "locator": f"127.0.0.1:{locator.rpc}", "cache": "on", "address-rate": "0", "user-rate": "0"})
    load, nginx = tools.tool("wrk", ["--version"]), tools.nginx()
    if not load or not nginx:
        cached.stop()
        return
    body = raw(plain.http, PATH.format(37.5, 127.0))
    peer = nginx_server(nginx, hello=body.replace("'", "’"))
    try:
        candidates = {
            ("odi", "distinct points"): (plain.http, [plain.pid, locator.pid], "distinct"),
            ("odi", "the same point, kept"): (cached.http, [cached.pid, locator.pid], "same"),
            ("nginx", "distinct points"): (peer.port, [peer.pid], "hello"),
        }
        for key, (port, _, kind) in candidates.items():
            wrk(load, port, kind, 0.5)
        for round, key in settings.interleaved(list(candidates)):
            port, pids, kind = candidates[key]
            before = sum(cpu_us(pid) for pid in pids)
            try:
                done = wrk(load, port, kind, settings.seconds)
            except Failed as failure:
                report.failures.append(f"{key[0]}, {key[1]}: {failure}")
                continue
            used = sum(cpu_us(pid) for pid in pids) - before
            if done["errors"]:
                report.failures.append(f"{key[0]}, {key[1]}: {done['errors']} errors")
            report.add(*key, round, ops_s=done["ops"] / done["seconds"], p50_us=done["p50_us"], p99_us=done["p99_us"],
                       server_cpu_us=used / max(1, done["ops"]))
            pause_between_samples()
    finally:
        peer.__exit__()
        cached.stop()
    report.notes.append(f"{POINTS} cinemas, {CONNECTIONS} connections, an answer of {len(body.encode())} bytes; "
                        "CPU is that of gateway and locator together")
    report.goal("of nginx's requests a second, distinct points, nothing kept", ">=", 0.35,
                report.ratio("odi", "nginx", "distinct points", "ops_s"))
    report.goal("of nginx's CPU per request, gateway and locator together", "<=", 4,
                report.ratio("odi", "nginx", "distinct points", "server_cpu_us"))


def second(suite: Suite) -> Path:
    folder = suite.data / "second"
    folder.mkdir(exist_ok=True, mode=0o700)
    return folder


def raw(port: int, path: str) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as reply:
        return reply.read().decode()


def wrk(program: str, port: int, kind: str, seconds: float) -> dict:
    duration = max(1, round(seconds * 2))  # wrk knows whole seconds only
    return measured(
        [program, "-t1", f"-c{CONNECTIONS}", f"-d{duration}s", "-s", str(PEERS / "wrk_nearby.lua"),
         f"http://127.0.0.1:{port}/", "--", kind], timeout=duration + 20)


def over_rpc(report: Report, tools: Toolbox, settings: Settings, locator: Service) -> None:
    odi, server = str(tools.odi()), tools.tool("redis-server", ["--version"])
    client = tools.tool("redis-benchmark", ["--version"]) if server else None
    redis, port = None, free_ports(1)[0]
    if server and client:
        redis = Server([server, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
                        "--daemonize", "no", "--loglevel", "warning"], port=port)
        fill(port)
    try:
        things = [("odi", depth) for depth in DEPTHS] + [("redis", depth) for depth in DEPTHS if redis]
        for round, (name, depth) in settings.interleaved(things):
            pid = locator.pid if name == "odi" else redis.pid
            before = cpu_us(pid)
            try:
                done = (ours(odi, locator.rpc, depth, settings.seconds) if name == "odi"
                        else theirs(client, port, depth, settings.seconds))
            except Failed as failure:
                report.failures.append(f"{name}, {depth} outstanding: {failure}")
                continue
            report.add(name, f"RPC, {depth} outstanding", round, ops_s=done["ops"] / done["seconds"],
                       server_cpu_us=(cpu_us(pid) - before) / max(1, done["total"]),
                       **({"p50_us": done["p50_us"]} if "p50_us" in done else {}))
            pause_between_samples()
    finally:
        if redis:
            redis.__exit__()
    report.goal("of Redis GEOSEARCH's answers a second, k = 3, 64 outstanding on one connection", ">=", 5,
                report.ratio("odi", "redis", "RPC, 64 outstanding", "ops_s"))


def ours(odi: str, port: int, depth: int, seconds: float) -> dict:
    return measured([odi, "nearest-client", "--port", str(port), "--outstanding", str(depth), "--seconds", str(seconds)])


def theirs(client: str, port: int, depth: int, seconds: float) -> dict:
    """The same question from the same place each time, which can only help it."""
    asked = max(2_000, int(seconds * (4_000 if depth == 1 else 12_000)))
    text = output([client, "-p", str(port), "-c", "1", "-P", str(depth), "-n", str(asked), "--csv",
                   "GEOSEARCH", "cinemas", "FROMLONLAT", "126.9779", "37.5663", "BYRADIUS", str(RADIUS_KM), "km",
                   "ASC", "COUNT", "3", "WITHDIST"], timeout=120)
    rate = float(text.strip().splitlines()[-1].split(",")[1].strip('"'))
    return {"ops": asked, "seconds": asked / rate, "total": asked}


def fill(port: int) -> None:
    for _ in range(200):
        try:
            line = socket.create_connection(("127.0.0.1", port), timeout=5)
            break
        except OSError:
            time.sleep(0.02)
    else:
        raise Failed("redis-server did not start")
    with line:
        for at in range(0, POINTS, 500):
            words = ["GEOADD", "cinemas"]
            for name, lat, lon in points()[at:at + 500]:
                words += [f"{lon:.6f}", f"{lat:.6f}", name]
            line.sendall(f"*{len(words)}\r\n".encode() + b"".join(
                f"${len(word.encode())}\r\n{word}\r\n".encode() for word in words))
            if not line.recv(100).startswith(b":"):
                raise Failed("redis-server did not take the points")
