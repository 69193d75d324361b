"""What services say that no healthy suite says on demand: invented answers in the API's shapes."""

import datetime
import io
import json
import math
import struct
import wave

SEOUL = datetime.timezone(datetime.timedelta(hours=9))


def now():
    return datetime.datetime.now(SEOUL).replace(microsecond=0)


def at(day, clock):
    """An instant of a day in Seoul: 24:30 is the next one's."""
    hour, minute = map(int, clock.split(":"))
    return (datetime.datetime.combine(day, datetime.time(), SEOUL) + datetime.timedelta(hours=hour, minutes=minute)).isoformat()


# --- Radio -----------------------------------------------------------------------------------------------------------

STREAM = "https://stream.example/"


def stations():
    def station(name, title, **more):
        return {"id": name, "name": title, "tags": ["demo"], "state": "alive", "demo": True, "website": f"https://{name}.example/", "rights": {"owner": "demo", "licence": "CC0", "use": "relay"}, **more}
    return {"has_more": False, "next_cursor": None, "data": [
        {"id": "city", "name": "도시", "name_en": "City", "stations": [
            station("lantern", "Lantern FM", now_playing={"title": "Evening Bells", "artist": "The Sextet"}),
            station("night", "심야 라디오", description="자정의 목소리", other_tags=["jazzy"]),
            station("harbour", "港のラジオ", state="down")]},
        {"id": "community", "name": "공동체", "name_en": "Community", "stations": [station(f"local-{n}", f"Local {n}") for n in range(1, 8)]}]}


def tone(seconds=60, rate=8000):
    """A quiet tone, as a stream brings it."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        wavelet = b"".join(struct.pack("<h", int(900 * math.sin(2 * math.pi * 440 * i / rate))) for i in range(rate))
        file.writeframes(wavelet * seconds)
    return out.getvalue()


# --- Festival --------------------------------------------------------------------------------------------------------

FESTIVAL = "lantern-26"


def festival_days():
    """Three days around today, as the festival's city has it at five in the morning."""
    today = (now() - datetime.timedelta(hours=5)).date()
    return [today + datetime.timedelta(days=n) for n in (-1, 0, 1)]


def festivals():
    days = festival_days()
    return {"has_more": False, "next_cursor": None, "data": [
        {"id": FESTIVAL, "name": "등불 영화제", "name_en": "Lantern Festival", "city": "서울", "time_zone": "Asia/Seoul",
         "starts_on": str(days[0]), "ends_on": str(days[-1]), "demo": True},
        {"id": "harbour-25", "name": "Harbour Shorts", "city": "Busan", "time_zone": "Asia/Seoul", "starts_on": "2025-05-01",
         "ends_on": "2025-05-03"}]}


def festival():
    return {**festivals()["data"][0], "days": [str(day) for day in festival_days()],
            "screens": [{"id": "s1", "name": "1관", "floor": "2F"}, {"id": "s2", "name": "2관", "floor": "2F"}, {"id": "open", "name": "야외"}],
            "venue": "등불극장", "address": "종로 1", "position": {"lat": 37.57, "lon": 126.97}, "maps": {"google": "https://maps.example/?q=37.57,126.97"},
            "sponsors": [{"name": "Lamp & Co", "url": "https://lamp.example/", "tier": "tier-1"}, {"name": "Paper Boat", "tier": "Media"},
                         {"name": "No Such Coffee", "tier": "tier-1"}]}


