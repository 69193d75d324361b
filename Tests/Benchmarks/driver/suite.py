"""The services themselves, each a release build in a process of its own, on ports that were free a moment ago."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

from .paths import scratch
from .peers import Toolbox
from .processes import Failed, output

READY_S = 20


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for free in sockets:
        free.bind(("127.0.0.1", 0))
    ports = [free.getsockname()[1] for free in sockets]
    for free in sockets:
        free.close()
    return ports


class Service:
    """One service: where it answers calls, HTTP and operators, and how long it took to be ready."""

    def __init__(self, tools: Toolbox, name: str, data: Path, **settings: str):
        self.name, self.data = name, data
        self.program = str(tools.service(name))
        self.rpc, self.operations, self.http = free_ports(3)
        flags = {
            "data": str(data), "listen": f"127.0.0.1:{self.rpc}", "operations-listen": f"127.0.0.1:{self.operations}",
            "log-level": "warning", **settings}
        if name == "gateway":
            flags["http-listen"] = f"127.0.0.1:{self.http}"
        if name == "demo":
            flags["sites-listen"] = f"127.0.0.1:{self.http}"
        started = time.monotonic()
        self.log = open(data / f"{name}.log", "wb")
        self.process = subprocess.Popen(
            [self.program, "serve", *(word for key, value in flags.items() for word in (f"--{key}", value))],
            stdout=self.log, stderr=self.log, env={**os.environ, "ODI_LOG_LEVEL": "warning"})
        self.pid = self.process.pid
        self.ready_s = self._await_ready(started)

    def _await_ready(self, started: float) -> float:
        while time.monotonic() - started < READY_S:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.operations}/readyz", timeout=1) as reply:
                    if reply.status == 200:
                        return time.monotonic() - started
            except OSError:
                if self.process.poll() is not None:
                    break
            time.sleep(0.001)
        self.stop()
        raise Failed(f"odi-{self.name} did not get ready: {(self.data / f'{self.name}.log').read_text()[-400:]}")

    def command(self, *words: str) -> str:
        return output([self.program, *words, "--data", str(self.data)])

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


class Suite:
    """Several services that know each other; ends them all."""

    def __init__(self, tools: Toolbox, name: str):
        self.tools, self.data = tools, scratch(f"suite-{name}")
        shutil.rmtree(self.data, ignore_errors=True)
        self.data.mkdir(parents=True, mode=0o700)
        self.key = self.data / "token-key"
        self.key.write_text(secrets.token_hex(32))
        self.key.chmod(0o600)
        self.services: dict[str, Service] = {}

    def start(self, name: str, **settings: str) -> Service:
        known = {other: f"127.0.0.1:{service.rpc}" for other, service in self.services.items()}
        if name == "gateway":
            # Nobody is turned away: what is measured is the work.
            settings = {
                **{other: known.get(other, "127.0.0.1:9") for other in ("locator", "scraper", "bookmarks")},
                "token-key-file": str(self.key), "user-rate": "0", "address-rate": "0", **settings}
        self.services[name] = Service(self.tools, name, self.data, **settings)
        return self.services[name]

    def __enter__(self) -> "Suite":
        return self

    def __exit__(self, *_: object) -> None:
        for service in reversed(self.services.values()):
            service.stop()
        shutil.rmtree(self.data, ignore_errors=True)


def asked(port: int, path: str, method: str = "GET", body: object = None, **headers: str) -> dict:
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", method=method, data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json", **{key.replace("_", "-"): value for key, value in headers.items()}})
    with urllib.request.urlopen(request, timeout=10) as reply:
        return json.loads(reply.read() or b"{}")
