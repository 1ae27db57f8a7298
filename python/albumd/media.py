"""Files on their way: those to save, those that were picked, and copies of what is in the library."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import urllib.parse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, Self

from .errors import AlbumError, RemoteError, remote_error
from .interfaces.authorization import Guide
from .interfaces.library import AddAssetsReply, AddedSidecar, AddItem, MediaType

MediaSource = str | os.PathLike[str] | bytes | BinaryIO
"""A file by its path, the bytes of one, or an open one, which stays the caller's."""

BATCH = 126
"""The most items of one message."""
FILES = 252
"""The most files of one message, which carries 253 descriptors; a process has 1024 by default."""


@dataclass(frozen=True, slots=True)
class Sidecar:
    """What another program keeps beside a photo: `.xmp`, `.aae` or `.thm`, of at most 32 MiB."""

    source: MediaSource
    extension: str
    """What follows its photo's name without the extension, and a dot, in its own: `xmp`, or `jpg.xmp`, as the daemon says
    it of one that is opened (`sidecar_extension`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaItem:
    """A photo, video or live photo to save."""

    source: MediaSource
    filename: str | None = None
    """The name to give it; the source's own when None, and `Photo` for bytes. One without an extension of what it
    holds gets that, and one that exists a number."""
    paired_video: MediaSource | None = None
    """The movie of a live photo."""
    sidecars: Sequence[Sidecar] = ()
    """What is kept beside it, each with another extension."""
    created: datetime | None = None
    """When it came to be, where that was before its content last changed."""
    modified: datetime | None = None
    """When its content last changed; as the file says when None. What is beside it keeps its own time."""
    alternate_photo: MediaSource | None = None
    """The RAW of a photo that is none itself; its name must have its extension."""
    percent_encoded_filename: str | None = None
    """The name's bytes where they are not UTF-8, as `Asset.percent_encoded_filename` has them: they count then instead. Of a
    source with such a name they are its own, where no name is given."""

    @property
    def name(self) -> str:
        """What it shall be called."""
        return self.filename or _text(_name(self.source)) or "Photo"

    @property
    def name_bytes(self) -> str | None:
        """Its name percent-encoded, where a text would lose some of it."""
        if self.percent_encoded_filename is not None or self.filename:
            return self.percent_encoded_filename
        name = _name(self.source)
        return None if name is None or name == _text(name) else urllib.parse.quote_from_bytes(os.fsencode(name))

    @property
    def sources(self) -> list[MediaSource]:
        """All its files, in the order in which they are sent."""
        return [*self.media, *(sidecar.source for sidecar in self.sidecars)]

    @property
    def media(self) -> list[MediaSource]:
        """Those that are to be seen: photo or video, the movie, RAW."""
        parts = [part for part in (self.paired_video, self.alternate_photo) if part is not None]
        return [self.source, *parts]


def batches(items: Sequence[MediaItem]) -> Iterator[tuple[int, int]]:
    """Where each message begins, and how many items it has: as many as fit, and one at least."""
    first = 0
    while first < len(items):
        count, files = 1, len(items[first].sources)
        while first + count < len(items) and count < BATCH:
            files += len(items[first + count].sources)
            if files > FILES:
                break
            count += 1
        yield first, count
        first += count


@dataclass(frozen=True, slots=True)
class SaveProgress:
    """How far a save has come: so many items are done, saved or not."""

    completed: int
    total: int


@dataclass(frozen=True, slots=True)
class SavedPhotos:
    """What became of items that were saved."""

    results: Sequence[str | AlbumError]
    """For each its id, or why it was not saved. An app that may only add has receipts, which it cannot read back."""
    guide: Guide | None = None
    """What to show the person, where a purpose was given and something was saved."""

    @property
    def identifiers(self) -> list[str]:
        """The ids of those that were saved."""
        return [result for result in self.results if isinstance(result, str)]

    @property
    def first_error(self) -> AlbumError | None:
        """Why the first was not saved that was not."""
        return next((result for result in self.results if isinstance(result, AlbumError)), None)


@dataclass(frozen=True, slots=True)
class PickedSidecar:
    """What another program keeps beside a photo that the owner picked."""

    extension: str
    """What follows the photo's name without its extension, and a dot, in its own: `xmp`, or `jpg.xmp`."""
    file: BufferedReader
    """Open for reading."""


@dataclass(slots=True)
class PickedAsset:
    """What the owner picked. PhotoKit: `PHPickerResult`."""

    filename: str
    media_type: MediaType
    local_identifier: str | None = None
    """The asset's id, where the app may see it."""
    percent_encoded_filename: str | None = None
    file: BufferedReader | None = None
    """Open for reading; None where the owner refused it, or it cannot be read at present."""
    paired_video: BufferedReader | None = None
    """The movie of a live photo."""
    paired_video_extension: str | None = None
    sidecars: list[PickedSidecar] = field(default_factory=list)
    """What other programs keep beside it, where that was asked for."""

    def close(self) -> None:
        """Closes its files."""
        for file in (self.file, self.paired_video, *(sidecar.file for sidecar in self.sidecars)):
            if file is not None:
                file.close()


