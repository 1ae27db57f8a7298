"""A daemon of its own in a temporary directory, with a library and apps, for one test."""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from support import BIN, REPOSITORY

PHOTOS = REPOSITORY / "Examples/Photos"
LAKE = PHOTOS / "Holiday/lake.jpg"


class Daemon:
    """The process, and its files. The tests' own interpreter is the app `org.example.Test`."""

    APP = "org.example.Test"

    def __init__(self, *, as_app: bool = True, configuration: str = "", manifest: str = "") -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="albumd-python-"))
        self.photos = self.directory / "photos"
        self.socket = str(self.directory / "io.albumd")
        for name in ("photos", "state", "apps.d", "policies.d"):
            (self.directory / name).mkdir()
        if "contentHashes" not in configuration:
            # Two seconds after a photo has come, its hash would be told.
            configuration += "contentHashes: false\n"
        (self.directory / "albumd.yaml").write_text(
            f"roots: [{{path: {self.photos}}}]\nowners: {{users: [{getpass.getuser()}]}}\n"
            f"state: {self.directory}/state\n{configuration}")
        text = (REPOSITORY / "Config/apps.d/albumctl.yaml").read_text()
        (self.directory / "apps.d/albumctl.yaml").write_text(text.replace("/usr/bin/", f"{BIN}/"))
        if as_app:
            (self.directory / f"apps.d/{self.APP}.yaml").write_text(
                f"name: {{en: Test}}\nidentity: {{executable: {os.path.realpath(sys.executable)}}}\n"
                f"usage: {{addOnly: {{en: Adds.}}, readWrite: {{en: Reads.}}}}\n{manifest}")
        self._expected = 0
        self.process: subprocess.Popen[bytes] | None = None

    def add(self, source: Path, name: str) -> Path:
        """Copies a photo into the library."""
        target = self.photos / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
        return target

    def start(self) -> Daemon:
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "LANGUAGE", "LC_ALL")}
        with open(self.directory / "log", "ab") as log:
            self.process = subprocess.Popen(
                [BIN / "albumd", "--config", self.directory / "albumd.yaml", "--socket", self.socket],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=environment | {"LANG": "C.UTF-8"})
        until(lambda: os.path.exists(self.socket) or self.process is None or self.process.poll() is not None)
        assert self.process.poll() is None, (self.directory / "log").read_text()
        return self

    def scanned(self, count: int) -> Daemon:
        """Waits until the daemon has seen so many assets."""
        until(lambda: f" of {count} " in self.albumctl("assets", "--owner", "--limit", "1") or count == 0)
        return self

    def scanned_at_start(self, count: int) -> Daemon:
        """For `with`: it starts, and has seen so many."""
        self._expected = count
        return self

    def albumctl(self, *words: str) -> str:
        """What an owner types; its output."""
        done = subprocess.run(
            [BIN / "albumctl", words[0], "--socket", self.socket, *words[1:]], capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=600, env={**os.environ, "LC_ALL": "C.UTF-8"})
        return done.stdout + done.stderr

    def kill(self, number: int = signal.SIGKILL) -> int:
        """Ends the process; its status."""
        assert self.process is not None
        self.process.send_signal(number)
        status = self.process.wait(30)
        self.process = None
        if number == signal.SIGKILL and os.path.exists(self.socket):
            os.unlink(self.socket)
        return status

    def close(self) -> None:
        if self.process is not None:
            status = self.kill(signal.SIGTERM)
            assert status == 0, f"albumd ended with {status}: " + (self.directory / "log").read_text()
        shutil.rmtree(self.directory)

    def __enter__(self) -> Daemon:
        self.start()
        return self.scanned(self._expected) if self._expected else self

    def __exit__(self, *_: object) -> None:
        self.close()


def until(condition: Callable[[], bool], seconds: float = 120) -> None:
    """Waits until it holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to hold"
        time.sleep(0.02)
