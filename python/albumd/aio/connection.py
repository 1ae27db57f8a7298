"""A connection to albumd for asyncio. One task at a time uses it; a task that is cancelled meanwhile hangs up."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import Generic, Self, TypeVar

from ..channel import Arrival, Channel, connect, socket_path
from ..descriptors import Descriptors
from ..errors import ConnectionLost, RemoteError, TimedOut
from ..values import Method, Struct
from ..wire import ClientSession, Reply, typed

R = TypeVar("R", bound=Struct)


class Connection:
    """Calls methods one after another. An error that is not a `RemoteError` closes it, and so does cancelling.

    `timeout` is for each reply, in seconds; None waits for as long as it takes, as who asks an owner should.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, timeout: float | None = None) -> None:
        self.path = socket_path(path)
        self.timeout = timeout
        self._stream: object | None = None
        self._is_hung_up = False
        self._waiting: asyncio.Future[None] | None = None
        # A Unix socket's peer is there at once or not at all.
        self._channel = Channel(connect(self.path))
        self._session = ClientSession()

    @classmethod
    async def open(cls, path: str | os.PathLike[str] | None = None, *, timeout: float | None = None) -> Self:
        """Connects; `NotRunning` where nobody listens."""
        return cls(path, timeout=timeout)

    async def call(self, method: Method[R], files: Sequence[int] = ()) -> R:
        """Calls a method and waits for its one reply. Descriptors that come with it are closed."""
        reply, descriptors = await self.call_with_descriptors(method, files)
        descriptors.close()
        return reply

    async def call_with_descriptors(self, method: Method[R], files: Sequence[int] = ()) -> tuple[R, Descriptors]:
        """The same, with the descriptors that came.

        `files`: descriptors to send, which stay the caller's.
        """
        if method.REQUIRES_MORE:
            raise ValueError(f"{method.NAME} answers in a stream: use stream()")
        await self._send(method, files)
        reply = await self._receive()
        return typed_or_close(self, method, reply), reply.descriptors

    async def stream(self, method: Method[R], files: Sequence[int] = ()) -> Stream[R]:
        """Calls a method that answers many times. Until the stream has ended nothing else can be called."""
        if not (method.REQUIRES_MORE or method.SUPPORTS_MORE):
            raise ValueError(f"{method.NAME} has one reply: use call()")
        await self._send(method, files, more=True)
        stream = Stream(self, method)
        self._stream = stream
        return stream

    async def notify(self, method: Method[R], files: Sequence[int] = ()) -> None:
        """Calls a method that answers nothing (oneway). Whether it was done, nobody tells."""
        await self._send(method, files, oneway=True)

    @property
    def is_closed(self) -> bool:
        """Whether nothing can be called any more."""
        return self._is_hung_up

    def hang_up(self) -> None:
        """Ends what waits: it raises `ConnectionLost`. What was asked is withdrawn."""
        self._is_hung_up = True
        self._channel.hang_up()

    async def aclose(self) -> None:
        """Hangs up, and lets everything go."""
        self._close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        self.hang_up()
        if self._waiting is not None:
            # Another task waits, or is about to go on: it finds the end of the stream, and closes. Not here, for it
            # has yet to take its number from the loop, which another socket may have by then.
            return
        self._session.close()
        self._channel.close()

    async def _send(
        self, method: Method[R], files: Sequence[int], *, more: bool = False, oneway: bool = False
    ) -> None:
        if self._stream is not None:
            raise RuntimeError("a stream is open on this connection: open another, or end it")
        if self._is_hung_up:
            raise ConnectionLost("this connection was closed")
        message = self._session.call(method.NAME, method.encode(), more=more, oneway=oneway)
        try:
            self._channel.queue(message, files)
            async with asyncio.timeout(self.timeout):
                while not self._channel.flush():
                    await self._wait(writing=True)
                    # A daemon that is held up by replies takes no more before they are read.
                    if self._channel.fill(self._session) is Arrival.END:
                        raise ConnectionLost("albumd closed the connection")
        except BaseException as error:
            self._close()
            raise self._said(error) from None

    async def _receive(self) -> Reply:
        try:
            async with asyncio.timeout(self.timeout):
                while True:
                    if (reply := self._session.next_reply()) is not None:
                        return reply
                    found = self._channel.fill(self._session)
                    if found is Arrival.END:
                        if not self._is_hung_up:
                            self._session.ended()
                        raise ConnectionLost("albumd closed the connection")
                    if found is Arrival.NOTHING:
                        await self._wait()
        except BaseException as error:
            self._close()
            raise self._said(error) from None

    def _said(self, error: BaseException) -> BaseException:
        if type(error) is TimeoutError:
            return TimedOut(f"albumd has not answered within {self.timeout} seconds")
        return error

    async def _wait(self, *, writing: bool = False) -> None:
        """Until there is something to read, or room to write."""
        if self._waiting is not None:
            raise RuntimeError("another task waits for this connection")
        loop = asyncio.get_running_loop()
        number = self._channel.socket.fileno()
        self._waiting = waiting = loop.create_future()

        def wake() -> None:
            if not waiting.done():
                waiting.set_result(None)

        loop.add_reader(number, wake)
        if writing:
            loop.add_writer(number, wake)
        try:
            await waiting
        finally:
            loop.remove_reader(number)
            loop.remove_writer(number)
            self._waiting = None


def typed_or_close(connection: Connection, method: Method[R], reply: Reply) -> R:
    """The reply; what breaks the interface ends the connection."""
    try:
        return typed(method, reply)
    except RemoteError:
        raise
    except BaseException:
        connection._close()
        raise


class Stream(Generic[R]):
    """The replies to a call, one after another. Closed before its end, it hangs up: that ends a subscription."""

    def __init__(self, connection: Connection, method: Method[R]) -> None:
        self._connection = connection
        self._method = method
        self._is_over = False
        self.descriptors = Descriptors()
        """Those of the last reply, until the next."""

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> R:
        self.descriptors.close()
        if self._is_over:
            raise StopAsyncIteration
        try:
            reply = await self._connection._receive()
            self.descriptors = reply.descriptors
            if not reply.continues:
                self._end()
            return typed_or_close(self._connection, self._method, reply)
        except BaseException:
            self._end()
            raise

    def _end(self) -> None:
        self._is_over = True
        self._connection._stream = None

    async def aclose(self) -> None:
        """Ends it. The connection can be used on only where all replies had come."""
        self.descriptors.close()
        if not self._is_over:
            self._end()
            self._connection._close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
