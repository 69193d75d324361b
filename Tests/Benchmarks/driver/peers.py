"""Ours and the peers, built as their users would build them. What cannot be had is named, never left out silently."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from .paths import BUILT, PEERS, ROOT
from .processes import Failed, output, say

# Header or program → the Debian package that brings it.
PACKAGES = {
    "gcc": "gcc", "g++": "g++", "pkg-config": "pkg-config", "strace": "strace", "valgrind": "valgrind",
    "curl": "curl", "wrk": "wrk", "protoc": "protobuf-compiler", "grpc_cpp_plugin": "protobuf-compiler-grpc",
    "capnp": "capnproto", "redis-server": "redis-server", "redis-benchmark": "redis-tools",
    "pgbench": "postgresql", "/usr/include/uv.h": "libuv1-dev", "/usr/include/sqlite3.h": "libsqlite3-dev",
    "/usr/include/grpcpp/grpcpp.h": "libgrpc++-dev", "/usr/include/google/protobuf/message.h": "libprotobuf-dev",
    "/usr/include/capnp/ez-rpc.h": "libcapnp-dev",
}

C = ["gcc", "-O2", "-std=gnu2x", "-Wall", "-Wextra", "-Werror"]
CXX = ["g++", "-O2", "-std=c++17"]


@dataclass
class Peer:
    """One program: what it needs, how it is generated and compiled, and what it was when it ran."""

    needs: list[str]
    commands: list[list[str]]
    result: Path
    version: list[str] = field(default_factory=list)


def _protoc(name: str, *more: str) -> list[str]:
    return ["protoc", f"-I{PEERS}", f"--cpp_out={BUILT}", *more, f"{PEERS}/{name}.proto"]


def _peer(result: str, needs: list[str], *commands: list[str], version: list[str] | None = None) -> Peer:
    path = BUILT / result
    return Peer(needs, list(commands), path, [str(path), "version"] if version is None else version)


INCLUDES = [f"-I{BUILT}", f"-I{PEERS}"]
PROTOBUF = ["g++", "pkg-config", "protoc", "/usr/include/google/protobuf/message.h"]

PROGRAMS: dict[str, Peer] = {
    "allocations.so": _peer(
        "allocations.so", ["gcc"],
        [*C, "-shared", "-fPIC", f"{PEERS}/allocations.c", "-o", f"{BUILT}/allocations.so"], version=[]),
    "c-libuv": _peer(
        "rpc_uv", ["gcc", "/usr/include/uv.h"], [*C, f"{PEERS}/rpc_uv.c", "-o", f"{BUILT}/rpc_uv", "-luv"]),
    "grpc-cpp": _peer(
        "rpc_grpc", [*PROTOBUF, "grpc_cpp_plugin", "/usr/include/grpcpp/grpcpp.h"],
        _protoc("cinemas", f"--grpc_out={BUILT}", "--plugin=protoc-gen-grpc=$(grpc_cpp_plugin)"),
        [*CXX, *INCLUDES, f"{PEERS}/rpc_grpc.cpp", f"{BUILT}/cinemas.pb.cc", f"{BUILT}/cinemas.grpc.pb.cc",
         "-o", f"{BUILT}/rpc_grpc", "$(pkg-config grpc++)", "$(pkg-config protobuf)"]),
    "capnp": _peer(
        "rpc_capnp", ["g++", "capnp", "/usr/include/capnp/ez-rpc.h"],
        ["capnp", "compile", f"-oc++:{BUILT}", f"--src-prefix={PEERS}", f"{PEERS}/cinemas.capnp"],
        [*CXX, *INCLUDES, f"{PEERS}/rpc_capnp.cpp", f"{BUILT}/cinemas.capnp.c++", "-o", f"{BUILT}/rpc_capnp",
         "-lcapnp-rpc", "-lcapnp", "-lkj-async", "-lkj"]),
    "protobuf-cpp": _peer(
        "codec_protobuf", PROTOBUF,
        _protoc("codec"),
        [*CXX, *INCLUDES, f"{PEERS}/codec_protobuf.cpp", f"{BUILT}/codec.pb.cc", "-o", f"{BUILT}/codec_protobuf",
         "$(pkg-config protobuf)"]),
    "sqlite-c": _peer(
        "storage_sqlite", ["gcc", "/usr/include/sqlite3.h"],
        [*C, f"{PEERS}/storage_sqlite.c", "-o", f"{BUILT}/storage_sqlite", "-lsqlite3"]),
}


class Toolbox:
    """What one run of the benchmarks has at hand."""

    def __init__(self) -> None:
        self.missing: dict[str, str] = {}  # name → why
        self.versions: dict[str, str] = {}
        self._odi: Path | None = None
        self._services: dict[str, Path] = {}
        BUILT.mkdir(parents=True, exist_ok=True)

    def install(self, things: list[str]) -> None:
        """Installs what is not there, quietly; what then still is not there is for the caller to name."""
        wanted = [PACKAGES[thing] for thing in things if thing in PACKAGES and not present(thing)]
        if not wanted:
            return
        say(f"installing {' '.join(sorted(set(wanted)))}")
        apt(["update"])
        if not apt(["install", "--no-install-recommends", *wanted]):
            for package in wanted:  # one that this system does not have must not cost us the others
                apt(["install", "--no-install-recommends", package])

    def program(self, name: str) -> Path | None:
        """A peer's program, built when its sources are newer than it; None, and named as missing, otherwise."""
        peer = PROGRAMS[name]
        self.install(peer.needs)
        absent = [PACKAGES.get(thing, thing) for thing in peer.needs if not present(thing)]
        if absent:
            self.missing[name] = f"not installed: {' '.join(absent)}"
            return None
        try:
            if stale(peer.result):
                say(f"building {name}")
                for command in peer.commands:
                    output(expanded(command), timeout=600)
            if peer.version:
                flags = " ".join(word for word in peer.commands[-1] if word.startswith(("-O", "-std")))
                self.versions[name] = f"{output(peer.version).strip()} ({peer.commands[-1][0]} {flags})"
        except Failed as failure:
            self.missing[name] = str(failure)
            return None
        return peer.result

    def must(self, name: str) -> Path:
        """A program without which the benchmark means nothing."""
        program = self.program(name)
        if not program:
            raise Failed(f"{name}: {self.missing[name]}")
        return program

    def tool(self, name: str, version: list[str]) -> str | None:
        """A program that Debian brings whole: nginx, wrk, curl."""
        self.install([name])
        path = shutil.which(name)
        if not path:
            self.missing[name] = f"not installed: {PACKAGES.get(name, name)}"
            return None
        done = subprocess.run([path, *version], capture_output=True, text=True)
        self.versions[name] = (done.stdout + done.stderr).splitlines()[0].strip()
        return path

    def nginx(self) -> str | None:
        """nginx from its package, unpacked and not installed: an installed one would start serving port 80."""
        unpacked = BUILT / "nginx-package"
        path = shutil.which("nginx") or shutil.which("/usr/sbin/nginx") or str(unpacked / "usr/sbin/nginx")
        if not os.access(path, os.X_OK):
            say("unpacking nginx")
            unpacked.mkdir(exist_ok=True)
            apt(["update"])
            try:
                output(["sh", "-c", f"cd '{unpacked}' && apt-get download -q nginx && dpkg -x nginx_*.deb ."])
                output([path, "-v"])
            except Failed as failure:
                self.missing["nginx"] = str(failure)
                return None
        done = subprocess.run([path, "-v"], capture_output=True, text=True)
        self.versions["nginx"] = (done.stdout + done.stderr).strip()
        built = subprocess.run([path, "-V"], capture_output=True, text=True).stderr
        self.versions["nginx"] += f" (Debian's build, {' '.join(sorted(set(re.findall(r'-O[0-9s]', built))))})"
        return path

    def aiohttp(self) -> list[str] | None:
        return self.python("aiohttp", "fetch_aiohttp.py")

    def numpy(self) -> list[str] | None:
        return self.python("numpy", "recommend_numpy.py")

    def python(self, module: str, script: str) -> list[str] | None:
        """A Python that has a module, in an environment of its own, and our script for it."""
        python = BUILT / "python" / "bin" / "python"
        path = str(PEERS / script)
        try:
            if not python.exists() or subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode:
                say(f"installing {module}")
                self.install_venv()
                output([sys.executable, "-m", "venv", str(BUILT / "python")])
                output([str(python), "-m", "pip", "install", "--quiet", module], timeout=300)
            self.versions[module] = output([str(python), path, "version"]).strip()
        except Failed as failure:
            self.missing[module] = str(failure)
            return None
        return [str(python), path]

    def python_readers(self) -> list[str] | None:
        """A Python that has extruct, parsel and icalendar, in the same environment."""
        python = BUILT / "python" / "bin" / "python"
        script = str(PEERS / "extract_python.py")
        try:
            if not python.exists() or subprocess.run(
                    [python, "-c", "import extruct, parsel, icalendar"], capture_output=True).returncode:
                say("installing extruct, parsel, icalendar")
                self.install_venv()
                output([sys.executable, "-m", "venv", str(BUILT / "python")])
                output([str(python), "-m", "pip", "install", "--quiet", "extruct", "parsel", "icalendar"], timeout=300)
            self.versions["extruct"] = output([str(python), script, "version"]).strip()
        except Failed as failure:
            self.missing["extruct"] = str(failure)
            return None
        return [str(python), script]

    def schedules(self) -> list[str] | None:
        """A Python that has lxml and icalendar, in an environment of its own."""
        python = BUILT / "python-schedules" / "bin" / "python"
        script = str(PEERS / "timetable_python.py")
        try:
            if not python.exists() or subprocess.run(
                    [python, "-c", "import lxml, icalendar"], capture_output=True).returncode:
                say("installing lxml and icalendar")
                self.install_venv()
                output([sys.executable, "-m", "venv", str(BUILT / "python-schedules")])
                output([str(python), "-m", "pip", "install", "--quiet", "lxml", "icalendar"], timeout=300)
            self.versions["lxml, icalendar"] = output([str(python), script, "version"]).strip()
        except Failed as failure:
            self.missing["lxml, icalendar"] = str(failure)
            return None
        return [str(python), script]

    def install_venv(self) -> None:
        if subprocess.run([sys.executable, "-c", "import ensurepip"], capture_output=True).returncode:
            apt(["update"])
            apt(["install", "--no-install-recommends", "python3-venv"])

    def service(self, name: str) -> Path:
        """One of our services, built as the containers carry it."""
        if name not in self._services:
            product = name if name == "odi" else f"odi-{name}"
            say(f"building {product}")
            flags = ["-c", "release", "--static-swift-stdlib", "--product", product]
            built = subprocess.run(["swift", "build", *flags], cwd=ROOT, stdout=sys.stderr)
            if built.returncode:
                raise Failed(f"{product} does not build")
            where = output(["swift", "build", "-c", "release", "--package-path", str(ROOT), "--show-bin-path"]).strip()
            result = BUILT / product
            output(["strip", "-o", str(result), f"{where}/{product}"])
            self._services[name] = result
        return self._services[name]

    def odi(self) -> Path:
        """Our own program: release, stripped, with the runtime linked in, as the containers carry it."""
        if self._odi:
            return self._odi
        flags = ["-c", "release", "--static-swift-stdlib", "--product", "odi-bench"]
        say("building odi-bench")
        built = subprocess.run(["swift", "build", *flags], cwd=ROOT, stdout=sys.stderr)
        if built.returncode:
            raise Failed("odi-bench does not build")
        where = output(["swift", "build", "-c", "release", "--package-path", str(ROOT), "--show-bin-path"]).strip()
        result = BUILT / "odi-bench"
        output(["strip", "-o", str(result), f"{where}/odi-bench"])
        swift = output(["swift", "--version"]).splitlines()[0]
        manifest = (ROOT / "Package.swift").read_text()
        unsafe = re.findall(r'unsafeFlags\(\[(?:"-Xfrontend", )?"([^"]+)"\], \.when\(configuration: \.release\)', manifest)
        self.versions["odi"] = f"{swift} ({' '.join([*flags[:3], *unsafe])})"
        self.versions["foundation-json"] = f"swift-foundation of {swift} (the toolchain's build)"
        self._odi = result
        return result


