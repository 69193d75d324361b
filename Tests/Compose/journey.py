"""A client of the suite in containers: reads, saves, and looks for what it saved while services are killed.

Every write that was acknowledged is remembered here and must be there at the end, once.
"""

import argparse
import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

SERVICES = [line.strip() for line in open("deploy/services") if not line.startswith("#")]
START_SECONDS = 90
RECOVERY_SECONDS = 45
# Under the limit of an address, 50 a second: a write is a session and a bookmark.
WRITES_PER_SECOND = 8
SEOUL = "lat=37.5706&lon=126.9681"
# A restaurant of the demo's may be this far from the place.
DINNER_METRES = 3_000


class Answer:
    def __init__(self, status, body):
        self.status = status
        self.text = body.decode("utf-8", "replace")

    @property
    def json(self):
        return json.loads(self.text)


class Gateway:
    """The API, as a browser reaches it."""

    def __init__(self, url):
        self.url = url

    def ask(self, method, path, body=None, token=None):
        request = urllib.request.Request(self.url + path, method=method)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", "Bearer " + token)
        try:
            try:
                with urllib.request.urlopen(request, timeout=12) as answer:
                    return Answer(answer.status, answer.read())
            except urllib.error.HTTPError as error:
                return Answer(error.code, error.read())
        except (OSError, http.client.HTTPException) as error:
            # Also one that was killed while it answered.
            return Answer(0, str(error).encode())

    def hears(self, path):
        """Whether a stream without end begins."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=12) as answer:
                return answer.status == 200 and len(answer.read(1024)) == 1024
        except (OSError, http.client.HTTPException):
            return False

    def nearby(self):
        return self.ask("GET", f"/v1/cinemas/nearby?{SEOUL}&limit=3&include=days,showtimes")


class Containers:
    """The project's containers, through compose and docker."""

    def __init__(self, compose):
        self.ids = {service: self.run([*compose, "ps", "-q", service]) for service in SERVICES}

    def look(self):
        """The health, the number of restarts and the process of each."""
        what = "{{if .State.Health}}{{.State.Health.Status}}{{end}} {{.RestartCount}} {{.State.Pid}}"
        lines = self.run(["docker", "inspect", "-f", what, *self.ids.values()]).splitlines()
        return {service: line.rsplit(" ", 2) for service, line in zip(self.ids, lines)}

    def troubled(self):
        states = {service: state[0] for service, state in self.look().items() if state[0] != "healthy"}
        return str(states) if states else None

    def restarts(self, service):
        return int(self.look()[service][1])

    def kill(self, service):
        """From outside, as a machine short of memory would: a docker kill would count as an operator's wish."""
        os.kill(int(self.look()[service][2]), signal.SIGKILL)

    @staticmethod
    def run(words):
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"error: {' '.join(words)} failed\n{done.stderr}")
        return done.stdout.strip()


class Writer(threading.Thread):
    """Somebody who saves films without end. `acknowledged` holds what was answered with success."""

    def __init__(self, gateway, films):
        super().__init__(daemon=True)
        self.gateway = gateway
        self.films = films
        self.acknowledged = []
        self.refused = 0
        self.is_over = threading.Event()

    def run(self):
        number = 0
        while not self.is_over.wait(1 / WRITES_PER_SECOND):
            session = self.gateway.ask("POST", "/v1/sessions", {})
            if session.status != 201:
                self.refused += 1
                continue
            token = session.json["token"]
            film = self.films[number % len(self.films)]
            number += 1
            if self.gateway.ask("PUT", f"/v1/me/bookmarks/{film}", {}, token).status in (200, 201):
                self.acknowledged.append((token, film))
            else:
                self.refused += 1


def wait_for(what, seconds, is_done):
    began = time.monotonic()
    while True:
        problem = is_done()
        if problem is None:
            return time.monotonic() - began
        if time.monotonic() - began > seconds:
            sys.exit(f"error: {what} within {seconds} s: {problem}")
        time.sleep(0.2)


def films_of(gateway):
    """The films that play near the place, or why there are none."""
    answer = gateway.nearby()
    if answer.status != 200:
        return None, f"{answer.status} {answer.text[:300]}"
    cinemas = answer.json["data"]
    films = {film["film"]["id"]: film for cinema in cinemas for film in cinema.get("films", [])}
    if len(cinemas) != 3 or len(films) < 3 or not all(film["showtimes"] for film in films.values()):
        return None, f"{len(cinemas)} cinemas and {len(films)} films near {SEOUL}"
    return sorted(films), None


