"""A program of an owner that shows prompts and returns answers."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
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
    async def open(
        cls, name: str, *, languages: Sequence[str] = (), path: str | os.PathLike[str] | None = None
    ) -> Self:
        """Registers; `NotAnOwner` where this program does not act for one."""
        connection = await Connection.open(path)
        try:
            stream = await connection.stream(wire.Register(name=name, languages=languages or None))
            await anext(stream)
        except BaseException:
            await connection.aclose()
            raise
        return cls(path, connection, stream)

    def __aiter__(self) -> AsyncIterator[RegisterReply]:
        """Each prompt, one at a time, and each that is withdrawn."""
        return self._stream

    async def respond(self, prompt: Prompt, answer: Answer) -> wire.RespondReply:
        """Answers a prompt. `NoSuchPrompt` where it needs no answer any more, `InvalidAnswer` where it stays open."""
        async with await Connection.open(self._path) as connection:
            return await connection.call(wire.Respond(prompt=prompt.id, answer=answer))

    async def serve(self, answer: Callable[[Prompt], Awaitable[Answer]]) -> None:
        """Answers every prompt as the function says, until the connection ends."""
        async for reply in self:
            if reply.prompt is not None:
                try:
                    await self.respond(reply.prompt, await answer(reply.prompt))
                except NoSuchPrompt:
                    pass

    def hang_up(self) -> None:
        """Ends who iterates, from any thread."""
        self._connection.hang_up()

    async def aclose(self) -> None:
        """The agent is there no more."""
        await self._stream.aclose()
        await self._connection.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
