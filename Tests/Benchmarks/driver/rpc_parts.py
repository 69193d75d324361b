"""What one call at a time is made of: the limit in C, our loop with the same bytes, the protocol with an answer of opaque
bytes, an answer of values, a caller that waits in a task, a handler that may wait. Each does one thing more."""

from __future__ import annotations

from .peers import Toolbox, counting_tools
from .processes import Failed, Server, measured, pause_between_samples
from .report import Report
from .rpc import ASLEEP, HOT_P50_US, ONE_OUTSTANDING_SAMPLES, Candidate, client, instructions, ours
from .settings import Settings

MODE = "1x1"


def run(tools: Toolbox, settings: Settings) -> Report:
    report, everyone = Report("rpc-parts"), parts(tools)
    servers: dict[str, Server] = {}
    try:
        for part in everyone:
            servers[part.name] = Server([*part.server, "--port", "0"])
        for round, part in settings.interleaved([part for part in everyone for _ in range(ONE_OUTSTANDING_SAMPLES)]):
            seconds = settings.seconds / 2
            try:
                result = measured([*client(part, servers[part.name].port, MODE, seconds, seconds / 4), *part.asleep])
            except Failed as failure:
                report.failures.append(f"{part.name}: {failure}")
                continue
            state = "hot" if result["p50_us"] < HOT_P50_US else "cold"
            report.add(part.name, f"{MODE} {state}", round, p50_us=result["p50_us"], p99_us=result["p99_us"])
            pause_between_samples()
    finally:
        for server in servers.values():
            server.__exit__()
    counting_tools(tools)
    for part in everyone:
        try:
            report.count(part.name, MODE, **instructions(part, MODE))
        except Failed as failure:
            report.notes.append(f"instructions of {part.name}: {failure}")
    report.notes.append("from one to the next: " + ", ".join(part.name for part in everyone))
    return report


def parts(tools: Toolbox) -> list[Candidate]:
    odi = str(tools.odi())

    def part(name: str, handlers: str) -> Candidate:
        return Candidate(f"odi-{name}", [odi, "rpc-server", "--handlers", handlers], [odi, "rpc-client", "--part", name], ASLEEP)

    limit = tools.must("c-libuv")
    return [
        Candidate("c-libuv", [str(limit), "server"], [str(limit), "client"]),
        part("bytes", "bytes"), part("opaque", "sync"), part("values", "sync"), *reversed(ours(tools))]
