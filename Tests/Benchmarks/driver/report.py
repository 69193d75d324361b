"""Samples of interleaved rounds, their medians, the ratios we want to reach, and how all of it is printed."""

from __future__ import annotations

import json
import platform
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

# In this order; whatever else a benchmark measures stands behind them.
FIELDS = [
    "ops_s", "p50_us", "p99_us", "client_cpu_us", "server_cpu_us", "allocations", "client_allocations", "syscalls",
    "client_syscalls", "least_syscalls", "ns", "bytes", "instructions", "bytes_per_stream",
    "ndcg",
]


@dataclass
class Goal:
    """A ratio to reach: `measured` is to be at most, or at least, `limit`."""

    text: str
    relation: str  # "<=" or ">="
    limit: float
    measured: float | None  # None: a candidate is missing

    @property
    def verdict(self) -> str:
        if self.measured is None:
            return "not measured"
        met = self.measured <= self.limit if self.relation == "<=" else self.measured >= self.limit
        return "reached" if met else "NOT reached"


@dataclass
class Report:
    """Everything one benchmark found."""

    bench: str
    samples: dict[tuple[str, str], list[dict]] = field(default_factory=dict)  # (candidate, mode) → one per round
    counts: dict[tuple[str, str], dict] = field(default_factory=dict)
    goals: list[Goal] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def add(self, candidate: str, mode: str, round: int, **values: float) -> None:
        self.samples.setdefault((candidate, mode), []).append({"round": round, **values})

    def count(self, candidate: str, mode: str, **values: float) -> None:
        self.counts.setdefault((candidate, mode), {}).update(values)

    def median(self, candidate: str, mode: str, name: str) -> float | None:
        values = [sample[name] for sample in self.samples.get((candidate, mode), []) if name in sample]
        return median(values) if values else self.counts.get((candidate, mode), {}).get(name)

    def ratio(self, ours: str, theirs: str, mode: str, name: str, theirs_mode: str | None = None) -> float | None:
        """The median of the ratios within each round, so that a slow minute of the machine falls on both alike."""
        mine = {sample["round"]: sample[name] for sample in self.samples.get((ours, mode), []) if name in sample}
        other = self.samples.get((theirs, theirs_mode or mode), [])
        ratios = [
            mine[sample["round"]] / sample[name]
            for sample in other if sample["round"] in mine and sample.get(name)]
        return median(ratios) if ratios else None

    def goal(self, text: str, relation: str, limit: float, measured: float | None) -> None:
        self.goals.append(Goal(text, relation, limit, measured))

    def rows(self) -> list[dict]:
        keys = sorted({*self.samples, *self.counts}, key=lambda key: (key[1], not key[0].startswith("odi"), key[0]))
        names = {name for values in (*sum(self.samples.values(), []), *self.counts.values()) for name in values}
        rows = []
        for candidate, mode in keys:
            row: dict = {"candidate": candidate, "mode": mode, "samples": len(self.samples.get((candidate, mode), []))}
            for name in [*FIELDS, *sorted(names - {"round", *FIELDS})]:
                value = self.median(candidate, mode, name)
                if value is not None:
                    row[name] = round(value, 3)
            rows.append(row)
        return rows


def shown(value: object) -> str:
    if isinstance(value, (int, float)):
        if value >= 1000:
            return f"{value:,.0f}"
        return f"{value:.{2 if value >= 1 else 3}f}".rstrip("0").rstrip(".")
    return "" if value is None else str(value)


def table(rows: list[dict]) -> str:
    found = dict.fromkeys(name for row in rows for name in row)
    names = ["candidate", "mode", *[name for name in FIELDS if name in found]]
    names += [name for name in found if name not in (*names, "samples")]
    cells = [names] + [[shown(row.get(name)) for name in names] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(names))]
    lines = []
    for row in cells:
        lines.append("  ".join(
            cell.ljust(width) if i < 2 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))))
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(line.rstrip() for line in lines)


def machine() -> dict:
    model = ""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return {"kernel": platform.release(), "machine": platform.machine(), "processor": model}


def print_report(report: Report) -> None:
    print(f"\n== {report.bench}: medians of interleaved rounds\n")
    print(table(report.rows()))
    if report.goals:
        print("\nratios")
        for goal in report.goals:
            measured = "" if goal.measured is None else f"{goal.measured:.2f}"
            print(f"  {goal.verdict:<12}  {measured:>7}  {goal.relation} {goal.limit:<6g} {goal.text}")
    for note in report.notes:
        print(f"note: {note}")
    for failure in report.failures:
        print(f"FAILED: {failure}")


def as_json(name: str, reports: list[Report], versions: dict[str, str], missing: dict[str, str]) -> str:
    rows, goals = [], []
    for report in reports:
        named = {"bench": report.bench} if name == "all" else {}
        rows += [{**named, **row} for row in report.rows()]
        goals += [
            {**named, "text": goal.text, "relation": goal.relation, "limit": goal.limit,
             "measured": None if goal.measured is None else round(goal.measured, 4), "verdict": goal.verdict}
            for goal in report.goals]
    return json.dumps(
        {"bench": name, "rows": rows, "ratios": goals, "versions": versions, "missing": missing,
         "failures": [failure for report in reports for failure in report.failures], "machine": machine()},
        indent=2, ensure_ascii=False) + "\n"
