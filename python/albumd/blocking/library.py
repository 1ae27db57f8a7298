# Made by python/generate.py of python/albumd/aio/library.py. Change that, not this.
"""The photo library, as far as this app may see it, with PhotoKit's names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from io import BufferedReader
from typing import Self, TypeVar

from ..adjustment import PhotoAdjustment
from ..descriptors import Descriptors
from ..errors import AlbumError, ConnectionLost, RemoteError
from ..interfaces import authorization, library as wire, manager, picker
from ..interfaces.authorization import AccessLevel, AuthorizationStatus, Guide, Identity
from ..interfaces.library import Album, Asset, AssetFilter, MediaType, ResourceType, SavePurpose, SortKey
from ..interfaces.picker import PickerFilter
from ..language import preferred_language
from ..lifetimes import Lifetimes
from ..loading import LoadedPick, Loading, NotLoaded, PickProgress
from ..media import (
    Batch, MediaItem, MediaSource, PickedAsset, PickedSidecar, PickResult, SavedPhotos, SaveProgress, batches, write_copy,
)
from ..values import Method, Struct
from .changes import AlbumChanges, AssetChanges, States, Statuses
from .connection import Connection
from .fetching import FetchResult
from .waiting import Lock, work

R = TypeVar("R", bound=Struct)

IDS_OF_A_CALL = 1000
"""How many assets a call takes that changes them."""


class PhotoLibrary:
    """The photo library. PhotoKit: `PHPhotoLibrary`, with the fetches that are class methods of `PHAsset` there.

    Questions share a connection, and are asked again once where the daemon was restarted meanwhile. What changes
    something or asks a person has a connection of its own, and is never repeated.
    """

    def __init__(
        self, path: str | os.PathLike[str] | None = None, *, language: str | None = None, as_owner: bool = False,
        timeout: float | None = None,
    ) -> None:
        """Connects when it is first used.

        `path`: the daemon's socket; found as by every client when None. `language`: of guides, messages and errors, such as
        `zh-Hans`; the process's when None. `as_owner`: see the whole library, without prompts, as an owner's program
        may. `timeout`: seconds for each answer that no person gives.
        """
        self.path = path
        self.language = language or preferred_language()
        self.as_owner = as_owner
        self.timeout = timeout
        self._lock = Lock()
        self._questions: Connection | None = None
        self.lifetimes = Lifetimes()

    # Connections

    @property
    def is_closed(self) -> bool:
        """Whether it was hung up."""
        return self.lifetimes.is_over

    def connect(self, timeout: float | None = None) -> Connection:
        """A connection of its own, which ends with the library."""
        if self.is_closed:
            raise ConnectionLost("this library was closed")
        connection = Connection.open(self.path, timeout=timeout)
        self.lifetimes.add(connection)
        try:
            if self.language is not None:
                # Nothing waits for it, and an older daemon says nothing to it.
                connection.notify(authorization.SetLanguage(language=self.language))
            if self.as_owner:
                connection.call(manager.ActAsOwner())
        except BaseException:
            connection.close()
            raise
        return connection

    def ask(self, method: Method[R]) -> R:
        """A question, which is asked once more where the connection was lost."""
        reply, descriptors = self.ask_with_descriptors(method)
        descriptors.close()
        return reply

    def ask_with_descriptors(self, method: Method[R]) -> tuple[R, Descriptors]:
        """The same, with the descriptors that came."""
        with self._lock:
            is_fresh = self._questions is None or self._questions.is_closed
            try:
                return self._ask(method)
            except ConnectionLost:
                if is_fresh or self.is_closed:
                    raise
            return self._ask(method)

    def _ask(self, method: Method[R]) -> tuple[R, Descriptors]:
        if self._questions is None or self._questions.is_closed:
            self._questions = self.connect(self.timeout)
        return self._questions.call_with_descriptors(method)

    def call(self, method: Method[R], files: Sequence[int] = (), *, timeout: float | None = None) -> R:
        """Anything else: over a connection of its own, once."""
        with self.connect(timeout) as connection:
            return connection.call(method, files)

    def hang_up(self) -> None:
        """Ends every call and every iteration; what was asked of a person is withdrawn. From any thread."""
        self.lifetimes.end()

    def close(self) -> None:
        """The same, and lets the connection go."""
        self.hang_up()
        if self._questions is not None:
            self._questions.close()
            self._questions = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Authorization

    def authorization_status(self, level: AccessLevel) -> AuthorizationStatus:
        """What this app may do. Never prompts and never waits for anybody. PhotoKit: `authorizationStatus(for:)`."""
        return (self.ask(authorization.GetStatus(access_level=level))).status

    def authorization_guide(self, level: AccessLevel) -> Guide | None:
        """What to show the person while there is no access."""
        return (self.ask(authorization.GetStatus(access_level=level, language=self.language or "en"))).guide

    def request_authorization(
        self, level: AccessLevel = AccessLevel.READ_WRITE, *, wait_for_agent: bool = False
    ) -> authorization.RequestReply:
        """Asks the owner, if nobody was asked before, and waits for the answer: a status, and where that is a refusal
        the guide to show. PhotoKit: `requestAuthorization(for:)`.

        Raises `NoAgent`, `Throttled`, `Busy`, `UsageDescriptionMissing`, `UnidentifiedPeer`.
        """
        return self.call(authorization.Request(
            access_level=level, wait_for_agent=wait_for_agent or None, language=self.language))

    def present_limited_library_picker(self) -> Sequence[str]:
        """Has the owner choose what this app may see, when it is limited: the ids that are selected now and were not
        before. PhotoKit: `presentLimitedLibraryPicker(from:)`."""
        return (self.call(authorization.PresentLimitedPicker())).added_assets

    def identity(self) -> Identity:
        """How the daemon sees this app."""
        return (self.ask(authorization.WhoAmI())).identity

    def authorization_statuses(self) -> Statuses:
        """The status of each level, and then each change, through restarts of the daemon."""
        return Statuses(self)

    def availability(self) -> States:
        """How the library is, and then each change, through restarts of the daemon: None while none answers. PhotoKit:
        `unavailabilityReason`."""
        return States(self)

    # Fetching

    def info(self) -> wire.GetInfoReply:
        """The state of the library, and how much of it the caller may see."""
        return self.ask(wire.GetInfo())

    def fetch_assets(
        self, *, albums: Sequence[str] | None = None, ids: Sequence[str] | None = None,
        media_types: Sequence[MediaType] | None = None, created_after: datetime | None = None,
        created_before: datetime | None = None, name_contains: str | None = None, sort: SortKey = SortKey.CREATED,
        descending: bool = False, limit: int | None = None, page: int = 1000, matching: AssetFilter | None = None,
        content_hashes: Sequence[str] | None = None, favorite: bool | None = None, include_hidden: bool = False,
        taken_in: datetime | None = None, offset: int = 0, hidden: bool | None = None,
    ) -> FetchResult:
        """Assets that the app may see, the oldest first. The result has its first page, and reads the others while it
        is iterated. `albums`: by id, smart ones among them; `matching`: a condition that may be made of others; `limit`: of
        all; `page`: of one; `content_hashes`: at most 1000, as `Asset.content_hash` has them; `favorite`: only favourites,
        or only others; `include_hidden`: hidden ones as well, for an app that sees the whole library; `taken_in`: where in time
        to begin, going on from there or, when descending, back, with those on the other side left out but counted; `offset`:
        so many of the first are left out; `hidden`: only hidden ones, for an app that sees the whole library, or only others.
        PhotoKit: `PHAsset.fetchAssets(with:)`."""
        question = wire.FetchAssets(
            albums=albums, ids=ids, media_types=media_types, created_after=created_after,
            created_before=created_before, name_contains=name_contains, sort=sort, descending=descending or None,
            limit=page if limit is None else max(1, min(limit, page)), matching=matching, content_hashes=content_hashes,
            is_favorite=favorite, include_hidden=include_hidden or None,
            taken_in=None if taken_in is None else wire.TakenIn(from_=taken_in), offset=offset or None, is_hidden=hidden)
        return FetchResult(self, question, self.ask(question), limit)

    def asset(self, id: str) -> Asset | None:
        """One asset, if the app may see it."""
        return next(iter((self.ask(wire.FetchAssets(ids=[id]))).assets), None)

    def fetch_albums(
        self, parent: str | None = None, *, ids: Sequence[str] | None = None, smart: bool = False
    ) -> wire.FetchAlbumsReply:
        """Albums that the app may see, by title; `smart`: those instead that are no directories, such as of all videos,
        whose ids are the words of `SmartAlbumKind`. PhotoKit: `PHAssetCollection.fetchAssetCollections`."""
        return self.ask(wire.FetchAlbums(parent=parent, ids=ids, smart=smart or None))

    def open(
        self, asset: Asset | str, resource: ResourceType | None = None, *, number: int | None = None
    ) -> BufferedReader:
        """Opens a file of an asset for reading: the photo or video itself unless said otherwise; of several sidecars the
        one with that number, from 0 in the order of their names. It stays open whatever becomes of the access. Raises
        `NoSuchAsset`, `NoSuchResource`, `Offline`, `NotAuthorized`, `LocationCannotBeRemoved`."""
        return (self.open_resource(asset, resource, number=number))[0]

    def open_resource(
        self, asset: Asset | str, resource: ResourceType | None = None, *, number: int | None = None
    ) -> tuple[BufferedReader, wire.OpenAssetReply]:
        """The same, with what the daemon says of it."""
        question = wire.OpenAsset(
            id=asset if isinstance(asset, str) else asset.id, resource=resource, sidecar=number)
        reply, descriptors = self.ask_with_descriptors(question)
        with descriptors:
            return descriptors.open(reply.file_descriptor), reply

    def write_data(
        self, asset: Asset, path: str | os.PathLike[str], resource: ResourceType | None = None
    ) -> None:
        """Writes a file of an asset to a path, whole or not at all, with its time. What is there is replaced."""
        file, reply = self.open_resource(asset, resource)
        with file:
            is_main = resource in (None, ResourceType.PHOTO, ResourceType.VIDEO)
            work(write_copy, file, path, reply.asset.modified if is_main else None)

    # Changes

    def current_change_token(self) -> str:
        """The place where the library is now, to come back with. PhotoKit: `currentChangeToken`."""
        told = (self.ask(wire.GetInfo())).token
        # Who may see nothing is told no token here; but why not, where it fetches.
        return told or (self.ask(wire.FetchAlbums(ids=[]))).token

    def asset_changes(
        self, since: str | None = None, *, albums: Sequence[str] | None = None, ids: Sequence[str] | None = None,
        include_hidden: bool = False,
    ) -> AssetChanges:
        """What happens to assets, from a token on: through restarts of the daemon, each change once. PhotoKit:
        `register(_:)`, and `fetchPersistentChanges(since:)`. One that is hidden is removed, and inserted when it is not any
        more; `include_hidden`, for an app that sees the whole library: it changes."""
        is_all = albums is None and ids is None and not include_hidden
        scope = None if is_all else wire.AssetScope(albums=albums, ids=ids, include_hidden=include_hidden or None)
        return AssetChanges(self, since, scope)

    def album_changes(self, since: str | None = None) -> AlbumChanges:
        """The same of the list of albums."""
        return AlbumChanges(self, since, None)

    # Changing

    def save(
        self, items: Sequence[MediaItem | MediaSource], *, album: str | None = None,
        purpose: SavePurpose | None = None, progress: Callable[[SaveProgress], None] | None = None,
    ) -> SavedPhotos:
        """Saves pictures and videos, each kept or refused by itself. Needs `addOnly`, or `readWrite`.

        Raises what keeps the first from being saved and is not about it, such as `NotAuthorized`; of what comes when
        some are saved, the results tell. Where that is `ConnectionLost`, an item may have been saved all the same.
        """
        whole = [item if isinstance(item, MediaItem) else MediaItem(source=item) for item in items]
        results: list[str | AlbumError | None] = [None] * len(whole)
        saving = _Saving(whole, results, album, purpose, self.language)
        end: AlbumError = ConnectionLost("albumd did not say what became of it")
        try:
            with self.connect() as connection:
                for first, count in batches(whole):
                    for completed in saving.batch(connection, first, count):
                        if progress is not None:
                            progress(SaveProgress(first + completed, len(whole)))
        except AlbumError as error:
            if not any(isinstance(result, str) for result in results):
                raise
            end = error
        return SavedPhotos([end if result is None else result for result in results], saving.guide)

    def create_album(
        self, title: str, *, parent: str | None = None, root: str | None = None,
        percent_encoded_title: str | None = None,
    ) -> Album:
        """Makes an album; a title that exists gets a number. Needs `readWrite`. Where the title is not UTF-8,
        `percent_encoded_title` has its bytes, as that of an `Album` has them, and counts instead."""
        return (self.call(wire.CreateAlbum(
            title=title, parent=parent, root=root, percent_encoded_title=percent_encoded_title))).album

    def rename_album(self, album: str, title: str) -> Album:
        """Gives an album another title; it keeps its id. One that exists there is refused (`NameTaken`)."""
        return (self.call(wire.RenameAlbum(album=album, title=title))).album

    def move_album(self, album: str, *, parent: str | None = None) -> Album:
        """Has an album lie in another one of the same root; directly beneath that without one (`CannotMove`)."""
        return (self.call(wire.MoveAlbum(album=album, parent=parent))).album

    def set_key_asset(self, album: str, asset: str | None) -> Album:
        """Chooses the asset that stands for an album, of those in it (`NoSuchAsset`); none any more without one."""
        return (self.call(wire.SetKeyAsset(album=album, asset=asset))).album

    def delete_album(self, album: str) -> list[str]:
        """Deletes an album, with the assets in it if the owner confirms it (`UserRefused`): the ids of those."""
        return list((self.call(wire.DeleteAlbum(album=album))).deleted)

    def add_to_album(self, ids: Sequence[str], album: str) -> None:
        """Puts assets into another album; they stay in those they are in."""
        for first in range(0, len(ids), IDS_OF_A_CALL):
            self.call(wire.AddToAlbum(ids=ids[first : first + IDS_OF_A_CALL], album=album))

    def remove_from_album(self, ids: Sequence[str], album: str) -> None:
        """Takes assets out of an album; each has to be somewhere else as well (`LastAlbum`)."""
        for first in range(0, len(ids), IDS_OF_A_CALL):
            self.call(wire.RemoveFromAlbum(ids=ids[first : first + IDS_OF_A_CALL], album=album))

    def move_to_album(self, ids: Sequence[str], album: str | None) -> None:
        """Moves assets into an album, out of all others that they are seen in (`CannotMove`); into none, directly beneath
        the root that they are in, without one."""
        for first in range(0, len(ids), IDS_OF_A_CALL):
            self.call(wire.MoveAssets(ids=ids[first : first + IDS_OF_A_CALL], album=album))

    def move_in_album(self, album: str, ids: Sequence[str], *, before: str | None = None) -> None:
        """Puts assets of an album before another one in it, in this order, or at the end: what `SortKey.CUSTOM` sorts by
        (`NoSuchAsset`). PhotoKit: `moveAssets(at:to:)`."""
        for first in range(0, len(ids), IDS_OF_A_CALL):
            batch = ids[first : first + IDS_OF_A_CALL]
            self.call(wire.MoveInAlbum(album=album, ids=batch, before=before))

    def rename(self, asset: str, filename: str) -> Asset:
        """Gives an asset another name; it keeps its id and its extension. One that exists is refused (`NameTaken`)."""
        return (self.call(wire.RenameAsset(id=asset, filename=filename))).asset

    def set_favorite(self, ids: Sequence[str], favorite: bool = True) -> None:
        """Marks assets as favourites, or as none any more: their files say so for other programs (`FlagsNotSupported`)."""
        for first in range(0, len(ids), IDS_OF_A_CALL):
            self.call(wire.SetFavorite(ids=ids[first : first + IDS_OF_A_CALL], favorite=favorite))

    def set_hidden(self, ids: Sequence[str], hidden: bool = True) -> None:
        """Hides assets, or shows them again, for an app that sees the whole library (`PermissionDenied`)."""
        for first in range(0, len(ids), IDS_OF_A_CALL):
            self.call(wire.SetHidden(ids=ids[first : first + IDS_OF_A_CALL], hidden=hidden))

    def replace(
        self, asset: Asset | str, source: MediaSource, *, adjustment: PhotoAdjustment | None = None
    ) -> Asset:
        """Overwrites an asset, if the owner confirms it (`UserRefused`). With `adjustment`, which says what was done to it,
        what it was before the first one is kept, and `revert` puts it back; without one nothing is kept any more.
        PhotoKit: `PHContentEditingOutput`."""
        results: list[str | AlbumError | None] = [None]
        with Batch([MediaItem(source=source)], results, 0) as batch:
            if isinstance(results[0], AlbumError):
                raise results[0]
            call = wire.ReplaceAsset(
                id=asset if isinstance(asset, str) else asset.id, file_descriptor=0,
                adjustment=adjustment.wire if adjustment else None)
            return (self.call(call, batch.files)).asset

    def adjustment(self, asset: Asset | str) -> PhotoAdjustment:
        """What was done to an asset last. Raises `NoAdjustment` where that is not known; `LocationCannotBeRemoved` where it may
        tell where the photo was taken, which the app may not learn. PhotoKit: `adjustmentData`."""
        question = wire.GetAdjustment(id=asset if isinstance(asset, str) else asset.id)
        return PhotoAdjustment.read((self.ask(question)).adjustment)

    def revert(self, asset: Asset | str) -> Asset:
        """Puts an asset's original back, if the owner confirms it (`UserRefused`); `NoAdjustment` where none is kept.
        PhotoKit: `revertAssetContentToOriginal()`."""
        return (self.call(wire.RevertAsset(id=asset if isinstance(asset, str) else asset.id))).asset

    def delete(self, ids: Sequence[str]) -> list[str]:
        """Deletes assets, if the owner confirms it (`UserRefused`): the ids of those that are deleted."""
        deleted: list[str] = []
        for first in range(0, len(ids), IDS_OF_A_CALL):
            deleted += (self.call(wire.DeleteAssets(ids=ids[first : first + IDS_OF_A_CALL]))).deleted
        return deleted

    # Picking

    def pick(
        self, *, media_types: Sequence[MediaType] | None = None, selection_limit: int = 0,
        request_access: bool = False, sidecars: bool = False, filter: PickerFilter | None = None,
        preselected: Sequence[str] = (), minimum: int = 0,
    ) -> PickResult:
        """Has the owner pick photos, and waits until they have. Needs no authorization and gives none: the open files
        are all that the app gets; `sidecars` are those that other programs keep beside them. Nothing where the owner did
        not want to. PhotoKit: `PHPickerViewController`.

        `filter` is what holds for all that may be picked, beside `media_types`. `preselected` are ids that are picked when
        it opens, in this order, of which those that the app does not see are left out. Of at least `minimum` photos, or
        of none, is the answer.

        Raises `NoAgent`, `Busy`, `Throttled`; `OutOfDescriptors` where this process may not hold so many files.
        """
        call = picker.Pick(
            media_types=media_types, selection_limit=selection_limit, request_access=request_access or None,
            language=self.language, sidecars=sidecars or None, filter=filter, preselected=preselected or None,
            minimum=minimum or None)
        result = PickResult()
        try:
            with self.connect() as connection:
                stream = connection.stream(call)
                for reply in stream:
                    result.inaccessible_count = reply.inaccessible_count
                    result.message = reply.message or result.message
                    for item in reply.items:
                        asset = PickedAsset(
                            item.filename, item.media_type, item.id, item.percent_encoded_filename,
                            paired_video_extension=item.paired_video_extension)
                        result.assets.append(asset)
                        if item.file_descriptor is not None:
                            asset.file = stream.descriptors.open(item.file_descriptor)
                        if item.paired_video_file_descriptor is not None:
                            asset.paired_video = stream.descriptors.open(item.paired_video_file_descriptor)
                        for sidecar in item.sidecars or ():
                            file = stream.descriptors.open(sidecar.file_descriptor)
                            asset.sidecars.append(PickedSidecar(sidecar.sidecar_extension, file))
        except BaseException:
            result.close()
            raise
        return result

    def load_picked(
        self, picked: PickResult, directory: str | os.PathLike[str] | None = None, *,
        progress: Callable[[PickProgress], None] | None = None,
    ) -> Iterator[LoadedPick]:
        """Loads what was picked, one after the other, each when it is asked for: into memory, without a movie or sidecars, or
        into files of a directory, where a name that exists gets a number. What fails is told with its item (`error`), and the
        others come all the same. Who stops in the middle leaves no half file. PhotoKit: `loadTransferable(type:)`.

        `progress` is told of each part that is there."""
        loadings = [Loading(asset, directory) for asset in picked]
        total, before = sum(loading.total for loading in loadings), 0
        for index, (asset, loading) in enumerate(zip(picked, loadings)):
            done = -1
            try:
                while work(loading.step):
                    done = min(loading.done, loading.total)
                    if progress is not None:
                        progress(PickProgress(index, done, loading.total, before + done, total))
                one = loading.loaded(index)
            except NotLoaded as error:
                one = LoadedPick(index, asset, error=error)
            except BaseException:
                loading.discard()
                raise
            before += loading.total
            if progress is not None and done != loading.total:
                progress(PickProgress(index, loading.total, loading.total, before, total))
            yield one


class _Saving:
    """Items on their way into the library, in batches that fit a message."""

    def __init__(
        self, items: Sequence[MediaItem], results: list[str | AlbumError | None], album: str | None,
        purpose: SavePurpose | None, language: str | None,
    ) -> None:
        self.guide: Guide | None = None
        self._items = items
        self._results = results
        self._wish = wire.AddAssets(
            items=[], album=album, purpose=purpose, language=language if purpose else None,
            desktop=os.environ.get("XDG_CURRENT_DESKTOP") if purpose else None)

    def batch(self, connection: Connection, first: int, count: int) -> Iterator[int]:
        """So many items; how many of them are done, as it goes on."""
        with Batch(self._items[first : first + count], self._results, first) as batch:
            if not batch.wire:
                return
            try:
                call = replace(self._wish, items=batch.wire)
                for reply in connection.stream(call, batch.files):
                    batch.take(reply)
                    self.guide = reply.guide or self.guide
                    yield reply.completed
                return
            except RemoteError as error:
                if not hasattr(error, "item"):
                    raise
                if len(batch.numbers) == 1:
                    self._results[batch.numbers[0]] = error
                    return
        # A call of which nothing could be added tells only of its first item: each by itself.
        for done, number in enumerate(batch.numbers, 1):
            for _ in self.batch(connection, number, 1):
                pass
            yield done
