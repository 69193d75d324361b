"""Importing a festival: sessions read per second out of one file, schedule.xml beside lxml, a calendar beside icalendar.

The file is invented here, as large as a large conference's: 900 sessions in 30 rooms on two days.
"""

from __future__ import annotations

import datetime
import random
from pathlib import Path

from .paths import scratch
from .peers import Toolbox
from .processes import Failed, measured
from .report import Report
from .settings import Settings

SESSIONS, ROOMS = 900, 30
WORDS = "paper boat lantern archive river quiet engine garden winter signal letter harbour mirror train".split()


def run(tools: Toolbox, settings: Settings) -> Report:
    report, odi, python = Report("timetable"), str(tools.odi()), tools.schedules()
    folder = Path(scratch("timetable"))
    folder.mkdir(parents=True, exist_ok=True)
    files = {"schedule.xml": folder / "schedule.xml", "calendar": folder / "calendar.ics"}
    sessions = invented(settings.seed)
    files["schedule.xml"].write_text(as_xml(sessions))
    files["calendar"].write_text(as_calendar(sessions), newline="")
    names = ["odi", *(["python"] if python else [])]
    for round_, (name, mode) in settings.interleaved([(name, mode) for name in names for mode in files]):
        command = (
            [odi, "timetable", "--file", str(files[mode]), "--seconds", str(settings.seconds)] if name == "odi"
            else [*python, str(files[mode]), str(settings.seconds)])
        try:
            result = measured(command)
        except Failed as failure:
            report.failures.append(f"{name}, {mode}: {failure}")
            continue
        if result["sessions"] != SESSIONS:
            report.failures.append(f"{name}, {mode}: read {result['sessions']} of {SESSIONS} sessions")
        report.add(name, mode, round_, sessions_s=result["ops"] / result["seconds"],
                   cpu_us=result["cpu_us"] / result["ops"])
    for mode, peer in (("schedule.xml", "lxml"), ("calendar", "icalendar")):
        report.goal(f"of {peer}'s sessions per second, {mode}", ">=", 1, report.ratio("odi", "python", mode, "sessions_s"))
    return report


def invented(seed: int) -> list[dict]:
    dice = random.Random(seed)

    def text(words: int) -> str:
        return " ".join(dice.choice(WORDS) for _ in range(words))

    start = datetime.datetime(2026, 2, 7, 9, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))
    return [
        {
            "id": place + 1, "room": f"Room {place % ROOMS + 1}", "track": f"Track {place % 12}",
            "start": start + datetime.timedelta(days=place % 2, minutes=place // ROOMS // 2 * 40), "minutes": 30,
            "title": text(5).title(), "abstract": text(120), "persons": [text(2).title() for _ in range(place % 3)],
        }
        for place in range(SESSIONS)
    ]


def as_xml(sessions: list[dict]) -> str:
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>', "<schedule><version>1</version><conference>",
        "<acronym>bench</acronym><title>Bench</title><time_zone_name>Europe/Brussels</time_zone_name></conference>"]
    for index, date in enumerate(sorted({session["start"].date() for session in sessions})):
        lines.append(f'<day index="{index + 1}" date="{date}">')
        for room in dict.fromkeys(session["room"] for session in sessions):
            lines.append(f'<room name="{room}">')
            for session in sessions:
                if session["room"] == room and session["start"].date() == date:
                    persons = "".join(f"<person>{person}</person>" for person in session["persons"])
                    lines.append(
                        f'<event id="{session["id"]}"><date>{session["start"].isoformat()}</date>'
                        f"<start>{session['start']:%H:%M}</start><duration>00:{session['minutes']}</duration>"
                        f"<title>{session['title']}</title><track>{session['track']}</track>"
                        f"<abstract>{session['abstract']}</abstract><persons>{persons}</persons></event>")
            lines.append("</room>")
        lines.append("</day>")
    return "\n".join([*lines, "</schedule>"])


def as_calendar(sessions: list[dict]) -> str:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Odi//Bench//EN", "X-WR-CALNAME:Bench"]
    for session in sessions:
        end = session["start"] + datetime.timedelta(minutes=session["minutes"])
        lines += [
            "BEGIN:VEVENT", f"UID:{session['id']}@bench.example", f"SUMMARY:{session['title']}",
            f"DTSTART;TZID=Europe/Brussels:{session['start']:%Y%m%dT%H%M%S}", f"DTEND;TZID=Europe/Brussels:{end:%Y%m%dT%H%M%S}",
            f"LOCATION:{session['room']}", f"DESCRIPTION:{session['abstract']}", "END:VEVENT"]
    folded = [piece for line in [*lines, "END:VCALENDAR"] for piece in fold(line)]
    return "\r\n".join([*folded, ""])


def fold(line: str) -> list[str]:
    """At 75 octets, as calendars are written."""
    return [line[:75], *(" " + line[place:place + 74] for place in range(75, len(line), 74))]
