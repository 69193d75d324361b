"""Runs the suites that are named, or all; ends with 1 if a sentence did not hold."""

import argparse
import importlib
import os
import sys
import time
import traceback

from playwright.sync_api import sync_playwright

from world import World

SUITES = ["words", "contrast", "security", "flows", "times", "races", "place", "saved", "live", "keyboard", "nojs",
          "offline", "budgets"]


def where(error):
    """The line of a suite that an error came from."""
    lines = [f for f in traceback.extract_tb(error.__traceback__) if "suite_" in f.filename]
    return f" at {os.path.basename(lines[-1].filename)}:{lines[-1].lineno}" if lines else ""


def main():
    parser = argparse.ArgumentParser(prog="deploy/test-page")
    parser.add_argument("suites", nargs="*", help=", ".join(SUITES))
    parser.add_argument("--full", action="store_true", help="every language, theme and width of every state")
    parser.add_argument("--shots", help="a folder for pictures of every state")
    options = parser.parse_args()
    wrong = [name for name in options.suites if name not in SUITES]
    if wrong:
        parser.error(f"no suite is called {', '.join(wrong)}; there are {', '.join(SUITES)}")
    options.root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    started = time.monotonic()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        world = World(browser, os.environ["ODI_URL"], options)
        for name in options.suites or SUITES:
            world.suite = name
            before, at = world.passed, time.monotonic()
            try:
                importlib.import_module("suite_" + name).run(world)
            except Exception as error:
                world.check(False, "the suite ran to its end", f"{error}"[:400] + where(error))
            print(f"  {name:10} {world.passed - before:4} held   {time.monotonic() - at:5.1f} s", flush=True)
        browser.close()
    for failure in world.failures:
        print("FAILED " + failure)
    print(f"{world.passed} passed, {len(world.failures)} failed, {time.monotonic() - started:.0f} s")
    return 1 if world.failures else 0


if __name__ == "__main__":
    sys.exit(main())
