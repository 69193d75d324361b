"""Storage: durable single-row writes, ours with 64 callers whose writes share commits, SQLite with one commit each."""

from __future__ import annotations

import shutil
from pathlib import Path

from .paths import scratch
from .peers import Toolbox
from .processes import Allocations, Failed, last_line, measured, system_calls_of
from .report import Report
from .settings import Settings

CALLERS = 64


def run(tools: Toolbox, settings: Settings) -> Report:
    report, odi, peer = Report("storage"), str(tools.odi()), tools.program("sqlite-c")
    things: list[tuple[str, str, list[str]]] = [
        ("odi", f"{CALLERS} callers", [odi, "storage", "run", "--callers", str(CALLERS)]),
        ("odi", "1 caller", [odi, "storage", "run", "--callers", "1"]),
    ]
    if peer:
        things.append(("sqlite-c", "one transaction per write", [str(peer), "run"]))
    for round, (candidate, mode, command) in settings.interleaved(things):
        try:
            result = measured(at_fresh(command, settings.seconds))
        except Failed as failure:
            report.failures.append(f"{candidate}, {mode}: {failure}")
            continue
        report.add(candidate, mode, round, ops_s=result["ops"] / result["seconds"], p50_us=result["p50_us"],
                   p99_us=result["p99_us"], client_cpu_us=result["cpu_us"] / max(1, result["ops"]))
    counts(report, tools, things)
    report.goal(f"times the durable writes per second, {CALLERS} callers against one transaction per write", ">=", 10,
                report.ratio("odi", "sqlite-c", f"{CALLERS} callers", "ops_s", "one transaction per write"))
    report.notes.append("client_cpu_us is the whole process; the database lies on the disk of the tree")
    shutil.rmtree(folder(), ignore_errors=True)
    return report


def folder() -> Path:
    return scratch("database")


def at_fresh(command: list[str], seconds: float) -> list[str]:
    """The command with a database that does not exist yet; the warm-up lets its log grow to the size it then keeps."""
    shutil.rmtree(folder(), ignore_errors=True)
    folder().mkdir(parents=True)
    verb = command[:command.index("run") + 1]
    rest = command[len(verb):]
    return [*verb, "--path", str(folder() / "bench.db"), *rest, "--seconds", str(seconds), "--warmup", str(seconds)]


def counts(report: Report, tools: Toolbox, things: list[tuple[str, str, list[str]]]) -> None:
    tools.install(["strace"])
    preload = tools.program("allocations.so")
    for candidate, mode, command in things:
        try:
            if preload:
                totals = []
                for seconds in (0.1, 0.5):
                    counter = Allocations("storage")
                    result = measured(at_fresh(command, seconds), environment=counter.environment)
                    totals.append((counter.count(), result["total"]))
                (few, few_writes), (many, many_writes) = totals
                report.count(candidate, mode, allocations=max(0, many - few) / max(1, many_writes - few_writes))
            made, printed = system_calls_of(at_fresh(command, 0.5))
            report.count(candidate, mode, syscalls=made / max(1, last_line(printed)["total"]))
        except Failed as failure:
            report.notes.append(f"counts of {candidate}, {mode}: {failure}")