def timetable(day=None):
    day = datetime.date.fromisoformat(day) if day else festival_days()[1]

    def session(n, screen, start, end, title, **more):
        return {"id": f"ses_{n}", "screen": screen, "starts_at": at(day, start), "ends_at": at(day, end), "display_time": start, "title": title, "code": f"{100 + n}",
                "flags": [], "sold_out": False, **more}
    comp, world = {"id": "comp", "name": "경쟁"}, {"id": "world", "name": "세계"}
    return {"festival_id": FESTIVAL, "day": str(day), "time_zone": "Asia/Seoul", "slot_min": 5, "rev": 7, "starts_at": at(day, "10:00"),
            "ends_at": at(day, "25:30"), "screens": festival()["screens"], "tracks": [comp, world], "sessions": [
                session(1, "s1", "10:00", "11:40", "The Long Corridor", track=comp, flags=["gv"], level="Beginner", speakers=["김가람"]),
                session(2, "s2", "10:30", "12:00", "비 오는 날의 극장", track=world, subtitle="A Theatre in the Rain"),
                session(3, "s1", "12:10", "12:15", "Five Minutes", track=comp),
                session(4, "s2", "12:00", "13:45", "灯台の人", track=world, sold_out=True),
                session(5, "s1", "19:30", "21:36", "Night Swim", track=comp),
                session(6, "s2", "20:00", "21:20", "Shorts 1", track=world),
                session(7, "s2", "20:30", "21:00", "Talk: Small Rooms", track=world),
                session(8, "open", "24:30", "25:30", "한밤의 상영", track=world)]}


def session(key):
    found = next((s for s in timetable()["sessions"] if s["id"] == key), None)
    run = lambda text, **more: {"text": text, **more}
    prose = [{"kind": "heading", "lines": [[run("Two people")]]},
             {"kind": "paragraph", "lines": [[run("In a building with "), run("one lamp", strong=True)], [run("they wait for the same film.")]]},
             {"kind": "list", "lines": [[run("the "), run("demo", url="https://demo.example/")], [run("<b>no markup</b>", url="javascript:alert(1)")]]}]
    return found and {**found, "abstract": "In a building with one lamp, two people wait for the same film.", "prose": prose, "screens": [found["screen"]]}


def agenda():
    return {"data": [], "conflicts": [], "has_more": False, "next_cursor": None}


# --- Dinner ----------------------------------------------------------------------------------------------------------

SHOW = "show_evening"
CREDIT = {"text": "Powered by ホットペッパーグルメ Webサービス", "url": "https://credit.example/"}


def dinner(mode="before"):
    day = (now() + datetime.timedelta(days=1)).date()

    def place(n, name, metres, walk, **more):
        times = {"sit_from": at(day, "18:10"), "leave_by": at(day, "19:18")} if mode == "before" else \
            {"sit_from": at(day, "21:42"), "leave_by": at(day, "22:42")}
        return {"restaurant": {"id": f"rest_{n}", "name": name, "genre": {"code": "G001", "name": "居酒屋"}, "budget": {"code": "B002", "display": "2001～3000円", "amount": {"min": 2001, "max": 3000, "currency": "JPY"}},
                               "capacity": 40, "open": "月～土 17:00～翌2:00", "url": f"https://place-{n}.example/", "attribution": CREDIT, "demo": True},
                "distance_m": metres, "walk_min": walk, "open_confidence": "parsed", **times, **more}
    return {"showtime": {"id": SHOW, "title": "괴물", "film": {"id": "film_monster", "title": "괴물", "original_title": "怪物", "year": 2023, "runtime_min": 126},
                         "cinema": {"id": "lantern", "name": "등불 극장", "name_en": "Lantern Cinema", "time_zone": "Asia/Seoul"},
                         "starts_at": at(day, "19:30"), "ends_at": at(day, "21:36"), "service_date": str(day), "display_time": "19:30", "screen": "2관"},
            "mode": mode, "state": "complete", "attribution": [CREDIT], "has_more": False, "next_cursor": None,
            "data": [place(1, "등불 식당", 240, 3), place(2, "港の台所", 410, 6, open_confidence="inferred"), place(3, "Corner Noodles", 700, 9)]}


PLAN = "evening-7"


