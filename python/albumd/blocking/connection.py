"""A connection to albumd that waits for its replies. One thread at a time uses it; any may hang it up."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Sequence
from typing import Generic, Self, TypeVar

from ..channel import Arrival, Channel, connect, socket_path
from ..descriptors import Descriptors
from ..errors import ConnectionLost, RemoteError, TimedOut
from ..values import Method, Struct
from ..wire import ClientSession, Reply, typed

R = TypeVar("R", bound=Struct)


class Connection:
    """Calls methods one after another. An error that is not a `RemoteError` closes it.

    `timeout` is for each reply, in seconds; None waits for as long as it takes, as who asks an owner should.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, timeout: float | None = None) -> None:
        self.path = socket_path(path)
        self.timeout = timeout
        self._stream: object | None = None
        self._is_hung_up = False
        self._channel = Channel(connect(self.path))
        self._session = ClientSession()

    @classmethod
    def open(cls, path: str | os.PathLike[str] | None = None, *, timeout: float | None = None) -> Self:
        """Connects; `NotRunning` where nobody listens."""
        return cls(path, timeout=timeout)

    def call(self, method: Method[R], files: Sequence[int] = ()) -> R:
        """Calls a method and waits for its one reply. Descriptors that come with it are closed."""
        reply, descriptors = self.call_with_descriptors(method, files)
        descriptors.close()
        return reply

    def call_with_descriptors(self, method: Method[R], files: Sequence[int] = ()) -> tuple[R, Descriptors]:
        """The same, with the descriptors that came.

        `files`: descriptors to send, which stay the caller's.
        """
        if method.REQUIRES_MORE:
            raise ValueError(f"{method.NAME} answers in a stream: use stream()")
        self._send(method, files)
        reply = self._receive()
        return typed_or_close(self, method, reply), reply.descriptors

    def stream(self, method: Method[R], files: Sequence[int] = ()) -> Stream[R]:
        """Calls a method that answers many times. Until the stream has ended nothing else can be called."""
        if not (method.REQUIRES_MORE or method.SUPPORTS_MORE):
            raise ValueError(f"{method.NAME} has one reply: use call()")
        self._send(method, files, more=True)
        stream = Stream(self, method)
        self._stream = stream
        return stream

    def notify(self, method: Method[R], files: Sequence[int] = ()) -> None:
        """Calls a method that answers nothing (oneway). Whether it was done, nobody tells."""
        self._send(method, files, oneway=True)

    @property
    def is_closed(self) -> bool:
        """Whether nothing can be called any more."""
        return self._is_hung_up

    def hang_up(self) -> None:
        """Ends what waits, from any thread: it raises `ConnectionLost`. What was asked is withdrawn."""
        self._is_hung_up = True
        self._channel.hang_up()

    def close(self) -> None:
        """Hangs up, and lets everything go."""
        self.hang_up()
        self._session.close()
        self._channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _send(self, method: Method[R], files: Sequence[int], *, more: bool = False, oneway: bool = False) -> None:
        if self._stream is not None:
            raise RuntimeError("a stream is open on this connection: open another, or end it")
        if self._is_hung_up:
            raise ConnectionLost("this connection was closed")
        message = self._session.call(method.NAME, method.encode(), more=more, oneway=oneway)
        try:
            self._channel.queue(message, files)
            deadline = self._deadline()
            while not self._channel.flush():
                # A daemon that is held up by replies takes no more before they are read.
                if self._wait(select.POLLIN | select.POLLOUT, deadline) & select.POLLIN:
                    if self._channel.fill(self._session) is Arrival.END:
                        raise ConnectionLost("albumd closed the connection")
        except BaseException:
            self.close()
            raise

    def _receive(self) -> Reply:
        try:
            deadline = self._deadline()
            while True:
                if (reply := self._session.next_reply()) is not None:
                    return reply
                found = self._channel.fill(self._session)
                if found is Arrival.END:
                    if not self._is_hung_up:
                        self._session.ended()
                    raise ConnectionLost("albumd closed the connection")
                if found is Arrival.NOTHING:
                    self._wait(select.POLLIN, deadline)
        except BaseException:
            self.close()
            raise

    def _deadline(self) -> float | None:
        return None if self.timeout is None else time.monotonic() + self.timeout

    def _wait(self, events: int, deadline: float | None) -> int:
        poll = select.poll()
        poll.register(self._channel.socket, events)
        rest = None if deadline is None else max(0.0, deadline - time.monotonic())
        ready = poll.poll(None if rest is None else rest * 1000)
        if not ready:
            raise TimedOut(f"albumd has not answered within {self.timeout} seconds")
        return ready[0][1]


def typed_or_close(connection: Connection, method: Method[R], reply: Reply) -> R:
    """The reply; what breaks the interface ends the connection."""
    try:
        return typed(method, reply)
    except RemoteError:
        raise
    except BaseException:
        connection.close()
        raise


class Stream(Generic[R]):
    """The replies to a call, one after another. Closed before its end, it hangs up: that ends a subscription."""

    def __init__(self, connection: Connection, method: Method[R]) -> None:
        self._connection = connection
        self._method = method
        self._is_over = False
        self.descriptors = Descriptors()
        """Those of the last reply, until the next."""

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> R:
        self.descriptors.close()
        if self._is_over:
            raise StopIteration
        try:
            reply = self._connection._receive()
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

    def close(self) -> None:
        """Ends it. The connection can be used on only where all replies had come."""
        self.descriptors.close()
        if not self._is_over:
            self._end()
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