@dataclass(slots=True)
class PickResult:
    """All that was picked, in the order of picking. Its files are closed with it."""

    assets: list[PickedAsset] = field(default_factory=list)
    inaccessible_count: int = 0
    """How many of them the app gets no file of."""
    message: str | None = None
    """What to tell the person when that is not 0."""

    def __iter__(self) -> Iterator[PickedAsset]:
        return iter(self.assets)

    def __len__(self) -> int:
        return len(self.assets)

    def close(self) -> None:
        """Closes all files."""
        for asset in self.assets:
            asset.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Batch:
    """Items that are sent with one message, their files open. Close it."""

    def __init__(self, items: Sequence[MediaItem], results: list[str | AlbumError | None], first: int) -> None:
        self.wire: list[AddItem] = []
        self.files: list[int] = []
        self.numbers: list[int] = []
        self._results = results
        self._opened: list[int] = []
        for number, item in enumerate(items, first):
            try:
                self._add(number, item)
            except OSError as error:
                results[number] = _failure(number, f"{item.name}: {error.strerror or error}")

    def _add(self, number: int, item: MediaItem) -> None:
        if len(item.sources) > FILES:
            self._results[number] = _failure(number, "it has too many sidecars")
            return
        # All before one is sent: a descriptor that no item names is an error.
        descriptors = [self._open(source) for source in item.sources]
        index = len(self.files)
        sidecars = index + len(item.media)
        self.files += descriptors
        self.numbers.append(number)
        self.wire.append(
            AddItem(
                file_descriptor=index, filename=item.name,
                paired_video_file_descriptor=None if item.paired_video is None else index + 1,
                paired_video_extension=_extension(item.paired_video), created=item.created, modified=item.modified,
                sidecars=[
                    AddedSidecar(file_descriptor=sidecars + position, sidecar_extension=sidecar.extension)
                    for position, sidecar in enumerate(item.sidecars)] or None,
                alternate_photo_file_descriptor=None if item.alternate_photo is None else sidecars - 1,
                alternate_photo_extension=_extension(item.alternate_photo),
                percent_encoded_filename=item.name_bytes))

    def _open(self, source: MediaSource) -> int:
        if isinstance(source, bytes):
            number = os.memfd_create("photo", os.MFD_CLOEXEC)
            self._opened.append(number)
            with os.fdopen(number, "wb", closefd=False) as file:
                file.write(source)
        elif isinstance(source, (str, os.PathLike)):
            # O_NONBLOCK: opening a pipe would wait for its writer.
            number = os.open(source, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
            self._opened.append(number)
        else:
            number = source.fileno()
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError("is no regular file")
        return number

    def take(self, reply: AddAssetsReply) -> None:
        """Notes what a reply says of them."""
        failed = {failure.item for failure in reply.failures}
        kept = [number for index, number in enumerate(self.numbers) if index not in failed]
        for number, id in zip(kept, reply.ids):
            self._results[number] = id
        for failure in reply.failures:
            if 0 <= failure.item < len(self.numbers):
                number = self.numbers[failure.item]
                self._results[number] = RemoteError.BY_NAME.get(failure.error, RemoteError).about(
                    failure.error, number, failure.message)

    def close(self) -> None:
        """Closes what was opened here."""
        for number in self._opened:
            os.close(number)
        self._opened = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def write_copy(file: BinaryIO, path: str | os.PathLike[str], modified: datetime | None = None) -> None:
    """Writes a copy of an open file: whole or not at all, on disk, with the time at which its content last changed."""
    target = Path(path)
    part = target.with_name(f"{target.name[:200]}.{secrets.token_hex(4)}.part")
    try:
        with open(part, "xb") as copy:
            shutil.copyfileobj(file, copy, 1 << 20)
            copy.flush()
            if modified is None:
                times = os.fstat(file.fileno())
                os.utime(copy.fileno(), ns=(times.st_mtime_ns, times.st_mtime_ns))
            else:
                os.utime(copy.fileno(), (modified.timestamp(), modified.timestamp()))
            os.fsync(copy.fileno())
        os.rename(part, target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _name(source: MediaSource) -> str | None:
    return os.path.basename(os.fspath(source)) if isinstance(source, (str, os.PathLike)) else None


def _text(name: str | None) -> str | None:
    """A name as it is shown: what is not UTF-8 in it is U+FFFD."""
    return None if name is None else os.fsencode(name).decode(errors="replace")


def _extension(source: MediaSource | None) -> str | None:
    return os.path.splitext(_name(source) or "")[1][1:] or None if source is not None else None


def _failure(item: int, reason: str) -> AlbumError:
    return remote_error("io.albumd.Library.InvalidFileDescriptor", {"item": item, "reason": reason})
