"""Fetching: pages per second from an nginx on the same machine, 64 transfers at a time.

Ours and aiohttp report their own window, from the first request to the last; curl's start is part of its time, which is
some milliseconds of seconds.
"""

from __future__ import annotations

import os
import subprocess
import time

from .peers import Toolbox
from .processes import Allocations, Failed, cpu_us, measured, output, system_calls_of
from .report import Report
from .settings import Settings
from .web import nginx_server

PAGES = {"600": 600, "60000": 60_000}
CONCURRENCY = 64


def run(tools: Toolbox, settings: Settings) -> Report:
    report, odi = Report("fetch"), str(tools.odi())
    nginx, curl, aiohttp = tools.nginx(), tools.tool("curl", ["--version"]), tools.aiohttp()
    if not nginx:
        raise Failed(f"there is nothing to fetch from: {tools.missing['nginx']}")
    count = round(20_000 * settings.seconds)
    with nginx_server(nginx, PAGES) as server:
        names = ["odi", *(["curl"] if curl else []), *(["aiohttp"] if aiohttp else [])]
        for round_, (name, page) in settings.interleaved([(name, page) for name in names for page in PAGES]):
            url = f"http://127.0.0.1:{server.port}/pages/{page}"
            # aiohttp is slower by as much, and as long in the end.
            command = client(name, {"odi": odi, "curl": curl, "aiohttp": aiohttp}[name], url, page,
                             count // 3 if name == "aiohttp" else count)
            before = cpu_us(server.pid)
            try:
                result = with_curl(command, count) if name == "curl" else measured(command)
            except Failed as failure:
                report.failures.append(f"{name}, {page} B: {failure}")
                continue
            report.add(name, f"{page} B x {CONCURRENCY}", round_, ops_s=result["ops"] / result["seconds"],
                       client_cpu_us=result["cpu_us"] / result["ops"],
                       server_cpu_us=(cpu_us(server.pid) - before) / result["ops"])
        tools.install(["strace"])
        if tools.program("allocations.so"):
            for name, page in [(name, page) for name in names for page in PAGES]:
                url = f"http://127.0.0.1:{server.port}/pages/{page}"
                program = {"odi": odi, "curl": curl, "aiohttp": aiohttp}[name]
                try:
                    report.count(name, f"{page} B x {CONCURRENCY}", **counts(name, program, url, page))
                except Failed as failure:
                    report.notes.append(f"counts of {name}, {page} B: {failure}")
    for page in PAGES:
        mode = f"{page} B x {CONCURRENCY}"
        report.goal(f"of `curl --parallel`'s pages per second, {mode}", ">=", 1.1,
                    report.ratio("odi", "curl", mode, "ops_s"))
        report.goal(f"of aiohttp's pages per second, {mode}", ">=", 2.5, report.ratio("odi", "aiohttp", mode, "ops_s"))
    return report


def client(name: str, program: str | list[str], url: str, page: str, count: int) -> list[str]:
    if name == "curl":  # its own parallelism over a range of addresses, bodies thrown away
        return [
            str(program), "--silent", "--show-error", "--fail", "--no-progress-meter", "--parallel",
            "--parallel-immediate", "--parallel-max", str(CONCURRENCY), "--output", "/dev/null",
            f"{url}?page=[1-{count}]"]
    if name == "aiohttp":
        return [*program, url, str(count), str(CONCURRENCY), str(PAGES[page])]
    return [str(program), "fetch", "--url", url, "--count", str(count), "--concurrency", str(CONCURRENCY),
            "--bytes", str(PAGES[page])]


def counts(name: str, program: str | list[str], url: str, page: str) -> dict[str, float]:
    """A page's: what a run of more pages allocates and asks of the system more."""
    few, many = 500, 2_500
    allocated, called = [], []
    for count in (few, many):
        counter = Allocations(f"fetch-{name}")
        output(client(name, program, url, page, count), environment=counter.environment)
        allocated.append(counter.count())
        called.append(system_calls_of(client(name, program, url, page, count))[0])
    return {"client_allocations": (allocated[1] - allocated[0]) / (many - few),
            "client_syscalls": (called[1] - called[0]) / (many - few)}


def with_curl(command: list[str], count: int) -> dict:
    before, start = os.times(), time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    seconds, after = time.monotonic() - start, os.times()
    if done.returncode:
        raise Failed(f"curl ended with {done.returncode}: {done.stderr[-200:]}")
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return {"ops": count, "seconds": seconds, "cpu_us": used * 1e6}
