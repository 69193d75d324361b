"""Fetching: pages per second from an nginx on the same machine, 64 transfers at a time.

Ours and aiohttp report their own window, from the first request to the last; curl's start is part of its time, which is
some milliseconds of seconds.
"""

from __future__ import annotations

import os
import subprocess
import time

from .peers import Toolbox
from .processes import Failed, measured
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
            try:
                if name == "curl":
                    result = with_curl(str(curl), url, count)
                elif name == "aiohttp":
                    few = count // 3  # slower by as much, and as long in the end
                    result = measured([*aiohttp, url, str(few), str(CONCURRENCY), str(PAGES[page])])
                else:
                    result = measured(
                        [odi, "fetch", "--url", url, "--count", str(count), "--concurrency", str(CONCURRENCY),
                         "--bytes", str(PAGES[page])])
            except Failed as failure:
                report.failures.append(f"{name}, {page} B: {failure}")
                continue
            report.add(name, f"{page} B x {CONCURRENCY}", round_, ops_s=result["ops"] / result["seconds"],
                       client_cpu_us=result["cpu_us"] / result["ops"])
    for page in PAGES:
        mode = f"{page} B x {CONCURRENCY}"
        report.goal(f"of `curl --parallel`'s pages per second, {mode}", ">=", 1.1,
                    report.ratio("odi", "curl", mode, "ops_s"))
        report.goal(f"of aiohttp's pages per second, {mode}", ">=", 2.5, report.ratio("odi", "aiohttp", mode, "ops_s"))
    return report


def with_curl(curl: str, url: str, count: int) -> dict:
    """curl's own parallelism over a range of addresses, bodies thrown away."""
    command = [
        curl, "--silent", "--show-error", "--fail", "--no-progress-meter", "--parallel", "--parallel-immediate",
        "--parallel-max", str(CONCURRENCY), "--output", "/dev/null", f"{url}?page=[1-{count}]"]
    before, start = os.times(), time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    seconds, after = time.monotonic() - start, os.times()
    if done.returncode:
        raise Failed(f"curl ended with {done.returncode}: {done.stderr[-200:]}")
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return {"ops": count, "seconds": seconds, "cpu_us": used * 1e6}
