"""Open files that come with a message, and belong to who receives it."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from io import BufferedReader
from typing import Self

from .errors import ProtocolViolation


class Descriptors:
    """The descriptors of one message. Each can be taken once, by the index that a field of the message names; what
    nobody takes is closed with this."""

    __slots__ = ("_numbers",)

    def __init__(self, numbers: Sequence[int] = ()) -> None:
        self._numbers: list[int | None] = list(numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def take(self, index: int) -> int:
        """The descriptor, which is the caller's from now on. `ProtocolViolation` where there is none."""
        number = self._numbers[index] if 0 <= index < len(self._numbers) else None
        if number is None:
            raise ProtocolViolation(f"the message names descriptor {index}, and did not come with it")
        self._numbers[index] = None
        return number

    def open(self, index: int) -> BufferedReader:
        """The same as a file for reading. It has to be a regular one: any other could make its reader wait."""
        number = self.take(index)
        try:
            if not stat.S_ISREG(os.fstat(number).st_mode):
                raise ProtocolViolation(f"descriptor {index} is no regular file")
            return os.fdopen(number, "rb")
        except BaseException:
            os.close(number)
            raise

    def close(self) -> None:
        """Closes what was not taken."""
        numbers, self._numbers = self._numbers, []
        for number in numbers:
            if number is not None:
                os.close(number)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()
