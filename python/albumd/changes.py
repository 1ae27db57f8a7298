"""What a subscription tells, and where one goes on: without IO."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from .errors import ProtocolViolation
from .interfaces.authorization import AuthorizationStatus
from .interfaces.library import Album, Asset, AssetScope, ItemChange, ItemMove, Subscribe, SubscribeReply
from .values import Mismatch

T = TypeVar("T", Asset, Album)


@dataclass(frozen=True, slots=True)
class Changes(Generic[T]):
    """Something happened. PhotoKit: `PHChange`."""

    token: str
    """The place after it: who comes back with it is told everything since, once. Empty while there is no access."""
    inserted: Sequence[T] = ()
    """Visible now and not before."""
    removed: Sequence[str] = ()
    """The ids of those that were visible and are not any more."""
    changed: Sequence[ItemChange] = ()
    """Visible and different."""
    moved: Sequence[ItemMove] = ()
    """Visible, and in other albums than before."""
    has_incremental_changes: bool = True
    """False where changes were lost, or access was granted or taken away: fetch anew."""
    authorization_status: AuthorizationStatus | None = None
    """What the app may do from now on, where that is what changed. A refusal: there is nothing to show any more."""

    def __bool__(self) -> bool:
        """Whether there is anything to do."""
        return bool(
            self.inserted or self.removed or self.changed or self.moved or not self.has_incremental_changes)


class Position(Generic[T]):
    """How far somebody has come who is told of changes."""

    BACKOFF = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)

    def __init__(self, kind: type[T], since: str | None, scope: AssetScope | None) -> None:
        self.kind: type[T] = kind
        self.token = since
        self.scope = scope
        self.is_lost = False
        self.grant: AuthorizationStatus | None = None
        self.had_access = since is not None
        self.has_begun = False
        self._failures = 0

    @property
    def question(self) -> Subscribe:
        """The subscription that goes on from here."""
        return Subscribe(assets=self.scope, albums=True if self.kind is Album else None, since=self.token)

    def delivered(self, reply: SubscribeReply) -> Changes[T] | None:
        """What a delivery tells; None for one that tells nothing new."""
        try:
            inserted = tuple(self.kind.decode(item) for item in reply.inserted)
        except Mismatch as mismatch:
            raise ProtocolViolation(f"{Subscribe.NAME}: inserted: {mismatch}") from None
        changes: Changes[T] = Changes(
            reply.token, inserted, reply.removed, reply.changed, reply.moved,
            reply.has_incremental_changes and not self.is_lost, self.grant)
        is_first = not self.has_begun
        self.token, self.is_lost, self.grant = reply.token, False, None
        self.had_access = self.has_begun = True
        if changes:
            self._failures = 0
        return changes if changes or is_first else None

    def expired(self) -> None:
        """The token is of no use any more: from now on, and who listens is told."""
        self.token, self.is_lost = None, True

    def refused(self, status: AuthorizationStatus) -> Changes[T] | None:
        """Access is not there. None where that is no news: to who had none, or was told. What comes back is another
        library to who was told to show nothing."""
        had_access, self.had_access = self.had_access, False
        self.expired()
        if not had_access:
            return None
        return Changes("", has_incremental_changes=False, authorization_status=status)

    def granted(self, status: AuthorizationStatus) -> None:
        """Access is there."""
        self.grant, self._failures = status, 0

    def delay(self) -> float:
        """How long to wait before it is tried again: longer each time, until something is told."""
        self._failures += 1
        return self.BACKOFF[min(self._failures, len(self.BACKOFF)) - 1]


USABLE = (AuthorizationStatus.AUTHORIZED, AuthorizationStatus.LIMITED)