def counting_tools(tools: Toolbox) -> None:
    """What counts instructions, allocations and system calls, and what asks meanwhile."""
    tools.install(["valgrind", "strace", "wrk"])
    tools.must("allocations.so")


def present(thing: str) -> bool:
    return os.path.exists(thing) if thing.startswith("/") else shutil.which(thing) is not None


def stale(result: Path) -> bool:
    if not result.exists():
        return True
    newest = max(source.stat().st_mtime for source in [*PEERS.iterdir(), Path(__file__)])
    return result.stat().st_mtime < newest


def expanded(command: list[str]) -> list[str]:
    """`$(pkg-config X)` becomes X's libraries, `…$(PROGRAM)` the program's path."""
    words: list[str] = []
    for word in command:
        if word.startswith("$(pkg-config "):
            words += output(["pkg-config", "--libs", word[13:-1]]).split()
        elif "$(" in word:
            before, name = word[:-1].split("$(")
            words.append(before + (shutil.which(name) or name))
        else:
            words.append(word)
    return words


def apt(arguments: list[str]) -> bool:
    command = ["apt-get", "-q", "-y", *arguments]
    if os.geteuid() != 0:
        if not shutil.which("sudo"):
            return False
        command = ["sudo", "-n", "DEBIAN_FRONTEND=noninteractive", *command]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        return subprocess.run(command, capture_output=True, env=environment).returncode == 0
    except FileNotFoundError:
        return False
