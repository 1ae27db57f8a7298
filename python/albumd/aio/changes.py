"""Changes one by one, through restarts of the daemon and through times when the app may not read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Generic, TypeVar

from ..changes import USABLE, Changes, Position
from ..errors import ConnectionLost, NotRunning
from ..interfaces.authorization import AccessLevel, AuthorizationStatus, Monitor, MonitorReply
from ..interfaces.library import (
    Album, Asset, AssetScope, MonitorState, MonitorStateReply, NotAuthorized, TokenExpired)
from .absence import absent

if TYPE_CHECKING:
    from .library import PhotoLibrary

T = TypeVar("T", Asset, Album)


class _Changes(Generic[T]):
    """Iterate it once. It ends with its library; `TokenExpired` and refusals are told as changes (S70), and every
    other error that the daemon answers is raised."""

    def __init__(self, library: PhotoLibrary, position: Position[T]) -> None:
        self._library = library
        self._position: Position[T] = position

    @property
    def token(self) -> str | None:
        """The place after what was told last."""
        return self._position.token

    def __aiter__(self) -> AsyncIterator[Changes[T]]:
        return self._changes()

    async def _changes(self) -> AsyncIterator[Changes[T]]:
        position = self._position
        while not self._library.is_closed:
            try:
                async with await self._library.connect() as connection:
                    async for delivery in await connection.stream(position.question):
                        changes = position.delivered(delivery)
                        if changes is not None:
                            yield changes
                raise ConnectionLost("albumd ended the stream")
            except TokenExpired:
                position.expired()
            except NotAuthorized as refusal:
                changes = position.refused(refusal.status)
                if changes is not None:
                    yield changes
                await self._await_access()
            except (ConnectionLost, NotRunning):
                if not self._library.is_closed:
                    await absent(self._library, position.delay())

    async def _await_access(self) -> None:
        """Until the app may read."""
        try:
            async with await self._library.connect() as connection:
                async for reply in await connection.stream(Monitor()):
                    if reply.access_level == AccessLevel.READ_WRITE and reply.status in USABLE:
                        self._position.granted(reply.status)
                        return
        except (ConnectionLost, NotRunning):
            if not self._library.is_closed:
                await absent(self._library, self._position.delay())


class AssetChanges(_Changes[Asset]):
    """What happens to assets. The first that comes may be empty: it has the token of where the stream begins."""

    def __init__(self, library: PhotoLibrary, since: str | None, scope: AssetScope | None) -> None:
        super().__init__(library, Position(Asset, since, scope))


class AlbumChanges(_Changes[Album]):
    """What happens to the list of albums."""

    def __init__(self, library: PhotoLibrary, since: str | None, scope: AssetScope | None) -> None:
        super().__init__(library, Position(Album, since, scope))


class States:
    """How the library is, and then each change, through restarts of the daemon: None while none answers. Iterate it once; it
    ends with its library."""

    def __init__(self, library: PhotoLibrary) -> None:
        self._library = library

    def __aiter__(self) -> AsyncIterator[MonitorStateReply | None]:
        return self._states()

    async def _states(self) -> AsyncIterator[MonitorStateReply | None]:
        known: MonitorStateReply | None = None
        is_first = True
        delay = 0.05
        while not self._library.is_closed:
            try:
                async with await self._library.connect() as connection:
                    async for reply in await connection.stream(MonitorState()):
                        delay = 0.05
                        if is_first or reply != known:
                            known, is_first = reply, False
                            yield reply
            except (ConnectionLost, NotRunning):
                if self._library.is_closed:
                    return
                if is_first or known is not None:
                    known, is_first = None, False
                    yield None
            await absent(self._library, delay)
            delay = min(5.0, delay * 2)


class Statuses:
    """The status of each level, and then each change, once. Iterate it once; it ends with its library."""

    def __init__(self, library: PhotoLibrary) -> None:
        self._library = library

    def __aiter__(self) -> AsyncIterator[MonitorReply]:
        return self._statuses()

    async def _statuses(self) -> AsyncIterator[MonitorReply]:
        known: dict[AccessLevel, tuple[AuthorizationStatus, int | None]] = {}
        delay = 0.05
        while not self._library.is_closed:
            try:
                async with await self._library.connect() as connection:
                    async for reply in await connection.stream(Monitor()):
                        delay = 0.05
                        told = reply.status, reply.selection_count
                        if known.get(reply.access_level) != told:
                            known[reply.access_level] = told
                            yield reply
            except (ConnectionLost, NotRunning):
                if self._library.is_closed:
                    return
            await absent(self._library, delay)
            delay = min(5.0, delay * 2)
