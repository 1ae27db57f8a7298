"""Waiting for time, for others and for the daemon, on a thread."""

from __future__ import annotations

import select
import threading
from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

Lock = threading.Lock


def readable(numbers: Sequence[int], seconds: float) -> None:
    """Until one of the descriptors is readable, and no longer than so many seconds."""
    poll = select.poll()
    for number in numbers:
        poll.register(number, select.POLLIN)
    poll.poll(seconds * 1000)


def work(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Does what takes a while, such as copying a file."""
    return function(*arguments, **named)
