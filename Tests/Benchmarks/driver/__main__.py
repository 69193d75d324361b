"""deploy/bench rpc|rpc-parts|codec|http|storage|fetch|extract|nearby|bookmarks|footprint|recommend|timetable|all [--quick] [--json FILE] [--rounds N] [--seed N] [--counts [--record|--install]]"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import (
    bookmarks, codec, extract, fetch, footprint, nearby, recommend, report, rpc, rpc_parts, storage, thresholds,
    timetable, web)
from .peers import Toolbox, counting_tools
from .processes import Failed
from .settings import Settings

BENCHES = {
    "rpc": rpc, "rpc-parts": rpc_parts, "codec": codec, "http": web, "storage": storage, "fetch": fetch,
    "extract": extract, "nearby": nearby, "bookmarks": bookmarks, "footprint": footprint, "recommend": recommend,
    "timetable": timetable,
}
COUNTED = [name for name, module in BENCHES.items() if hasattr(module, "count")]


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="deploy/bench", description="Measures ours beside its peers. Times are printed and decide nothing; "
        "counts (bytes, allocations, instructions) are compared with Tests/Benchmarks/thresholds.json by --counts.")
    parser.add_argument("name", choices=[*BENCHES, "all"])
    parser.add_argument("--quick", action="store_true", help="three short rounds instead of seven longer ones")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows there too")
    parser.add_argument("--rounds", type=int, metavar="N", help="that many rounds")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the order within the rounds")
    parser.add_argument("--counts", action="store_true", help=f"only what is counted, against the thresholds ({', '.join(COUNTED)})")
    parser.add_argument("--install", action="store_true", help="with --counts: only what it needs besides ours")
    parser.add_argument("--record", action="store_true", help="with --counts: write what is measured as the thresholds")
    options = parser.parse_args()
    if options.counts and options.name not in (*COUNTED, "all"):
        parser.error(f"--counts is for {', '.join(COUNTED)}")
    if (options.record or options.install) and not options.counts:
        parser.error("--record and --install go with --counts")
    return options


def counted(name: str, tools: Toolbox, record: bool) -> report.Report:
    found = BENCHES[name].count(tools)
    if record:
        thresholds.record(found)
    else:
        thresholds.compare(found)
    return found


def main() -> int:
    options, tools, reports = parsed(), Toolbox(), []
    settings = Settings.of(options.quick, options.rounds, options.seed)
    if options.install:
        counting_tools(tools)
        return 0
    every = COUNTED if options.counts else list(BENCHES)
    for name in every if options.name == "all" else [options.name]:
        try:
            found = counted(name, tools, options.record) if options.counts else BENCHES[name].run(tools, settings)
        except Failed as failure:
            found = report.Report(name, failures=[str(failure)])
        report.print_report(found)
        reports.append(found)
    print("\nversions")
    for name, version in tools.versions.items():
        print(f"  {name}: {version}")
    for name, why in tools.missing.items():
        print(f"MISSING {name}: {why}")
    if options.json:
        options.json.write_text(report.as_json(options.name, reports, tools.versions, tools.missing))
    # Once more, where who sees the end alone sees it.
    for found in reports:
        for failure in found.failures:
            print(f"FAILED {found.bench}: {failure}")
    return 1 if any(found.failures for found in reports) else 0


sys.exit(main())
