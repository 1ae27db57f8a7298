"""Why something did not happen. Every exception of the package is an `AlbumError`; what the daemon answers is a
`RemoteError`, of the class that has the error's name (`albumd.NoAgent` is `io.albumd.Authorization.NoAgent`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from .values import NOTHING, Field, Mismatch, decode_fields, text

__all__ = [
    "AlbumError", "ConnectionLost", "ExpectedMore", "InterfaceNotFound", "InvalidParameter", "MethodNotFound",
    "MethodNotImplemented", "NotRunning", "OutOfDescriptors", "PermissionDenied", "ProtocolViolation", "RemoteError",
    "TimedOut",
]


class AlbumError(Exception):
    """Anything of this package."""


class NotRunning(AlbumError, ConnectionError):
    """Nobody listens at the socket."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}. Is albumd running? ALBUMD_SOCKET names another socket.")
        self.path = path


class ConnectionLost(AlbumError, ConnectionError):
    """The connection ended before the reply. What was asked for may have been done all the same."""


class TimedOut(AlbumError, TimeoutError):
    """No reply came in time. The connection is closed, which withdraws what was asked."""


class ProtocolViolation(AlbumError):
    """What came is not what the interface says; the connection is closed."""


class OutOfDescriptors(AlbumError, OSError):
    """This process may not have so many open files: the kernel dropped some that came (`ulimit -n`)."""


class RemoteError(AlbumError):
    """What the daemon answered instead of a reply. This class itself stands for errors that this version of the
    package does not know."""

    NAME: ClassVar[str] = ""
    FIELDS: ClassVar[tuple[Field, ...]] = ()
    BY_NAME: ClassVar[dict[str, type[RemoteError]]] = {}

    name: str
    """Its full name, such as `io.albumd.Library.NoSuchAsset`."""
    parameters: Mapping[str, Any]
    """Its fields as they came."""
    message: str | None
    """What it says to a person, in the language that the connection or the call has named; None where none was named."""
    unknown_fields: Mapping[str, Any]

    def __init_subclass__(cls) -> None:
        if cls.NAME:
            RemoteError.BY_NAME[cls.NAME] = cls

    def __init__(self, name: str, parameters: Mapping[str, Any] = NOTHING) -> None:
        super().__init__(name, dict(parameters))
        self.name = name
        self.parameters = parameters
        message = parameters.get("message")
        self.message = message if isinstance(message, str) else None
        if self.FIELDS:
            decode_fields(self, self.FIELDS, dict(parameters))
        else:
            self.unknown_fields = parameters

    @classmethod
    def about(cls, name: str, item: int, message: str) -> RemoteError:
        """Of one item of many, of which only this much is told."""
        self = cls.__new__(cls)
        Exception.__init__(self, name, item, message)
        self.name, self.parameters, self.unknown_fields = name, {"item": item, "message": message}, NOTHING
        for field in cls.FIELDS:
            setattr(self, field.name, item if field.name == "item" else None)
        self.message = message
        return self

    def __str__(self) -> str:
        said = ", ".join(
            f"{key} {value!r:.200}" for key, value in self.parameters.items() if key not in ("guide", "message"))
        what = (type(self).__doc__ or "").partition("\n")[0] if type(self) is not RemoteError else ""
        # Without what controls a terminal, whoever says it.
        what = "".join(letter for letter in self.message[:4096] if letter.isprintable()) if self.message else what
        return " ".join(part for part in (f"{self.name}:", what, f"({said})" if said else "") if part).rstrip(":")


def remote_error(name: str, parameters: Mapping[str, Any]) -> AlbumError:
    """The exception for an answer. One whose fields are not as they should be is a `ProtocolViolation`."""
    try:
        return RemoteError.BY_NAME.get(name, RemoteError)(name, parameters)
    except Mismatch as mismatch:
        return ProtocolViolation(f"{name:.200}: {mismatch}")


class InterfaceNotFound(RemoteError):
    """The daemon has no such interface: it is older or newer than this package."""

    NAME = "org.varlink.service.InterfaceNotFound"


class MethodNotFound(RemoteError):
    """The daemon has no such method: it is older or newer than this package."""

    NAME = "org.varlink.service.MethodNotFound"


class MethodNotImplemented(RemoteError):
    """The daemon does not have that method yet."""

    NAME = "org.varlink.service.MethodNotImplemented"


class InvalidParameter(RemoteError):
    """A parameter is wrong."""

    NAME = "org.varlink.service.InvalidParameter"
    FIELDS = (Field("parameter", "parameter", text, False),)
    parameter: str


class PermissionDenied(RemoteError):
    """The daemon allows this caller nothing."""

    NAME = "org.varlink.service.PermissionDenied"


class ExpectedMore(RemoteError):
    """The method answers in a stream only."""

    NAME = "org.varlink.service.ExpectedMore"
