"""Running programs and what they cost: CPU, memory, allocations, system calls."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

from .paths import BUILT, scratch


class Failed(Exception):
    """A program did not do what the benchmark needs; the message says which and how."""


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def output(command: list[str], timeout: float = 120, environment: dict[str, str] | None = None) -> str:
    """What a program printed; Failed with the end of its stderr when it did not succeed."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, env={**os.environ, **(environment or {})})
    except FileNotFoundError as error:
        raise Failed(f"{command[0]} is not there") from error
    except subprocess.TimeoutExpired as error:
        raise Failed(f"{' '.join(command[:4])} did not end within {timeout:.0f} s") from error
    if done.returncode != 0:
        raise Failed(f"{' '.join(command[:4])} … ended with {done.returncode}: {done.stderr.strip()[-400:]}")
    return done.stdout


def lines_of_json(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def measured(command: list[str], timeout: float = 120, environment: dict[str, str] | None = None) -> dict:
    """The one line of JSON that every client prints at its end."""
    return last_line(output(command, timeout, environment), command)


def last_line(text: str, command: list[str] | None = None) -> dict:
    found = lines_of_json(text)
    if not found:
        raise Failed(f"{' '.join((command or ['a program'])[:4])} … printed no result")
    return found[-1]


class Server:
    """A server process that says `listening PORT` when it is ready."""

    def __init__(self, command: list[str], environment: dict[str, str] | None = None, port: int | None = None):
        self.command = command
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})})
        self.pid = self.process.pid
        self.port = port if port is not None else self._await_port()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _await_port(self, timeout: float = 20) -> int:
        assert self.process.stdout
        if not select.select([self.process.stdout], [], [], timeout)[0]:
            self.process.kill()
            raise Failed(f"{self.command[0]} did not listen within {timeout:.0f} s")
        match = re.search(r"listening (?:\S*:)?(\d+)", self.process.stdout.readline())
        if not match:
            self.process.kill()
            raise Failed(f"{' '.join(self.command[:3])} did not say where it listens")
        return int(match[1])

    def cpu_us(self) -> float:
        return cpu_us(self.pid)


def cpu_us(pid: int) -> float:
    """CPU time of a process, in microseconds, from the scheduler's own count of each thread."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            total += int((task / "schedstat").read_text().split()[0])
        except (FileNotFoundError, ProcessLookupError):
            continue  # the thread has just ended
    return total / 1e3


def anonymous_bytes(pid: int) -> int:
    """Memory of a process that no file backs."""
    match = re.search(r"RssAnon:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(match[1]) * 1024 if match else 0


class Allocations:
    """Counts a program's allocations while it runs, by a preloaded library that keeps the number in a file."""

    def __init__(self, name: str):
        self.file = scratch(f"allocations-{name}")
        self.file.unlink(missing_ok=True)
        self.environment = {"LD_PRELOAD": str(BUILT / "allocations.so"), "BENCH_ALLOCATIONS": str(self.file)}

    def count(self) -> int:
        try:
            return struct.unpack("Q", self.file.read_bytes())[0]
        except (FileNotFoundError, struct.error) as error:
            raise Failed("the allocation counter was not loaded") from error


class SystemCalls:
    """Counts the system calls of a running process with strace, for as long as the block lasts."""

    def __init__(self, pid: int):
        self.pid, self.total, self.file = pid, 0, scratch(f"strace-{pid}")

    def __enter__(self) -> "SystemCalls":
        self.file.unlink(missing_ok=True)
        self.tracer = subprocess.Popen(
            ["strace", "-c", "-f", "-p", str(self.pid), "-o", str(self.file)], stderr=subprocess.PIPE, text=True)
        assert self.tracer.stderr
        while True:
            line = self.tracer.stderr.readline()
            if "attached" in line:
                return self
            if not line:
                raise Failed("strace cannot attach here")

    def __exit__(self, *_: object) -> None:
        self.tracer.send_signal(signal.SIGINT)
        self.tracer.wait(10)
        self.total = total_of_strace(self.file)


def total_of_strace(file: Path) -> int:
    match = re.search(r"^\s*100\.00\s+\S+\s+(?:\d+\s+)?(\d+).*\btotal$", file.read_text(), re.MULTILINE)
    if not match:
        raise Failed("strace told no total")
    return int(match[1])


def system_calls_of(command: list[str], timeout: float = 120) -> tuple[int, str]:
    """All system calls of a program from its start to its end, and what it printed."""
    file = scratch("strace-program")
    file.unlink(missing_ok=True)
    printed = output(["strace", "-c", "-f", "-o", str(file), *command], timeout)
    return total_of_strace(file), printed


def instructions(command: list[str], timeout: float = 300) -> int:
    """Instructions that a program executes, counted by callgrind."""
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command], capture_output=True, text=True,
        timeout=timeout, env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"})
    match = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not match:
        raise Failed(f"callgrind {' '.join(command)}: {done.stderr.strip()[-400:]}")
    return int(match[1])


class Instructions:
    """What a program executes from its start to its end, counted by callgrind: also of one that is ended by a signal."""

    def __init__(self, name: str):
        self.file = scratch(f"callgrind-{name}")
        self.file.unlink(missing_ok=True)
        self.environment = {"SWIFT_DETERMINISTIC_HASHING": "1"}

    def counting(self, command: list[str]) -> list[str]:
        return ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={self.file}", *command]

    @property
    def total(self) -> int:
        found = re.search(r"^totals: (\d+)", self.file.read_text(errors="replace"), re.M) if self.file.exists() else None
        if not found:
            raise Failed(f"callgrind counted nothing: {self.file.name}")
        return int(found[1])


def pause_between_samples() -> None:
    time.sleep(0.05)
