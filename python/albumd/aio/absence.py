"""While the daemon is away."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from ..arrival import Arrival
from ..channel import socket_path
from .waiting import readable

if TYPE_CHECKING:
    from .library import PhotoLibrary

QUIET = 0.5
LONGEST = 10.0
"""The socket may come elsewhere than it was: at another path, or in a directory that is made anew."""


async def absent(library: PhotoLibrary, seconds: float) -> None:
    """Waits until it is worth trying again: while there is no socket, until it comes; else for so many seconds. The
    library's end ends it."""
    ending = library.lifetimes.ending()
    try:
        with Arrival(socket_path(library.path)) as arrival:
            if arrival.is_there or not arrival.descriptors:
                # A new socket ends a long wait; at first it need not, for its directory may be a busy one.
                await readable([ending], min(seconds, QUIET))
                if seconds > QUIET and not library.is_closed:
                    await readable([ending, *arrival.descriptors], seconds - QUIET)
                return
            deadline = time.monotonic() + LONGEST
            while not library.is_closed and (rest := deadline - time.monotonic()) > 0:
                await readable([ending, *arrival.descriptors], rest)
                if arrival.is_there:
                    return
    finally:
        os.close(ending)
