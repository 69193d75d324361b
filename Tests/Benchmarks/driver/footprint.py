"""What a service costs that does nothing: memory when idle, and the time from start to ready beside redis-server's.

Films is also measured with what a city's catalogue would be: 2,000 films, invented here, and a model of all of them, after
it has answered a question, for only then is the model in use.
"""

from __future__ import annotations

import json
import random
import re
import socket
import subprocess
import time
from pathlib import Path

from .paths import scratch
from .peers import Toolbox
from .processes import Failed
from .report import Report
from .settings import Settings
from .suite import Service, Suite, free_ports

SERVICES = ["locator", "scraper", "bookmarks", "films", "dining", "timetable", "radio", "gateway", "demo"]
# Nothing here may leave the machine, and the built-in catalogues are what a new installation begins with.
OF_ITS_OWN = {"films": {"scraper": "127.0.0.1:9"}, "dining": {"demo": "true"}, "timetable": {"demo": "true"}}
IDLE_MAX_MIB = 30
FILMS_WITH_MODEL_MAX_MIB = 80
WITH_MODEL = "films with a model"
ITEMS, USERS, RATINGS_OF_EACH = 2_000, 600, 60
# Five seconds after it is ready, a service gives back what only its start has touched: then it is idle.
IDLE_AFTER_S = 6.5


def run(tools: Toolbox, settings: Settings) -> Report:
    report, redis = Report("footprint"), tools.tool("redis-server", ["--version"])
    # It is the same in each round, and to wait for it takes longer than all else.
    seen: set[str] = set()
    for round, name in settings.interleaved([*SERVICES, WITH_MODEL] + (["redis"] if redis else [])):
        try:
            if name == "redis":
                report.add("redis", "start", round, p50_us=start_of_redis(redis) * 1e6)
                continue
            with Suite(tools, "footprint") as suite:
                if name == WITH_MODEL:
                    if name not in seen:
                        seen.add(name)
                        service = films_with_model(suite, settings.seed)
                        report.add("odi", f"{name}: idle", round, bytes=idle(service))
                    continue
                settings_of_its_own = OF_ITS_OWN.get(name, {})
                if settings_of_its_own:  # the first start fills the folder
                    suite.start(name, **settings_of_its_own).stop()
                service = suite.start(name, **settings_of_its_own)
                report.add("odi", f"{name}: start", round, p50_us=service.ready_s * 1e6)
                if name not in seen:
                    seen.add(name)
                    report.add("odi", f"{name}: idle", round, bytes=idle(service))
        except Failed as failure:
            report.failures.append(f"{name}: {failure}")
    report.goal(f"MiB resident, odi-films with a model of {ITEMS:,} films", "<=", FILMS_WITH_MODEL_MAX_MIB,
                scaled(report.median("odi", f"{WITH_MODEL}: idle", "bytes"), 1 / (1 << 20)))
    for name in SERVICES:
        report.goal(f"MiB resident, odi-{name} idle", "<=", IDLE_MAX_MIB,
                    scaled(report.median("odi", f"{name}: idle", "bytes"), 1 / (1 << 20)))
        report.goal(f"of redis-server's time from start to ready, odi-{name}", "<=", 3,
                    report.ratio("odi", "redis", f"{name}: start", "p50_us", "start"))
    report.notes.append("start is p50_us: from the process's start until /readyz, or redis's port, answers")
    return report


def films_with_model(suite: Suite, seed: int) -> Service:
    """Films as it stands after a restart, with its catalogue and its model, when it has recommended something."""
    rng = random.Random(seed)
    catalogue, ratings = suite.data / "films.csv", suite.data / "ratings.csv"
    people = [f"Person {number}" for number in range(ITEMS // 3)]
    rows = ["id,title,title_en,year,countries,directors,cast,genres,runtime_min"]
    for film in range(ITEMS):
        cast = ";".join(rng.sample(people, 5))
        rows.append(
            f"film_invented-{film},지어낸 영화 {film},Invented Film {film},{1930 + film % 95},KR,{rng.choice(people)},{cast},"
            f"{rng.choice(['drama', 'comedy', 'horror', 'romance'])},{80 + film % 70}")
    catalogue.write_text("\n".join(rows) + "\n")
    # Everybody likes a neighbourhood of films, so that there is something to learn; each film is rated by somebody.
    lines = [f"{film % USERS},film_invented-{film},3" for film in range(ITEMS)]
    for user in range(USERS):
        middle = rng.randrange(ITEMS)
        near = {int(rng.gauss(middle, 150)) % ITEMS for _ in range(RATINGS_OF_EACH)}
        lines += [f"{user},film_invented-{film},{rng.choice((3, 4, 5))}" for film in sorted(near) if film % USERS != user]
    ratings.write_text("\n".join(lines) + "\n")

    first = suite.start("films", starter="false", **OF_ITS_OWN["films"])
    first.command("import", str(catalogue))
    first.command("model", "train", str(ratings))
    first.stop()
    service = suite.start("films", **OF_ITS_OWN["films"])
    found = json.loads(service.command("recommend", "film_invented-7", "--json"))
    if not found:
        raise Failed("odi-films recommends nothing with the model that it was given")
    return service


def idle(service: Service) -> int:
    time.sleep(IDLE_AFTER_S)
    return resident(service.pid)


def scaled(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor


def resident(pid: int) -> int:
    match = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(match[1]) * 1024 if match else 0


def start_of_redis(program: str) -> float:
    port = free_ports(1)[0]
    started = time.monotonic()
    process = subprocess.Popen(
        [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(scratch("redis").parent)],
        stdout=subprocess.DEVNULL)
    try:
        while time.monotonic() - started < 10:
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=1) as line:
                    line.sendall(b"PING\r\n")
                    if line.recv(10).startswith(b"+PONG"):
                        return time.monotonic() - started
            except OSError:
                time.sleep(0.001)
        raise Failed("redis-server did not start")
    finally:
        process.terminate()
        process.wait()
