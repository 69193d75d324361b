"""RPC: a typed request of the 32 B class, a reply of three cinemas of the 568 B class, closed loop, one thread a side.

Client CPU is getrusage in the measured window; server CPU is the scheduler's count over the client's whole run divided
by all its calls. Latency is that of one slot of each connection, which with one call outstanding is every call.
"""

from __future__ import annotations


from .peers import Toolbox, counting_tools
from .processes import (
    Allocations, Failed, Instructions, Server, SystemCalls, cpu_us, last_line, measured, pause_between_samples,
    system_calls_of)
from .report import Report
from .settings import Settings

MODES = {"1x1": (1, 1), "1x64": (1, 64), "1x256": (1, 256), "16x16": (16, 16)}

# A virtual machine that halts between packets answers in some 60 us, one that stays awake in some 15; each sample of
# one outstanding call falls into one of the two by chance, so only samples of the same state are compared.
HOT_P50_US = 40.0
HOT_STATES = ("hot", "cold")
RUNS_FOR_LEAST = 8
CALLS_COUNTED = 500  # at least, so that what is done now and then has its share in an average
ONE_OUTSTANDING_SAMPLES = 5  # for each round: short ones, so that both states are met


# As long as it looks for an answer instead of sleeping, a client executes what nobody can foresee.
ASLEEP = ["--awake", "false"]


class Candidate:
    def __init__(self, name: str, server: list[str], client: list[str], asleep: list[str] = []):
        self.name, self.server, self.client, self.asleep = name, server, client, asleep


def ours(tools: Toolbox) -> list[Candidate]:
    odi = str(tools.odi())
    return [
        Candidate("odi", [odi, "rpc-server", "--handlers", "async"], [odi, "rpc-client"], ASLEEP),
        Candidate("odi-sync", [odi, "rpc-server", "--handlers", "sync"], [odi, "rpc-client"], ASLEEP),
    ]


def candidates(tools: Toolbox) -> list[Candidate]:
    found = ours(tools)
    for name in ("c-libuv", "grpc-cpp", "capnp"):
        program = tools.program(name)
        if program:
            found.append(Candidate(name, [str(program), "server"], [str(program), "client"]))
    return found


def client(candidate: Candidate, port: int, mode: str, seconds: float, warmup: float) -> list[str]:
    connections, outstanding = MODES[mode]
    return [
        *candidate.client, "--port", str(port), "--connections", str(connections), "--outstanding", str(outstanding),
        "--seconds", str(seconds), "--warmup", str(warmup)]


def run(tools: Toolbox, settings: Settings) -> Report:
    report, everyone = Report("rpc"), candidates(tools)
    tools.install(["strace"])
    tools.program("allocations.so")
    servers: dict[str, Server] = {}
    texts: dict[str, int] = {}
    try:
        for candidate in everyone:
            servers[candidate.name] = Server([*candidate.server, "--port", "0"])
        things = [(c, mode) for c in everyone for mode in MODES for _ in range(
            ONE_OUTSTANDING_SAMPLES if mode == "1x1" else 1)]
        for round, (candidate, mode) in settings.interleaved(things):
            if candidate.name not in servers:
                continue
            server = servers[candidate.name]
            seconds = settings.seconds / 2 if mode == "1x1" else settings.seconds
            try:
                before = cpu_us(server.pid)
                result = measured(client(candidate, server.port, mode, seconds, seconds / 4), timeout=seconds * 4 + 20)
                used = cpu_us(server.pid) - before
            except Failed as failure:
                report.failures.append(f"{candidate.name} {mode}: {failure}")
                continue
            texts[candidate.name] = result["text"]
            values = {
                "ops_s": result["ops"] / result["seconds"], "p50_us": result["p50_us"], "p99_us": result["p99_us"],
                "client_cpu_us": result["cpu_us"] / max(1, result["ops"]), "server_cpu_us": used / result["total"]}
            report.add(candidate.name, mode, round, **values)
            if mode == "1x1":
                state = "hot" if values["p50_us"] < HOT_P50_US else "cold"
                report.add(candidate.name, f"1x1 {state}", round, **values)
            pause_between_samples()
    finally:
        for server in servers.values():
            server.__exit__()
    if len(set(texts.values())) > 1:
        report.failures.append(f"the candidates did not move the same strings: {texts}")
    count_all(report, everyone)
    goals(report)
    return report


def count_all(report: Report, everyone: list[Candidate]) -> None:
    """What a call allocates and how many system calls it makes, in runs of their own: counting slows what it counts.
    (With many outstanding, system calls are shared by as many calls as happened to arrive.)"""
    for candidate in everyone:
        for mode in MODES:
            try:
                report.count(candidate.name, mode, **allocations(candidate, mode), **system_calls(candidate, mode),
                             client_syscalls=client_system_calls(candidate, mode))
            except Failed as failure:
                report.notes.append(f"counts of {candidate.name}, {mode}: {failure}")


