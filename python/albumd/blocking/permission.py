# Made by python/generate.py of python/albumd/aio/permission.py. Change that, not this.
"""Access to the photo library in a few calls, for an app that only wants to save a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from ..changes import USABLE
from ..interfaces.authorization import AccessLevel, AuthorizationStatus, Guide, NoAgent, Throttled
from ..interfaces.library import NotAuthorized, SavePurpose
from ..media import MediaItem, MediaSource, SavedPhotos, SaveProgress
from ..permission import PermissionOutcome
from .library import PhotoLibrary

V = TypeVar("V")


class PhotoLibraryPermissionManager:
    """It asks at most once in each call, and the owner at most once ever: after a refusal every call has the guide."""

    def __init__(
        self, library: PhotoLibrary, level: AccessLevel = AccessLevel.ADD_ONLY, *, title: str | None = None,
        message: str | None = None,
    ) -> None:
        """`title` and `message`: of the guides of refusals, instead of theirs."""
        self.library = library
        self.level = level
        self.title = title
        self.message = message

    def check_permission_status(self) -> AuthorizationStatus:
        """What the app may do now. Never prompts. Who may read may add, whatever is said of adding alone."""
        status = self.library.authorization_status(self.level)
        if status not in USABLE and self.level == AccessLevel.ADD_ONLY:
            if self.library.authorization_status(AccessLevel.READ_WRITE) in USABLE:
                return AuthorizationStatus.AUTHORIZED
        return status

    def request_permission_and_execute(
        self, action: Callable[[], V], *, explain: Callable[[], bool] | None = None,
        on_denied: Callable[[Guide], None] | None = None,
    ) -> PermissionOutcome[V]:
        """Does something that needs access, and asks for it before if nobody was asked yet.

        `explain`: the app's own question before that; False puts it off. `on_denied`: shows the guide of a refusal.
        Raises what the action raises, and what keeps anyone from being asked, such as `UsageDescriptionMissing`.
        """
        outcome = self._outcome(action, explain)
        if outcome.guide is not None:
            guide = replace(
                outcome.guide, title=self.title or outcome.guide.title, message=self.message or outcome.guide.message)
            outcome = replace(outcome, guide=guide)
            if on_denied is not None:
                on_denied(guide)
        return outcome

    def _outcome(
        self, action: Callable[[], V], explain: Callable[[], bool] | None
    ) -> PermissionOutcome[V]:
        status = self.check_permission_status()
        if status == AuthorizationStatus.NOT_DETERMINED and explain is not None and not explain():
            return PermissionOutcome("notNow")
        if status not in USABLE:
            try:
                answer = self.library.request_authorization(self.level)
            except NoAgent:
                return PermissionOutcome("noAgent")
            except Throttled:
                return PermissionOutcome("notNow")
            if answer.status not in USABLE:
                return PermissionOutcome.of(answer.status, answer.guide)
        try:
            return PermissionOutcome("done", action())
        except NotAuthorized as refusal:
            # Access may be taken away between the question and the action.
            if refusal.access_level != self.level:
                raise
            return PermissionOutcome.of(refusal.status, refusal.guide)

    def request_and_save(
        self, items: Sequence[MediaItem | MediaSource], *, album: str | None = None,
        purpose: SavePurpose = SavePurpose.KEEP, explain: Callable[[], bool] | None = None,
        on_denied: Callable[[Guide], None] | None = None,
        progress: Callable[[SaveProgress], None] | None = None,
    ) -> PermissionOutcome[SavedPhotos]:
        """Saves pictures and videos for a purpose, and asks for access before if nobody was asked yet. The guide of
        what was saved says what to do next."""

        def save() -> SavedPhotos:
            return self.library.save(items, album=album, purpose=purpose, progress=progress)

        return self.request_permission_and_execute(save, explain=explain, on_denied=on_denied)

    def save_image(
        self, source: MediaSource, *, filename: str | None = None, album: str | None = None,
        explain: Callable[[], bool] | None = None,
        on_denied: Callable[[Guide], None] | None = None,
    ) -> PermissionOutcome[str]:
        """Saves one; its id, which of an app that may only add is a receipt."""

        def save() -> str:
            saved = self.library.save([MediaItem(source=source, filename=filename)], album=album)
            if saved.first_error is not None:
                raise saved.first_error
            return saved.identifiers[0]

        return self.request_permission_and_execute(save, explain=explain, on_denied=on_denied)
