"""Reading pages: ours beside extruct (JSON-LD) and parsel with lxml (selectors), on pages made here.

Ours reads with all its readers and without configuration. extruct does the same with all its syntaxes; told that there is
JSON-LD alone (`extruct-json-ld`), it looks for nothing else, and parsel is told where everything stands. On pages and feeds that
both understand they must find the same. Hostile pages are read for their memory.
"""

from __future__ import annotations

import json
from pathlib import Path

from .paths import scratch
from .peers import Toolbox
from .processes import Failed, measured, output
from .report import Report
from .settings import Settings

FILMS = ["Silt", "The Lamplighter’s Apprentice", "Peat & Ash", "Nord magnétique", "바다가 들린다", "Grenzland"]
MEMORY_MB_MAX = 256
PAGE_BYTES_MAX = 10 << 20


def run(tools: Toolbox, settings: Settings) -> Report:
    report, odi, python = Report("extract"), str(tools.odi()), tools.python_readers()
    pages = {"json-ld": page("ld.html", linked()), "layout": page("layout.html", laid_out())}
    candidates = [("odi", "json-ld"), ("odi", "layout")]
    if python:
        candidates += [("extruct", "json-ld"), ("extruct-json-ld", "json-ld"), ("parsel", "layout")]
        agree(report, odi, python, pages["json-ld"])
        agree(report, odi, python, page("feed.ics", feed()))
    for round_, (name, kind) in settings.interleaved(candidates):
        command = [odi, "extract", "--page", str(pages[kind])] if name == "odi" else [*(python or []), name, str(pages[kind])]
        try:
            result = measured([*command, *(["--seconds"] if name == "odi" else []), str(settings.seconds)])
        except Failed as failure:
            report.failures.append(f"{name}, {kind}: {failure}")
            continue
        if result["found"] != len(starts()):
            report.failures.append(f"{name}, {kind}: found {result['found']} of {len(starts())}")
        report.add(name, kind, round_, pages_s=result["pages"] / result["seconds"],
                   mb_s=result["pages"] * result["bytes"] / result["seconds"] / 1e6)
    for kind, text in hostile().items():
        path = page(f"hostile-{kind}.html", text)
        result = measured([odi, "extract", "--page", str(path), "--seconds", "0.001"], timeout=60)
        path.unlink()
        report.count("odi", f"hostile, {kind}", peak_mb=result["peak_kb"] / 1024)
        report.goal(f"MB at most, hostile page of {kind}", "<=", MEMORY_MB_MAX, result["peak_kb"] / 1024)
    report.goal("times extruct's pages per second, JSON-LD", ">=", 5, report.ratio("odi", "extruct", "json-ld", "pages_s"))
    report.goal("of its pages per second when told JSON-LD alone", ">=", 0.5,
                report.ratio("odi", "extruct-json-ld", "json-ld", "pages_s"))
    return report


def agree(report: Report, odi: str, python: list[str], path: Path) -> None:
    """Both readers find the same starts and titles."""
    ours = output([odi, "extract", "--page", str(path), "--list", "true"]).splitlines()
    theirs = output([*python, "list", str(path)]).splitlines()
    if sorted(ours) != sorted(theirs):
        only = sorted(set(ours) ^ set(theirs))[:4]
        report.failures.append(f"{path.name}: {len(ours)} found by ours, {len(theirs)} by the peer; told apart by {only}")


def page(name: str, text: str) -> Path:
    path = scratch(f"extract-{name}")
    path.write_text(text, encoding="utf-8")
    return path


def starts() -> list[tuple[str, str, str]]:
    """A week of a house with three screens: date, time, film."""
    return [(f"2026-11-{day}", f"{hour}:{minute}", FILMS[(day + hour) % len(FILMS)])
            for day in range(21, 28) for hour, minute in ((11, "00"), (14, 15), (16, 30), (18, 45), (21, "00"))]


def linked() -> str:
    blocks = [{"@context": "https://schema.org", "@type": "MovieTheater", "@id": "/#house", "name": "Moss Cinema"}]
    blocks += [
        {"@context": "https://schema.org", "@type": "ScreeningEvent", "name": film,
         "startDate": f"{date}T{time}:00+00:00", "location": {"@id": "/#house"}, "url": f"https://moss.example/{date}/{time}",
         "offers": {"@type": "Offer", "availability": "https://schema.org/InStock", "price": "9.50"},
         "workPresented": {"@type": "Movie", "name": film}} for date, time, film in starts()]
    scripts = "".join(f'<script type="application/ld+json">{json.dumps(block)}</script>' for block in blocks)
    prose = "<p>" + "A house of films since 1911, with a bar and a garden. " * 12 + "</p>"
    return f"<!DOCTYPE html><html><head><title>Moss Cinema</title>{scripts}</head><body><h1>About</h1>{prose * 20}</body></html>"


def laid_out() -> str:
    days: dict[str, dict[str, list[str]]] = {}
    for date, time, film in starts():
        days.setdefault(date, {}).setdefault(film, []).append(time)
    names = ["Sat", "Sun", "Mon", "Tue", "Wed", "Thu", "Fri"]
    body = ""
    for (date, films), name in zip(days.items(), names):
        body += f"<section class=day><h2>{name} {int(date[-2:])} November</h2>"
        for film, times in films.items():
            items = "".join(f"<li class=show><a href='/book/{date}/{time}'><time>{time}</time></a></li>" for time in times)
            body += f"<article class=film><h3>{film}</h3><p class=meta>104 min, Drama</p><ul>{items}</ul></article>"
        body += "</section>"
    return f"<!DOCTYPE html><html><head><meta charset=utf-8><title>Programme | Moss Cinema</title></head><body>{body}</body></html>"


def feed() -> str:
    events = "".join(
        f"BEGIN:VEVENT\r\nUID:{date}-{time}@moss.example\r\nDTSTAMP:20261101T080000Z\r\n"
        f"DTSTART;TZID=Europe/London:{date.replace('-', '')}T{time.replace(':', '')}00\r\nDURATION:PT1H44M\r\n"
        f"SUMMARY:{film}\r\nLOCATION:Moss Cinema\r\nEND:VEVENT\r\n" for date, time, film in starts())
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//moss//EN\r\n{events}END:VCALENDAR\r\n"


def hostile() -> dict[str, str]:
    """Ten megabytes of each: all of it work, and little of it a page."""
    def filled(part: str, head: str = "") -> str:
        return head + part * ((PAGE_BYTES_MAX - len(head)) // len(part) - 1)

    return {
        "elements": filled("<p>x"), "times": filled("<i>19:30</i> ", "<h2>Sat 21 Nov</h2>"),
        "depth": "<div>" * 10_000 + "Sat 21 Nov 18:30 Deep" + "</div>" * 10_000,
        "attributes": filled("<b data-start='2026-11-21T10:00' class='a b c'>"),
        "data": "[" + filled('{"start":"2026-11-21T10:00","title":"x","screen":"1"},')[:-1] + "]",
        "braces": filled("={", "<script>"), "text": filled("a "),
    }
