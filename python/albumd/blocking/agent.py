# Made by python/generate.py of python/albumd/aio/agent.py. Change that, not this.
"""A program of an owner that shows prompts and returns answers."""

from __future__ import annotations

import os
from collections.abc import Iterator, Awaitable, Callable, Sequence
from typing import Self

from ..interfaces import agent as wire
from ..interfaces.agent import Answer, NoSuchPrompt, Prompt, RegisterReply
from .connection import Connection, Stream


class PhotoLibraryAgent:
    """Registered from `open` on, until it is closed."""

    def __init__(
        self, path: str | os.PathLike[str] | None, connection: Connection, stream: Stream[RegisterReply]
    ) -> None:
        self._path = path
        self._connection = connection
        self._stream = stream

    @classmethod
    def open(
        cls, name: str, *, languages: Sequence[str] = (), path: str | os.PathLike[str] | None = None
    ) -> Self:
        """Registers; `NotAnOwner` where this program does not act for one."""
        connection = Connection.open(path)
        try:
            stream = connection.stream(wire.Register(name=name, languages=languages or None))
            next(stream)
        except BaseException:
            connection.close()
            raise
        return cls(path, connection, stream)

    def __iter__(self) -> Iterator[RegisterReply]:
        """Each prompt, one at a time, and each that is withdrawn."""
        return self._stream

    def respond(self, prompt: Prompt, answer: Answer) -> wire.RespondReply:
        """Answers a prompt. `NoSuchPrompt` where it needs no answer any more, `InvalidAnswer` where it stays open."""
        with Connection.open(self._path) as connection:
            return connection.call(wire.Respond(prompt=prompt.id, answer=answer))

    def serve(self, answer: Callable[[Prompt], Answer]) -> None:
        """Answers every prompt as the function says, until the connection ends."""
        for reply in self:
            if reply.prompt is not None:
                try:
                    self.respond(reply.prompt, answer(reply.prompt))
                except NoSuchPrompt:
                    pass

    def hang_up(self) -> None:
        """Ends who iterates, from any thread."""
        self._connection.hang_up()

    def close(self) -> None:
        """The agent is there no more."""
        self._stream.close()
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
