"""When the daemon's socket comes: inotify(7), by way of the C library."""

from __future__ import annotations

import ctypes
import os
from typing import Self

_IN_CREATE, _IN_MOVED_TO = 0x100, 0x80


class Arrival:
    """Watches for a socket, from before the first look at it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.descriptors: list[int] = []
        """Readable when something came into its directory; none where that cannot be watched, or is not there."""
        library = ctypes.CDLL(None)
        number = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if number < 0:
            return
        folder = os.path.dirname(os.path.abspath(path))
        if library.inotify_add_watch(number, os.fsencode(folder), _IN_CREATE | _IN_MOVED_TO) < 0:
            os.close(number)
        else:
            self.descriptors.append(number)

    @property
    def is_there(self) -> bool:
        """Whether something is at the path; what was told before is forgotten."""
        for number in self.descriptors:
            try:
                while os.read(number, 1 << 16):
                    pass
            except BlockingIOError:
                pass
        return os.path.exists(self._path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for number in self.descriptors:
            os.close(number)
