"""Python's readers of pages: extruct for structured data, parsel (lxml) for selectors, icalendar for feeds.

extract_python.py extruct|extruct-json-ld|parsel PAGE SECONDS     reads it again and again: one line of JSON
extract_python.py list PAGE                       what it finds, as `start<tab>title`, sorted
"""

import html
import json
import sys
import time
from datetime import date, datetime, timezone
from zoneinfo import ZoneInfo

import extruct
import icalendar
import lxml.etree
import parsel


def events(node: object, found: list[dict]) -> list[dict]:
    if isinstance(node, list):
        for value in node:
            events(value, found)
    elif isinstance(node, dict):
        kind = node.get("@type", "")
        kinds = kind if isinstance(kind, list) else [kind]
        if any(kind.endswith("Event") for kind in kinds) and "startDate" in node:
            found.append(node)
        for value in node.values():
            events(value, found)
    return found


def with_extruct(text: str) -> list[dict]:
    """As it comes: every syntax it knows, as ours reads with every reader."""
    return events(extruct.extract(text)["json-ld"], [])


def with_json_ld_alone(text: str) -> list[dict]:
    return events(extruct.extract(text, syntaxes=["json-ld"])["json-ld"], [])


def with_parsel(text: str) -> list[tuple[str, str, str]]:
    found = []
    for day in parsel.Selector(text=text).css(".day"):
        heading = day.css("h2::text").get()
        for film in day.css(".film"):
            title = film.css("h3::text").get()
            found += [(heading, title, show) for show in film.css(".show time::text").getall()]
    return found


def instant(value: str | date) -> str:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    moment = moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo("Europe/London"))
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def listed(page: bytes) -> list[str]:
    if page.startswith(b"BEGIN:VCALENDAR"):
        return [f"{instant(event.decoded('dtstart'))}\t{event['summary']}"
                for event in icalendar.Calendar.from_ical(page).walk("VEVENT") if event.get("status") != "CANCELLED"]
    return [f"{instant(event['startDate'])}\t{html.unescape(event['name'])}" for event in with_json_ld_alone(page.decode())
            if not event.get("eventStatus", "").endswith("Cancelled")]


def main(verb: str, path: str, seconds: float = 1) -> None:
    page = open(path, "rb").read()
    if verb == "list":
        print("\n".join(sorted(listed(page))))
        return
    text, read = page.decode(), {"extruct": with_extruct, "extruct-json-ld": with_json_ld_alone, "parsel": with_parsel}[verb]
    found = len(read(text))
    start, cpu, pages = time.monotonic(), time.process_time(), 0
    while time.monotonic() - start < seconds:
        read(text)
        pages += 1
    print(json.dumps({"pages": pages, "bytes": len(page), "seconds": time.monotonic() - start,
                      "cpu_us": (time.process_time() - cpu) * 1e6, "found": found}))


if sys.argv[1:] == ["version"]:
    from importlib.metadata import version
    print(", ".join(f"{name} {version(name)}" for name in ("extruct", "parsel", "icalendar"))
          + f", lxml {'.'.join(map(str, lxml.etree.LXML_VERSION))}, Python {sys.version.split()[0]}")
else:
    main(sys.argv[1], sys.argv[2], *(float(argument) for argument in sys.argv[3:]))
