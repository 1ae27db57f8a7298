"""A connected socket that never waits: messages with their descriptors, out and in."""

from __future__ import annotations

import array
import errno
import os
import socket
from collections import deque
from collections.abc import Sequence
from enum import Enum

from .errors import ConnectionLost, NotRunning, OutOfDescriptors
from .wire import MAXIMUM_DESCRIPTORS, ClientSession

_CHUNK = 1 << 16
_ANCILLARY = socket.CMSG_SPACE(MAXIMUM_DESCRIPTORS * array.array("i").itemsize)
_RIGHTS = (socket.SOL_SOCKET, socket.SCM_RIGHTS)


def socket_path(explicit: str | os.PathLike[str] | None = None) -> str:
    """The path given, else that of ALBUMD_SOCKET, else of the user's own daemon if it is there, else the system's."""
    if explicit is not None:
        return os.fspath(explicit)
    if named := os.environ.get("ALBUMD_SOCKET"):
        return named
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    # The XDG Base Directory Specification: a relative path is to be ignored.
    if runtime.startswith("/") and os.path.exists(own := f"{runtime}/albumd/io.albumd"):
        return own
    return "/run/albumd/io.albumd"


def connect(path: str) -> socket.socket:
    """`NotRunning` where nobody listens."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(path)
    except OSError as error:
        connection.close()
        raise NotRunning(path, error.strerror or str(error)) from None
    connection.setblocking(False)
    return connection


class Arrival(Enum):
    """What filling found."""

    DATA = 1
    NOTHING = 2
    END = 3


class Channel:
    """The socket of a connection, and what waits to be sent over it."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self.socket = connection
        self._outgoing: deque[tuple[memoryview, Sequence[int]]] = deque()

    def queue(self, message: bytes, files: Sequence[int] = ()) -> None:
        """Sends a message later. Its files have to stay open until it was sent."""
        if len(files) > MAXIMUM_DESCRIPTORS:
            raise ValueError(f"a message carries {MAXIMUM_DESCRIPTORS} files at most, not {len(files)}")
        self._outgoing.append((memoryview(message), tuple(files)))

    def flush(self) -> bool:
        """Sends what the daemon takes now; whether that was all. Files go with the first byte of their message."""
        while self._outgoing:
            rest, files = self._outgoing[0]
            rights = [(*_RIGHTS, array.array("i", files))] if files else []
            try:
                sent = self.socket.sendmsg([rest], rights, socket.MSG_NOSIGNAL)
            except (BlockingIOError, InterruptedError):
                return False
            except OSError as error:
                if error.errno in (errno.EPIPE, errno.ECONNRESET, errno.ENOTCONN):
                    raise ConnectionLost("albumd closed the connection") from None
                raise
            if sent == len(rest):
                self._outgoing.popleft()
            else:
                self._outgoing[0] = rest[sent:], ()
        return True

    def fill(self, session: ClientSession) -> Arrival:
        """Receives what is there, at most one chunk.

        Descriptors travel with the byte that they were sent on, and bytes of earlier messages may come along with
        them. So this looks first: before bytes with descriptors it takes exactly one message.
        """
        try:
            # Without room for descriptors: the kernel says that there are some, and keeps them.
            data, _, flags, _ = self.socket.recvmsg(_CHUNK, 0, socket.MSG_PEEK)
            if not data:
                return Arrival.END
            if not flags & socket.MSG_CTRUNC:
                session.received(self.socket.recv(len(data)))
                return Arrival.DATA
            end = data.find(b"\0") + 1 or len(data)
            self._receive_descriptors(end, session)
            return Arrival.DATA
        except (BlockingIOError, InterruptedError):
            return Arrival.NOTHING
        except ConnectionResetError:
            return Arrival.END

    def _receive_descriptors(self, count: int, session: ClientSession) -> None:
        data, ancillary, flags, _ = self.socket.recvmsg(count, _ANCILLARY, socket.MSG_CMSG_CLOEXEC)
        numbers = array.array("i")
        for level, kind, rights in ancillary:
            if (level, kind) == _RIGHTS:
                numbers.frombytes(rights[: len(rights) - len(rights) % numbers.itemsize])
        if flags & socket.MSG_CTRUNC:
            for number in numbers:
                os.close(number)
            raise OutOfDescriptors(errno.EMFILE, "there is no room for the open files that came with a reply")
        session.received(data, numbers.tolist())

    def hang_up(self) -> None:
        """Ends the connection for both sides; may be called from any thread, and wakes who waits."""
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def close(self) -> None:
        """For good."""
        self._outgoing.clear()
        self.socket.close()
