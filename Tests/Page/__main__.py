"""Runs the suites that are named, or all, one more at a time than there are cores; ends with 1 if a sentence did not hold."""

import argparse
import contextlib
import faulthandler
import importlib
import multiprocessing
import os
import sys
import time
import traceback

from playwright.sync_api import sync_playwright

from world import LANGUAGES, World

# The longest first, so that no core is left with it at the end.
SUITES = ["flows", "shots", "visual", "keyboard", "security", "times", "tonight", "nojs", "words", "reading", "races", "again", "festival", "radio", "discover", "dinner", "news",
          "mine", "journeys", "offline", "place", "contrast", "saved", "live", "missing", "hostile", "budgets"]
# What measures times, takes the gateway or a service away from all others, or changes what they look at.
ALONE = {"saved", "live", "missing", "hostile", "budgets"}
# No part takes so long: one that waits for what never comes tells where, and ends its browser.
PART_SECONDS = 300


def units(name, options):
    """A suite's parts, each of which can run beside the others: its `units`, or all of it."""
    module = importlib.import_module("suite_" + name)
    return module.units(options) if hasattr(module, "units") else [module.run]


def where(error):
    """The line of a suite that an error came from."""
    lines = [f for f in traceback.extract_tb(error.__traceback__) if "suite_" in f.filename]
    return f" at {os.path.basename(lines[-1].filename)}:{lines[-1].lineno}" if lines else ""


@contextlib.contextmanager
def opened(options):
    """A browser, and the world seen through it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        world = World(browser, os.environ["ODI_URL"], options)
        yield world
        world.close()
        browser.close()


def sheet_of(options):
    import sheet
    with opened(options) as world:
        if options.sheet:
            sheet.make(world, options.sheet)
        if options.screens:
            sheet.screens(world, options.screens)
        return 1 if world.failures else 0


def work(options, tasks, results):
    """Parts of suites, as long as there are any, and time for them."""
    with opened(options) as world:
        for name, index in iter(tasks.get, None):
            if time.monotonic() > options.until:
                results.put((name, 0, [], 0.0, False))
                continue
            world.suite, world.passed, world.failures = name, 0, []
            at = time.monotonic()
            faulthandler.dump_traceback_later(PART_SECONDS, exit=True)
            try:
                units(name, options)[index](world)
            except Exception as error:
                world.check(False, "the suite ran to its end", f"{error}"[:400] + where(error))
            faulthandler.cancel_dump_traceback_later()
            results.put((name, world.passed, world.failures, time.monotonic() - at, True))
            if options.full:
                print(f"    part {index + 1} of {name}: {world.passed} held, {time.monotonic() - at:.0f} s", flush=True)


def run(options, names, workers, tell):
    """All parts of these suites over so many browsers."""
    tasks, results = multiprocessing.Queue(), multiprocessing.Queue()
    left = {name: len(units(name, options)) for name in names}
    for name in names:
        for index in range(left[name]):
            tasks.put((name, index))
    crew = [multiprocessing.Process(target=work, args=(options, tasks, results)) for _ in range(workers)]
    for worker in crew:
        tasks.put(None)
        worker.start()
    totals = {name: [0, [], 0.0, 0, left[name]] for name in names}
    while any(left.values()):
        try:
            name, passed, failures, seconds, done = results.get(timeout=1)
        except multiprocessing.queues.Empty:
            if any(worker.exitcode not in (None, 0) for worker in crew):
                raise SystemExit("a browser's process ended before its work was done")
            continue
        total = totals[name]
        total[0] += passed
        total[1] += failures
        total[2] += seconds
        total[3] += done
        left[name] -= 1
        if not left[name]:
            tell(name, *total)
    for worker in crew:
        worker.join()


def main():
    parser = argparse.ArgumentParser(prog="deploy/test-page")
    parser.add_argument("suites", nargs="*", help=", ".join(SUITES))
    parser.add_argument("--full", action="store_true", help="every language, theme and width of every state")
    parser.add_argument("--lang", choices=LANGUAGES, help="with --full: this language alone, for a run in pieces")
    parser.add_argument("--minutes", type=float, default=25,
                        help="after so many no further part is begun, and what was left out is told")
    parser.add_argument("--shots", help="a folder for pictures of every state")
    parser.add_argument("--sheet", help="writes the contact sheet there, and does nothing else")
    parser.add_argument("--screens", help="writes the manifest's pictures into that folder, and does nothing else")
    # A browser waits more than it computes.
    parser.add_argument("--jobs", type=int, default=(os.cpu_count() or 1) + 1, help="browsers at a time")
    options = parser.parse_args()
    wrong = [name for name in options.suites if name not in SUITES]
    if wrong:
        parser.error(f"no suite is called {', '.join(wrong)}; there are {', '.join(SUITES)}")
    options.root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if options.sheet or options.screens:
        return sheet_of(options)
    started = time.monotonic()
    options.until = started + options.minutes * 60
    held, failures = 0, []

    def tell(name, passed, failed, seconds, done, parts):
        nonlocal held
        held += passed
        failures.extend(failed)
        left = "" if done == parts else f"   {parts - done} of {parts} parts had no time"
        print(f"  {name:10} {passed:4} held   {seconds:5.1f} s{left}", flush=True)
        if left and not options.full:
            failures.append(f"{name}: only {done} of {parts} parts were done in {options.minutes:g} minutes")

    names = [name for name in SUITES if not options.suites or name in options.suites]
    beside = [name for name in names if name not in ALONE]
    if beside:
        run(options, beside, max(1, options.jobs), tell)
    if len(beside) < len(names):
        run(options, [name for name in names if name in ALONE], 1, tell)
    for failure in failures:
        print("FAILED " + failure)
    print(f"{held} passed, {len(failures)} failed, {time.monotonic() - started:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    sys.exit(main())