def plan():
    show, place = dinner()["showtime"], dinner()["data"][0]
    return {"share": PLAN, "url": f"/v1/plans/{PLAN}", "note": "2층에서 봐", "rev": 1, "showtime_state": "scheduled", "demo": True,
            "showtime": {"id": SHOW, "film_id": "film_monster", "title": "괴물", "cinema_id": "lantern", "cinema": "등불 극장", "time_zone": "Asia/Seoul",
                         "location": {"lat": 37.571, "lon": 126.976}, **{k: show[k] for k in ("starts_at", "ends_at", "display_time", "screen")}},
            "dinner": {"restaurant_id": "rest_1", "mode": "before", "name": "등불 식당", "address": "종로 1", "location": {"lat": 37.57, "lon": 126.97},
                       "walk_min": 3, "sit_from": place["sit_from"], "leave_by": place["leave_by"], "attribution": CREDIT["text"]}}


def genres():
    return {"data": [{"id": name, "name": title, "films": 12} for name, title in (("drama", "드라마"), ("comedy", "코미디"), ("animation", "애니메이션"))],
            "has_more": False, "next_cursor": None}


def wall(cursor=None, list="classics"):
    first = int(cursor or 0)
    films = [{"id": f"film_{list}_{n}", "title": f"고전 {n}", "original_title": f"Classic {n}", "year": 1950 + n % 40, "directors": ["이만희"]}
             # The second page brings one of the first again, as a list does that changed meanwhile.
             for n in range(first - (1 if first else 0), first + 30)]
    return {"data": films, "has_more": first < 60, "next_cursor": str(first + 30) if first < 60 else None}


def answer(path, query):
    """The invented answer for a path below /v1; None if the suite itself is asked."""
    parts = path.split("/")
    if path == "stations":
        return stations()
    if parts[0] == "stations" and parts[-1] == "stream":
        return {"station_id": parts[1], "url": STREAM + parts[1] + ".wav", "mime": "audio/wav", "kind": "progressive", "relayed": False, "expires_at": (now() + datetime.timedelta(minutes=5)).isoformat()}
    if parts[0] == "stations" and parts[-1] == "now_playing":
        return {"title": "Evening Bells", "artist": "The Sextet", "ends_at": (now() + datetime.timedelta(minutes=20)).isoformat()}
    if path == "festivals":
        return festivals()
    if path == f"festivals/{FESTIVAL}":
        return festival()
    if path == f"festivals/{FESTIVAL}/timetable":
        return timetable(query.get("day"))
    if path == f"festivals/{FESTIVAL}/floors":
        return {"data": [{"id": "2f", "name": "2F", "rooms": ["s1", "s2", "gone"], "url": f"/v1/festivals/{FESTIVAL}/floors/2f.svg"}], "has_more": False, "next_cursor": None}
    if path.startswith(f"festivals/{FESTIVAL}/sessions/"):
        return session(parts[-1])
    if path == f"me/festivals/{FESTIVAL}/agenda":
        return agenda()
    if path == f"showtimes/{SHOW}/dinner":
        return dinner(query.get("mode", "before"))
    if path == f"plans/{PLAN}":
        return plan()
    if path == "dining/genres":
        return {"data": [{"code": "G001", "name": "居酒屋"}, {"code": "G002", "name": "한식"}]}
    if path == "genres":
        return genres()
    if path == "films":
        return wall(query.get("cursor"), query.get("list") or query.get("genre"))
    return None


def fulfil(route, body, **more):
    return route.fulfill(status=200, content_type="application/json", body=json.dumps(body), **more)


def tell(page):
    """The services of these tabs answer as above, and streams bring a tone."""
    from urllib.parse import parse_qsl, urlsplit

    def invented(route):
        parts = urlsplit(route.request.url)
        body = answer(parts.path[4:], dict(parse_qsl(parts.query))) if route.request.method == "GET" else None
        return route.fallback() if body is None else fulfil(route, body)
    page.route("**/v1/**", invented)
    sound = tone()
    page.route(STREAM + "**", lambda r: r.fulfill(status=200, content_type="audio/wav", body=sound))
