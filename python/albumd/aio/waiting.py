"""Waiting for time, for others and for the daemon, in a task."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

Lock = asyncio.Lock


async def readable(numbers: Sequence[int], seconds: float) -> None:
    """Until one of the descriptors is readable, and no longer than so many seconds."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    for number in numbers:
        loop.add_reader(number, ready.set)
    try:
        async with asyncio.timeout(seconds):
            await ready.wait()
    except TimeoutError:
        pass
    finally:
        for number in numbers:
            loop.remove_reader(number)


async def work(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Does what takes a while, such as copying a file, on a thread."""
    return await asyncio.to_thread(function, *arguments, **named)
