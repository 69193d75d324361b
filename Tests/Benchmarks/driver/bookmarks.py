"""Durable writes that a user waits for: bookmark puts through the gateway at 64 clients against PostgreSQL's upserts."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import time
from pathlib import Path

from .paths import PEERS, scratch
from .peers import Toolbox
from .processes import Failed, cpu_us, measured, output, pause_between_samples
from .report import Report
from .settings import Settings
from .suite import Suite, asked

CLIENTS = 64
FILMS_WAIT_S = 60


def run(tools: Toolbox, settings: Settings) -> Report:
    report = Report("bookmarks")
    load = tools.tool("wrk", ["--version"])
    if not load:
        raise Failed(tools.missing["wrk"])
    with Suite(tools, "bookmarks") as suite, Postgres(tools) as postgres:
        films, gateway, bookmarks = with_films(suite)
        targets = targets_of(gateway.http, films)
        puts(load, gateway.http, targets, 0.5)
        things = ["odi"] + (["postgresql"] if postgres.works else [])
        for round, name in settings.interleaved(things):
            try:
                if name == "odi":
                    before = cpu_us(gateway.pid) + cpu_us(bookmarks.pid)
                    done = puts(load, gateway.http, targets, settings.seconds)
                    used = cpu_us(gateway.pid) + cpu_us(bookmarks.pid) - before
                    if done["errors"]:
                        report.failures.append(f"odi: {done['errors']} errors")
                    report.add("odi", f"{CLIENTS} clients", round, ops_s=done["ops"] / done["seconds"],
                               p50_us=done["p50_us"], p99_us=done["p99_us"], server_cpu_us=used / max(1, done["ops"]))
                else:
                    done = postgres.upserts(settings.seconds)
                    report.add("postgresql", f"{CLIENTS} clients", round, ops_s=done["ops_s"], p50_us=done["mean_us"])
            except Failed as failure:
                report.failures.append(f"{name}: {failure}")
            pause_between_samples()
    report.notes.append("PostgreSQL's p50_us is pgbench's mean; both databases lie on the disk of the tree")
    report.goal("of PostgreSQL's durable upserts a second, 64 clients", ">=", 1.5,
                report.ratio("odi", "postgresql", f"{CLIENTS} clients", "ops_s"))
    return report


def with_films(suite: Suite):
    """The whole suite with its demo world, and the ids of films that may be saved."""
    demo = suite.start("demo")
    suite.start("locator", demo="true")
    suite.start("scraper", demo="true", **{"demo-url": f"http://127.0.0.1:{demo.http}"})
    bookmarks = suite.start("bookmarks")
    gateway = suite.start("gateway", cache="off")
    films: set[str] = set()
    until = time.monotonic() + FILMS_WAIT_S
    while len(films) < 20 and time.monotonic() < until:
        page = asked(gateway.http, "/v1/showtimes?near=37.5663,126.9779&radius_m=20000&limit=100")
        films |= {(item.get("film") or {}).get("id") or item.get("film_id") for item in page["data"]} - {None}
        time.sleep(0.5)
    if not films:
        raise Failed("the demo world's films did not reach the gateway")
    return sorted(films), gateway, bookmarks


def targets_of(port: int, films: list[str]) -> Path:
    """A line for each client: its token, and a film."""
    file = scratch("bookmark-targets")
    lines = []
    for number in range(CLIENTS):
        token = asked(port, "/v1/sessions", "POST", {})["token"]
        lines += [f"{token} {film}" for film in films[number % 3::3]]
    file.write_text("\n".join(lines) + "\n")
    return file


def puts(program: str, port: int, targets: Path, seconds: float) -> dict:
    duration = max(1, round(seconds * 2))
    return measured(
        [program, "-t1", f"-c{CLIENTS}", f"-d{duration}s", "-s", str(PEERS / "wrk_bookmarks.lua"),
         f"http://127.0.0.1:{port}/", "--", str(targets)], timeout=duration + 20)


class Postgres:
    """A PostgreSQL of our own on a unix socket, `synchronous_commit=on`, as Debian configures it otherwise."""

    def __init__(self, tools: Toolbox):
        tools.install(["pgbench"])
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin")) if Path("/usr/lib/postgresql").exists() else []
        self.works = bool(found)
        if not found:
            tools.missing["postgresql"] = "not installed: postgresql"
            return
        self.bin, self.folder = found[-1], scratch("postgres")
        # initdb refuses to be root.
        self.user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        tools.versions["postgresql"] = output([str(self.bin / "postgres"), "--version"]).strip()

    def __enter__(self) -> "Postgres":
        if not self.works:
            return self
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        shutil.chown(self.folder, self.user)
        self.run("initdb", "-D", str(self.folder / "data"), "-A", "trust", "-U", "postgres")
        socket = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c max_connections=100"
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-o", socket, "-l", str(self.folder / "log"), "-w", "start")
        self.run("psql", "-h", str(self.folder), "-U", "postgres", "-c",
                 "CREATE TABLE bookmark (usr int, film int, note text, saved_at timestamptz, rev bigint, "
                 "PRIMARY KEY (usr, film))")
        (self.folder / "upsert.sql").write_text(
            "\\set usr random(1, 64)\n\\set film random(1, 40)\n"
            "INSERT INTO bookmark VALUES (:usr, :film, 'note', now(), 1) "
            "ON CONFLICT (usr, film) DO UPDATE SET saved_at = now(), rev = bookmark.rev + 1;\n")
        return self

    def run(self, program: str, *words: str, timeout: float = 60) -> str:
        command = [str(self.bin / program), *words]
        if os.geteuid() == 0:
            command = ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups", *command]
        # pg_ctl's server keeps its parent's pipes open: its output goes to a file.
        log = self.folder / f"{program}.out"
        with open(log, "w") as out:
            done = subprocess.run(command, stdout=out, stderr=out, timeout=timeout, cwd="/")
        if done.returncode:
            raise Failed(f"{program}: {log.read_text()[-300:]}")
        return log.read_text()

    def upserts(self, seconds: float) -> dict:
        text = self.run("pgbench", "-h", str(self.folder), "-U", "postgres", "-n", "-M", "prepared", "-c", str(CLIENTS),
                        "-j", "1", "-T", str(max(1, round(seconds * 2))), "-f", str(self.folder / "upsert.sql"),
                        "postgres")
        rate = next(line for line in text.splitlines() if line.startswith("tps"))
        latency = next(line for line in text.splitlines() if line.startswith("latency average"))
        return {"ops_s": float(rate.split("=")[1].split()[0]), "mean_us": float(latency.split("=")[1].split()[0]) * 1e3}

    def __exit__(self, *_: object) -> None:
        if self.works:
            self.run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "stop")
            shutil.rmtree(self.folder, ignore_errors=True)