class Work:
    """What each service is there for, asked through the gateway. A health check says that it lives; this, that it works.

    `of[service]()` is None if it did its work, else what was wrong. No question is asked twice within half a minute: the
    gateway would answer it from what it keeps, and for a service that is away for longer than that.
    """

    def __init__(self, gateway, films):
        self.gateway = gateway
        self.film = films[0]
        self.asked = 0
        self.of = {
            "locator": self.cinemas, "scraper": self.showtimes, "films": self.row_of_films, "dining": self.restaurants,
            "timetable": self.festival_day, "radio": self.stations, "bookmarks": self.bookmark, "gateway": self.page,
            "demo": self.demo_sound}

    def new(self):
        """How many of a list are asked for, each time another number."""
        self.asked += 1
        return 5 + self.asked % 95

    def data(self, path):
        """The list that a path answers, or what was wrong."""
        answer = self.gateway.ask("GET", path)
        # A stale one is the gateway's own, from before.
        if answer.status != 200 or answer.json.get("stale"):
            return None, f"{path}: {answer.status} {answer.text[:200]}"
        if answer.json.get("missing"):
            return None, f"{path}: without {answer.json['missing']}"
        data = answer.json.get("data")
        return (data, None) if data else (None, f"{path}: nothing in it")

    def cinemas(self):
        return self.data(f"/v1/cinemas?limit={self.new()}")[1]

    def showtimes(self):
        return self.data(f"/v1/showtimes?limit={self.new()}")[1]

    def row_of_films(self):
        """Of classics: no cinema need show one, so the catalogue alone knows them."""
        rows, problem = self.data(f"/v1/home?{SEOUL}{self.new()}")
        if problem:
            return problem
        if not any(row["id"] == "classics" and len(row["items"]) >= 3 for row in rows):
            return f"no row of classics: {[row['id'] for row in rows]}"
        return None

    def restaurants(self):
        place = SEOUL.replace("lat=", "near=").replace("&lon=", ",")
        return self.data(f"/v1/restaurants?{place}&radius_m={DINNER_METRES}&limit={self.new()}")[1]

    def festival_day(self):
        festivals, problem = self.data("/v1/festivals")
        if problem:
            return problem
        path = f"/v1/festivals/{festivals[0]['id']}"
        answer = self.gateway.ask("GET", path)
        if answer.status != 200:
            return f"{path}: {answer.status} {answer.text[:200]}"
        day = answer.json["days"][0]
        grid = self.gateway.ask("GET", f"{path}/timetable?day={day}")
        if grid.status != 200 or not grid.json.get("sessions"):
            return f"{path}/timetable: {grid.status} {grid.text[:200]}"
        return self.data(f"{path}/sessions?day={day}&limit={self.new()}")[1]

    def stations(self):
        sections, problem = self.data("/v1/stations")
        return problem or (None if any(one["stations"] for one in sections) else "sections without a station")

    def bookmark(self):
        session = self.gateway.ask("POST", "/v1/sessions", {})
        if session.status != 201:
            return f"a session: {session.status} {session.text[:200]}"
        token = session.json["token"]
        saved = self.gateway.ask("PUT", f"/v1/me/bookmarks/{self.film}", {}, token)
        if saved.status not in (200, 201):
            return f"a bookmark: {saved.status} {saved.text[:200]}"
        answer = self.gateway.ask("GET", "/v1/me/bookmarks", token=token)
        return None if self.film in answer.text else f"a bookmark that was saved is not there: {answer.text[:200]}"

    def page(self):
        answer = self.gateway.ask("GET", "/")
        return None if answer.status == 200 and "<main" in answer.text else f"the page: {answer.status}"

    def demo_sound(self):
        """A station's sound comes from the demo world at the moment at which it is heard."""
        for station in [one for section in self.data("/v1/stations")[0] or [] for one in section["stations"]]:
            if self.gateway.hears(f"/v1/stations/{station['id']}/audio"):
                return None
        return "no station of the demo world can be heard"


def check_everything_is_there(gateway, acknowledged):
    lost = []
    for token, film in acknowledged:
        def read():
            answer = gateway.ask("GET", "/v1/me/bookmarks", token=token)
            # A read too many in a second is told to come back.
            if answer.status in (0, 429, 503):
                return f"{answer.status} {answer.text[:200]}"
            saved = [item.get("film_id") or item["film"]["id"] for item in answer.json["data"]]
            if saved != [film]:
                lost.append((film, saved))
            return None

        wait_for("an answer about bookmarks", RECOVERY_SECONDS, read)
    if lost:
        sys.exit(f"error: of {len(acknowledged)} acknowledged writes {len(lost)} are not as they were: {lost[:5]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True)
    parser.add_argument("compose", nargs="+")
    options = parser.parse_args()
    gateway = Gateway(options.url)
    containers = Containers(options.compose)

    took = wait_for("all healthy", START_SECONDS, containers.troubled)
    print(f"all healthy after {took:.1f} s more")
    took = wait_for("showtimes through the gateway", START_SECONDS, lambda: films_of(gateway)[1])
    films, _ = films_of(gateway)
    print(f"{len(films)} films near the place, scraped from the demo world after {took:.1f} s more")
    for path in ["/livez", "/readyz"]:
        if (answer := gateway.ask("GET", path)).status != 200:
            sys.exit(f"error: {path} answers {answer.status}")

    work = Work(gateway, films)
    for service in SERVICES:
        took = wait_for(f"the work of {service}", START_SECONDS, work.of[service])
    print(f"each of {len(SERVICES)} services does its work")

    writer = Writer(gateway, films)
    writer.start()
    for service in SERVICES:
        before = len(writer.acknowledged)
        containers.kill(service)

        def recovered():
            if not containers.restarts(service):
                return "was not started again"
            # Others may have lost their way to it: all are asked, and first the one that was away.
            return containers.troubled() or films_of(gateway)[1] or work.of[service]() or next(
                (problem for ask in work.of.values() if (problem := ask())), None)

        took = wait_for(f"recovery of {service}", RECOVERY_SECONDS, recovered)
        enough = before + 2 * WRITES_PER_SECOND
        wait_for("writes go on", RECOVERY_SECONDS, lambda: None if len(writer.acknowledged) > enough else "none")
        print(f"{service} killed, at its work again after {took:.1f} s, {len(writer.acknowledged)} writes acknowledged")
    writer.is_over.set()
    writer.join()

    check_everything_is_there(gateway, writer.acknowledged)
    print(f"all {len(writer.acknowledged)} acknowledged writes are there, once each; {writer.refused} were refused")


if __name__ == "__main__":
    main()
