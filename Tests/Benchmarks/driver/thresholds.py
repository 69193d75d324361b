"""What may be counted at most: thresholds.json holds what was measured when it was last recorded."""

from __future__ import annotations

import json
import math

from .paths import THRESHOLDS
from .report import Report

# How far above its threshold a count may be, as a factor and as an amount. Instructions wander by a hundredth with the
# addresses that a process gets; what is done once in a run shows as a trace in its allocations. Of system calls a share
# may be more, because the tracer itself makes the peer late, and then a turn finds nothing: a share, so that one more for
# each request, or for each sixteen that come together, is over it. The least of several runs knows less of such
# chance, and was still seen between 0.10 and 0.16 for each request: twice as much is neither, and writes that no longer
# leave together would be ten times as much.
TOLERANCES = {
    "instructions": (1.05, 0.0), "client_instructions": (1.05, 0.0), "bytes": (1.0, 0.0),
    "allocations": (1.0, 0.02), "client_allocations": (1.0, 0.02), "syscalls": (1.25, 0.02),
    "least_syscalls": (2.0, 0.0), "bytes_per_stream": (1.1, 0.0),
}

# What is promised whatever was recorded.
CEILINGS = {"bytes_per_stream": 1024}

# Over sockets: how many requests a turn finds, and so how often a buffer grows or a timer is set, is not ours to say.
# One allocation more in every tenth request is what a mistake costs at least.
OVER_SOCKETS = {**TOLERANCES, "allocations": (1.0, 0.1), "client_allocations": (1.0, 0.1)}


def tolerances(bench: str) -> dict[str, tuple[float, float]]:
    return TOLERANCES if bench == "codec" else OVER_SOCKETS


def load() -> dict:
    return json.loads(THRESHOLDS.read_text()) if THRESHOLDS.exists() else {}


def counted(report: Report) -> dict[str, dict[str, float]]:
    """Ours only: what a peer costs is none of our promises."""
    return {
        f"{candidate}/{mode}": {name: value for name, value in counts.items() if name in TOLERANCES}
        for (candidate, mode), counts in sorted(report.counts.items()) if candidate.startswith("odi")}


def record(report: Report) -> None:
    held = load()
    held[report.bench] = {
        name: {what: round(value, 2 if value >= 1 else 3) for what, value in counts.items()}
        for name, counts in counted(report).items()}
    THRESHOLDS.write_text(json.dumps(held, indent=2, sort_keys=True) + "\n")
    report.notes.append(f"recorded in {THRESHOLDS.name}")


def compare(report: Report) -> None:
    limits, found = load().get(report.bench, {}), counted(report)
    if not limits:
        report.failures.append(f"{THRESHOLDS.name} knows nothing of {report.bench}; write it with --counts --record")
    for name, most in limits.items():
        if name not in found:
            report.failures.append(f"{name} has thresholds and was not measured")
            continue
        for what, limit in most.items():
            factor, amount = tolerances(report.bench)[what]
            most = min(limit * factor + amount, CEILINGS.get(what, math.inf))
            value = found[name].get(what)
            if value is None:
                report.failures.append(f"{name}: {what} was not measured")
            elif value > most:
                report.failures.append(f"{name}: {value:g} {what}, recorded {limit:g}, at most {most:g}")
            elif what.endswith("instructions") and value < limit / factor:
                report.notes.append(f"{name}: {value:g} {what}, recorded {limit:g}: record what was won")
    for name in found:
        if name not in limits:
            report.failures.append(f"{name} has no threshold; write it with --counts --record")
