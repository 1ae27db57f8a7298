"""What every test of the package needs: where it is, and services that say what a test has them say."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("ALBUMD_BIN", REPOSITORY / ".build/debug"))
"""The programs of albumd."""
for folder in ("python", "python/tests"):
    if str(REPOSITORY / folder) not in sys.path:
        sys.path.insert(0, str(REPOSITORY / folder))


def open_files() -> dict[str, str]:
    """The descriptors of this process."""
    files = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            files[name] = os.readlink(f"/proc/self/fd/{name}")
        except FileNotFoundError:
            pass
    return files


class Service:
    """Listens at a socket, and does with each connection what it is told, in order."""

    def __init__(self, *scripts: Callable[[socket.socket], None]) -> None:
        self._directory = tempfile.TemporaryDirectory(prefix="albumd-python-")
        self.path = f"{self._directory.name}/socket"
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(self.path)
        self._listener.listen()
        self._thread = threading.Thread(target=self._serve, args=(scripts,))
        self.calls: list[bytes] = []

    def _serve(self, scripts: tuple[Callable[[socket.socket], None], ...]) -> None:
        for script in scripts:
            connection, _ = self._listener.accept()
            with connection:
                connection.settimeout(20)
                try:
                    script(connection)
                except (BrokenPipeError, ConnectionResetError):
                    pass

    def __enter__(self) -> Service:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join(30)
        self._listener.close()
        self._directory.cleanup()


def read_call(connection: socket.socket) -> bytes:
    """One call."""
    text = b""
    while not text.endswith(b"\0"):
        data = connection.recv(1 << 20)
        if not data:
            break
        text += data
    return text


def answering(*replies: bytes) -> Callable[[socket.socket], None]:
    """Reads a call, and sends these bytes."""

    def script(connection: socket.socket) -> None:
        read_call(connection)
        for reply in replies:
            connection.sendall(reply)

    return script
