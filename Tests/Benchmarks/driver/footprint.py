"""What a service costs that does nothing: memory when idle, and the time from start to ready beside redis-server's."""

from __future__ import annotations

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
from .suite import Suite, free_ports

SERVICES = ["locator", "scraper", "bookmarks", "gateway"]
IDLE_MAX_MIB = 30


def run(tools: Toolbox, settings: Settings) -> Report:
    report, redis = Report("footprint"), tools.tool("redis-server", ["--version"])
    for round, name in settings.interleaved(SERVICES + (["redis"] if redis else [])):
        try:
            if name == "redis":
                report.add("redis", "start", round, p50_us=start_of_redis(redis) * 1e6)
                continue
            with Suite(tools, "footprint") as suite:
                service = suite.start(name)
                report.add("odi", f"{name}: start", round, p50_us=service.ready_s * 1e6)
                time.sleep(0.3)
                report.add("odi", f"{name}: idle", round, bytes=resident(service.pid))
        except Failed as failure:
            report.failures.append(f"{name}: {failure}")
    for name in SERVICES:
        report.goal(f"MiB resident, odi-{name} idle", "<=", IDLE_MAX_MIB,
                    scaled(report.median("odi", f"{name}: idle", "bytes"), 1 / (1 << 20)))
        report.goal(f"of redis-server's time from start to ready, odi-{name}", "<=", 3,
                    report.ratio("odi", "redis", f"{name}: start", "p50_us", "start"))
    report.notes.append("start is p50_us: from the process's start until /readyz, or redis's port, answers")
    return report


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
