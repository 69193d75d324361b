"""Reading a programme with what Python has for it: lxml for schedule.xml, icalendar for calendars. Prints one line of JSON.

timetable_python.py FILE SECONDS
"""

import datetime
import json
import resource
import sys
import time

import icalendar
from lxml import etree


def from_xml(data: bytes) -> list[dict]:
    """As the usual importers do it: the tree, then each event's fields."""
    sessions = []
    for day in etree.fromstring(data).iter("day"):
        for room in day.iter("room"):
            for event in room.findall("event"):
                start = datetime.datetime.fromisoformat(event.findtext("date"))
                hours, minutes = event.findtext("duration").split(":")[:2]
                end = start + datetime.timedelta(hours=int(hours), minutes=int(minutes))
                persons = [person.text for person in event.iter("person")]
                sessions.append({
                    "id": event.get("id"), "day": day.get("date"), "room": room.get("name"), "start": start, "end": end,
                    "title": event.findtext("title"), "track": event.findtext("track"), "persons": persons,
                    "abstract": event.findtext("abstract"), "url": event.findtext("url")})
    return sessions


def from_calendar(data: bytes) -> list[dict]:
    return [
        {
            "id": str(event["uid"]), "room": str(event.get("location", "")), "start": event.decoded("dtstart"),
            "end": event.decoded("dtend"), "title": str(event["summary"]), "abstract": str(event.get("description", "")),
        }
        for event in icalendar.Calendar.from_ical(data).walk("VEVENT")
    ]


def main(path: str, seconds: float) -> None:
    with open(path, "rb") as file:
        data = file.read()
    read = from_xml if path.endswith(".xml") else from_calendar
    before, start, files, sessions = resource.getrusage(resource.RUSAGE_SELF), time.monotonic(), 0, 0
    while files == 0 or time.monotonic() - start < seconds:
        sessions += len(read(data))
        files += 1
    took, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_SELF)
    used = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e6
    print(json.dumps({"ops": sessions, "seconds": took, "cpu_us": used, "sessions": sessions // files}))


if sys.argv[1:] == ["version"]:
    print(f"lxml {etree.__version__}, icalendar {icalendar.__version__}, Python {sys.version.split()[0]}")
else:
    main(sys.argv[1], float(sys.argv[2]))