def count(tools: Toolbox) -> Report:
    """Allocations, system calls and instructions of our side."""
    report = Report("rpc")
    counting_tools(tools)
    for candidate in ours(tools):
        report.count(candidate.name, "1x64", **allocations(candidate, "1x64"), least_syscalls=least_system_calls(candidate, "1x64"))
        report.count(candidate.name, "1x1", **system_calls(candidate, "1x1"), **instructions(candidate, "1x1"))
    return report


def instructions(candidate: Candidate, mode: str) -> dict[str, float]:
    """A call's on either side: what a longer run executes more. Where others work too, it has to be longer still."""
    for seconds in (0.5, 2.0, 8.0):
        (few, *less), (many, *more) = (counted_run(candidate, mode, length) for length in (seconds, 6 * seconds))
        if many - few >= CALLS_COUNTED:
            at_server, at_client = (round((much - little) / (many - few)) for little, much in zip(less, more))
            return {"instructions": at_server, "client_instructions": at_client}
    raise Failed(f"{candidate.name}, {mode}: {many - few} calls under callgrind, {CALLS_COUNTED} are wanted")


def counted_run(candidate: Candidate, mode: str, seconds: float) -> tuple[int, int, int]:
    """Calls, and the instructions of the server and the client from their starts to their ends."""
    there, here = Instructions("server"), Instructions("client")
    with Server(there.counting([*candidate.server, "--port", "0"]), there.environment) as server:
        command = here.counting([*client(candidate, server.port, mode, seconds, 0.2), *candidate.asleep])
        calls = measured(command, environment=here.environment)["total"]
    return calls, there.total, here.total


def allocations(candidate: Candidate, mode: str) -> dict[str, float]:
    here, there = Allocations(f"{candidate.name}-server"), []
    with Server([*candidate.server, "--port", "0"], here.environment) as server:
        measured(client(candidate, server.port, mode, 0.1, 0.05))  # first-use costs are not a call's
        before = here.count()
        for seconds in (0.1, 0.5):
            counter = Allocations(f"{candidate.name}-client-{seconds}")
            result = measured(client(candidate, server.port, mode, seconds, 0.05), environment=counter.environment)
            there.append((counter.count(), result["total"]))
        served = sum(total for _, total in there)
        at_server = (here.count() - before) / served
    (few, few_calls), (many, many_calls) = there
    return {
        "allocations": max(0.0, at_server),
        "client_allocations": max(0.0, (many - few) / max(1, many_calls - few_calls))}


def system_calls(candidate: Candidate, mode: str) -> dict[str, float]:
    with Server([*candidate.server, "--port", "0"]) as server:
        with SystemCalls(server.pid) as calls:
            result = measured(client(candidate, server.port, mode, 0.5, 0.1))
        if not result["total"]:
            raise Failed(f"{candidate.name}, {mode}: no call was answered")
        return {"syscalls": calls.total / result["total"]}


def least_system_calls(candidate: Candidate, mode: str) -> float:
    """Of several runs: how many requests a turn finds is chance, but with a server that strace holds up it is soon as many
    as there are, and fewer calls than those turns make nobody makes."""
    return min(system_calls(candidate, mode)["syscalls"] for _ in range(RUNS_FOR_LEAST))


def client_system_calls(candidate: Candidate, mode: str) -> float:
    """A call's: what a longer run makes more."""
    totals = []
    with Server([*candidate.server, "--port", "0"]) as server:
        for seconds in (0.1, 0.5):
            made, printed = system_calls_of(client(candidate, server.port, mode, seconds, 0.05))
            totals.append((made, last_line(printed)["total"]))
    (few, few_calls), (many, many_calls) = totals
    return max(0, many - few) / max(1, many_calls - few_calls)


def goals(report: Report) -> None:
    def ratio(theirs: str, mode: str, name: str) -> float | None:
        return report.ratio("odi", theirs, mode, name)

    report.goal("of gRPC C++'s calls per second, 64 outstanding on one connection", ">=", 5,
                ratio("grpc-cpp", "1x64", "ops_s"))
    report.goal("of gRPC C++'s calls per second, 256 outstanding", ">=", 6, ratio("grpc-cpp", "1x256", "ops_s"))
    report.goal("of gRPC C++'s server CPU per call, 64 outstanding", "<=", 0.2,
                ratio("grpc-cpp", "1x64", "server_cpu_us"))
    for theirs, limit, name in (("c-libuv", 1.1, "the C limit"), ("grpc-cpp", 0.85, "gRPC C++")):
        for state in HOT_STATES:
            mode = f"1x1 {state}"
            mine, other = report.median("odi", mode, "p50_us"), report.median(theirs, mode, "p50_us")
            if mine is not None and other is not None:
                report.goal(f"of {name}'s p50, 1 outstanding, {state} ({samples(report, mode)} samples of ours)", "<=",
                            limit, mine / other)
        if not any(report.samples.get((theirs, f"1x1 {state}")) and report.samples.get(("odi", f"1x1 {state}"))
                   for state in HOT_STATES):
            report.goal(f"of {name}'s p50, 1 outstanding: no two samples in the same state", "<=", limit, None)


def samples(report: Report, mode: str) -> int:
    return len(report.samples.get(("odi", mode), []))
