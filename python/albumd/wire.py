"""The protocol without IO: bytes and descriptors to replies, calls to bytes. One for each connection."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn, TypeVar, cast

from .descriptors import Descriptors
from .errors import AlbumError, ProtocolViolation, remote_error
from .values import Method, Mismatch, Struct

R = TypeVar("R", bound=Struct)

MAXIMUM_MESSAGE = 64 << 20
"""The most bytes of a reply, and of all that wait to be read. albumd sends less; others may not fill memory."""
MAXIMUM_DESCRIPTORS = 253
"""The most that the kernel sends with one message (SCM_MAX_FD)."""


class Reply(NamedTuple):
    """One reply, or the error that came instead."""

    parameters: dict[str, Any]
    error: str | None
    continues: bool
    descriptors: Descriptors


class _Message(NamedTuple):
    text: bytes
    descriptors: Descriptors


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def encode_call(name: str, parameters: Mapping[str, Any], *, more: bool = False, oneway: bool = False) -> bytes:
    """A call as it is sent."""
    call: dict[str, Any] = {"method": name, "parameters": parameters}
    if more:
        call["more"] = True
    if oneway:
        call["oneway"] = True
    try:
        text = json.dumps(call, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name}: a text holds half a character (a surrogate), which no message can") from None
    return text + b"\0"


class ClientSession:
    """Which reply belongs to which call. After a `ProtocolViolation` nothing more can be believed."""

    def __init__(self, limit: int = MAXIMUM_MESSAGE) -> None:
        self._limit = limit
        self._awaited: deque[bool] = deque()
        self._partial = bytearray()
        self._partial_descriptors: list[int] = []
        self._messages: deque[_Message] = deque()
        self._held = 0

    @property
    def is_idle(self) -> bool:
        """Whether no reply is awaited."""
        return not self._awaited

    @property
    def holds_message(self) -> bool:
        """Whether a whole message waits to be read."""
        return bool(self._messages)

    def call(self, name: str, parameters: Mapping[str, Any], *, more: bool = False, oneway: bool = False) -> bytes:
        """The bytes of a call, whose reply is awaited from now on, unless it is oneway."""
        text = encode_call(name, parameters, more=more, oneway=oneway)
        if not oneway:
            self._awaited.append(more)
        return text

    def received(self, data: bytes, descriptors: Sequence[int] = ()) -> None:
        """What the socket had. Descriptors belong to the message at the end of what is held, so bytes that come with
        some end with that message, or before its end."""
        self._partial_descriptors += descriptors
        if len(self._partial_descriptors) > MAXIMUM_DESCRIPTORS:
            raise ProtocolViolation(f"more than {MAXIMUM_DESCRIPTORS} descriptors with one message")
        self._held += len(data)
        if self._held > self._limit:
            raise ProtocolViolation(f"a reply of more than {self._limit} bytes")
        *ends, rest = data.split(b"\0")
        for end in ends:
            text = bytes(self._partial) + end if self._partial else end
            self._messages.append(_Message(text, Descriptors(self._partial_descriptors)))
            self._partial.clear()
            self._partial_descriptors = []
        self._partial += rest

    def ended(self) -> None:
        """Nothing more will come. `ProtocolViolation` where that was in the middle of a message."""
        if self._partial:
            raise ProtocolViolation(f"the connection ended within a message, after {len(self._partial)} bytes of it")

    def next_reply(self) -> Reply | None:
        """The next reply, to the oldest call; None when it is not there yet."""
        if not self._messages:
            return None
        text, descriptors = self._messages.popleft()
        self._held -= len(text) + 1
        try:
            reply = self._parsed(text, descriptors)
            if not self._awaited:
                raise ProtocolViolation("a reply to no call")
            if reply.continues and not self._awaited[0]:
                raise ProtocolViolation("more replies than the call asked for")
        except ProtocolViolation:
            descriptors.close()
            raise
        if not reply.continues:
            self._awaited.popleft()
        return reply

    def _parsed(self, text: bytes, descriptors: Descriptors) -> Reply:
        try:
            message = json.loads(text.decode(), parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as failure:
            raise ProtocolViolation(f"a reply is no JSON: {str(failure):.200}") from None
        if type(message) is not dict:
            raise ProtocolViolation("a reply is no object")
        parameters = message.get("parameters")
        error, continues = message.get("error"), message.get("continues")
        if parameters is not None and type(parameters) is not dict:
            raise ProtocolViolation("a reply's parameters are no object")
        if error is not None and (type(error) is not str or not error):
            raise ProtocolViolation("a reply's error is no name")
        if continues is not None and type(continues) is not bool:
            raise ProtocolViolation("a reply's continues is neither true nor false")
        if error is not None and continues:
            raise ProtocolViolation("an error that continues")
        return Reply(parameters or {}, error, bool(continues), descriptors)

    def close(self) -> None:
        """Closes what nobody has read."""
        Descriptors(self._partial_descriptors).close()
        self._partial_descriptors = []
        while self._messages:
            self._messages.popleft().descriptors.close()


def typed(method: Method[R], reply: Reply) -> R:
    """The reply as its method's type. A `RemoteError` where it is an error, `ProtocolViolation` where it does not fit
    the definition; then its descriptors are closed."""
    try:
        if reply.error is not None:
            raise remote_error(reply.error, reply.parameters)
        return cast(R, method.REPLY.decode(reply.parameters))
    except Mismatch as mismatch:
        reply.descriptors.close()
        raise ProtocolViolation(f"{method.NAME}: {mismatch}") from None
    except AlbumError:
        reply.descriptors.close()
        raise
