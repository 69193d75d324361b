"""A client of the suite in containers: reads, saves, and looks for what it saved while services are killed.

Every write that was acknowledged is remembered here and must be there at the end, once.
"""

import argparse
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
            with urllib.request.urlopen(request, timeout=12) as answer:
                return Answer(answer.status, answer.read())
        except urllib.error.HTTPError as error:
            return Answer(error.code, error.read())
        except OSError as error:
            return Answer(0, str(error).encode())

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

    writer = Writer(gateway, films)
    writer.start()
    for service in SERVICES:
        before = len(writer.acknowledged)
        containers.kill(service)

        def recovered():
            if not containers.restarts(service):
                return "was not started again"
            return containers.troubled() or films_of(gateway)[1]

        took = wait_for(f"recovery of {service}", RECOVERY_SECONDS, recovered)
        enough = before + 2 * WRITES_PER_SECOND
        wait_for("writes go on", RECOVERY_SECONDS, lambda: None if len(writer.acknowledged) > enough else "none")
        print(f"{service} killed, all well again after {took:.1f} s, {len(writer.acknowledged)} writes acknowledged")
    writer.is_over.set()
    writer.join()

    check_everything_is_there(gateway, writer.acknowledged)
    print(f"all {len(writer.acknowledged)} acknowledged writes are there, once each; {writer.refused} were refused")


if __name__ == "__main__":
    main()
