"""What came of something that needs access."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from .interfaces.authorization import AuthorizationStatus, Guide

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class PermissionOutcome(Generic[V]):
    """It was done, or why not."""

    kind: Literal["done", "denied", "restricted", "notNow", "noAgent"]
    """`denied`: the owner refused, now or earlier. `restricted`: a policy forbids it. `notNow`: the owner, or the
    person here, put it off. `noAgent`: nobody is there to answer the owner's prompt."""
    value: V | None = None
    """What was done."""
    guide: Guide | None = None
    """What to show the person of a refusal. Show it once, let them cancel, and leave it at that."""

    @classmethod
    def of(cls, status: AuthorizationStatus, guide: Guide | None) -> PermissionOutcome[V]:
        """A status that is not usable."""
        if status == AuthorizationStatus.NOT_DETERMINED:
            return cls("notNow")
        return cls("restricted" if status == AuthorizationStatus.RESTRICTED else "denied", guide=guide)
