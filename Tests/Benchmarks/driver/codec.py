"""The codec: our two tiers, Foundation's JSON and protobuf C++ on the same values.

Encoding is from a value into a reused buffer, decoding is into a fresh value that is then dropped. `odi-bench` holds our
tiers and Foundation's JSON; all programs take the same verbs.
"""

from __future__ import annotations

from .peers import Toolbox, counting_tools
from .processes import Allocations, Failed, instructions, lines_of_json, output
from .report import Report
from .settings import Settings

PLAIN, LAYOUT, JSON, PROTOBUF = "odi", "odi-layout", "foundation-json", "protobuf-cpp"

# How often a case is repeated to be counted: enough that the noise of starting is far below one in a hundred.
ITERATIONS = {"request": 2000, "reply": 500, "schedule": 50, "blob": 100, "doubles": 50}

COUNTED = ("request", "reply", "schedule")


def run(tools: Toolbox, settings: Settings) -> Report:
    report = Report("codec")
    ours, theirs = str(tools.odi()), tools.program("protobuf-cpp")
    commands = [[ours, "codec", "run"]] + ([[str(theirs), "run"]] if theirs else [])
    cases: set[tuple[str, str]] = set()
    for round, command in settings.interleaved(commands):
        try:
            lines = lines_of_json(output([*command, "--seconds", str(settings.seconds / 20)], timeout=300))
        except Failed as failure:
            report.failures.append(str(failure))
            continue
        for line in lines:
            report.add(line["candidate"], line["case"], round, ns=line["ns"], bytes=line["bytes"], ops_s=1e9 / line["ns"])
            cases.add((line["candidate"], line["case"]))
    if tools.program("allocations.so"):
        for candidate, case in sorted(cases):
            program = [ours, "codec"] if candidate in (PLAIN, LAYOUT, JSON) else [str(theirs)]
            report.count(candidate, case, allocations=allocations(program, candidate, case))
    goals(report)
    return report


def once(program: list[str], candidate: str, case: str, iterations: int) -> list[str]:
    return [*program, "once", "--case", f"{candidate}/{case}", "--iterations", str(iterations)]


def allocations(program: list[str], candidate: str, case: str) -> float:
    """Per operation: what a run with ten times the repetitions allocates more."""
    totals = []
    few = ITERATIONS[case.split(".")[0]] // 10
    for iterations in (few, few * 10):
        counter = Allocations("codec")
        output(once(program, candidate, case, iterations), environment={
            **counter.environment, "SWIFT_DETERMINISTIC_HASHING": "1"})
        totals.append(counter.count())
    return (totals[1] - totals[0]) / (few * 9)


def goals(report: Report) -> None:
    for case, plain, layout, foundation in (("reply.encode", 1.4, 0.6, 15), ("reply.decode", 1.5, 0.85, 9)):
        report.goal(f"of protobuf C++'s time, {case}, plain Codable", "<=", plain,
                    report.ratio(PLAIN, PROTOBUF, case, "ns"))
        report.goal(f"of protobuf C++'s time, {case}, layout tier", "<=", layout,
                    report.ratio(LAYOUT, PROTOBUF, case, "ns"))
        report.goal(f"times as fast as Foundation's JSON, {case}, plain Codable", ">=", foundation,
                    report.ratio(JSON, PLAIN, case, "ns"))
    for candidate in (PLAIN, LAYOUT):
        report.goal(f"allocations to encode a reply into a reused buffer, {candidate}", "<=", 0,
                    report.median(candidate, "reply.encode", "allocations"))


def count(tools: Toolbox) -> Report:
    """Instructions, bytes and allocations of our tiers on what a connection carries."""
    report, ours = Report("codec"), str(tools.odi())
    counting_tools(tools)
    sizes = {(line["candidate"], line["case"]): line["bytes"] for line in lines_of_json(
        output([ours, "codec", "run", "--seconds", "0.001"], timeout=300))}
    for (candidate, case), size in sizes.items():
        payload = case.split(".")[0]
        if candidate == JSON or payload not in COUNTED:
            continue
        few = ITERATIONS[payload] // 10  # the short run does everything that is done once, so the difference is pure
        short, long = (instructions(once([ours, "codec"], candidate, case, times)) for times in (few, few * 5))
        report.count(candidate, case, instructions=round((long - short) / (few * 4)), bytes=size,
                     allocations=allocations([ours, "codec"], candidate, case))
    return report
