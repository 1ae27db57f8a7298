"""What ends with a library, from whichever thread."""

from __future__ import annotations

import os
import threading
import weakref
from typing import Protocol


class HangsUp(Protocol):
    """A connection."""

    def hang_up(self) -> None:
        """Ends it."""


class Lifetimes:
    """The connections that are open. One that comes too late is ended as it comes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: weakref.WeakSet[HangsUp] = weakref.WeakSet()
        self._event: int | None = None
        self.is_over = False

    def __del__(self) -> None:
        if self._event is not None:
            os.close(self._event)

    def add(self, connection: HangsUp) -> None:
        """Ends it with the others."""
        with self._lock:
            self._open.add(connection)
            is_over = self.is_over
        if is_over:
            connection.hang_up()

    def end(self) -> None:
        """Ends all, and what comes."""
        with self._lock:
            self.is_over = True
            connections = list(self._open)
            if self._event is not None:
                os.eventfd_write(self._event, 1)
        for connection in connections:
            connection.hang_up()

    def ending(self) -> int:
        """A descriptor that is readable from the end on; the caller's."""
        with self._lock:
            if self._event is None:
                self._event = os.eventfd(1 if self.is_over else 0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
            return os.dup(self._event)
