"""Loading of what was picked: into memory, or into files of a directory, step by step."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeVar
from urllib.parse import unquote_to_bytes

from .errors import AlbumError
from .media import PickedAsset

T = TypeVar("T")

STEP = 1 << 20
"""Bytes between two looks at whether it goes on."""
NAME = 255
"""The most bytes of a name on Linux's file systems."""


class NotLoaded(AlbumError):
    """Why one that was picked was not loaded."""

    def __init__(self, filename: str, reason: OSError | None) -> None:
        super().__init__(f"{filename!r}: {reason.strerror or reason if reason else 'this app gets no file of it'}")
        self.filename = filename
        self.reason = reason
        """What the system says; None where the app gets no file of it."""


@dataclass(frozen=True, slots=True)
class PickProgress:
    """How far what was picked is loaded."""

    index: int
    """The place of the one that is being loaded, in what was picked."""
    item_completed: int
    """Its bytes that are there."""
    item_total: int
    """How many it has."""
    completed: int
    """The bytes that are there of all. Those of one that failed count as if they were."""
    total: int
    """How many all have."""

    @property
    def fraction_completed(self) -> float:
        """The same of all, from 0 to 1."""
        return min(1.0, self.completed / self.total) if self.total else 1.0


@dataclass(frozen=True, slots=True)
class LoadedPick:
    """One that was picked, and what came of loading it."""

    index: int
    """Its place in what was picked."""
    asset: PickedAsset
    data: bytes | None = None
    """What is in the photo or video, where it was loaded into memory."""
    files: Sequence[Path] = ()
    """Where it was loaded into a directory: the photo or video, then the movie of a live photo, then sidecars."""
    error: NotLoaded | None = None
    """Why it was not."""


class Loading:
    """One of them on its way. Whoever gives it up removes what was written by `discard`, also while a step is under way
    on another thread."""

    def __init__(self, asset: PickedAsset, directory: str | os.PathLike[str] | None) -> None:
        self.done = 0
        self._asset = asset
        self._directory = None if directory is None else Path(directory)
        self._sources = [(asset.file, b"")] if asset.file is not None else []
        if directory is not None:
            extension = os.fsencode(asset.paired_video_extension or "mov")
            self._sources += [] if asset.paired_video is None else [(asset.paired_video, extension)]
            self._sources += [(sidecar.file, os.fsencode(sidecar.extension)) for sidecar in asset.sidecars]
        self.total = sum(_size(file) for file, _ in self._sources)
        self._data = bytearray()
        self._names: list[bytes] = []
        self._target: int | None = None
        self._is_named = False
        self._offset = 0
        self._lock = threading.Lock()
        self._is_given_up = False

    def step(self) -> bool:
        """Loads some of it; False when it is whole. Raises `NotLoaded`."""
        if self._asset.file is None:
            raise NotLoaded(self._asset.filename, None)
        try:
            with self._lock:
                return self._step()
        except OSError as error:
            self.discard()
            raise NotLoaded(self._asset.filename, error) from error
        finally:
            if self._is_given_up:
                self.discard()

    def _step(self) -> bool:
        if not self._sources:
            return False
        file, extension = self._sources[0]
        data = os.pread(file.fileno(), STEP, self._offset)
        if self._directory is None:
            self._data += data
        else:
            if self._target is None:
                self._open(extension)
            assert self._target is not None
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self._target, rest):]
        self._offset += len(data)
        self.done += len(data)
        if data:
            return True
        self._end(file, extension)
        return bool(self._sources)

    def _open(self, extension: bytes) -> None:
        """A file without a name, where the file system has such; else one whose name was free."""
        assert self._directory is not None
        try:
            self._target = os.open(self._directory, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, 0o666)
        except OSError as error:
            if error.errno not in (errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL):
                raise
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            with _Folder(self._directory) as folder:
                self._target = self._free(extension, lambda name: os.open(name, flags, 0o666, dir_fd=folder))
            self._is_named = True

    def _end(self, file: BinaryIO, extension: bytes) -> None:
        """It is whole: it has its time, and a name."""
        if self._target is not None:
            times = os.fstat(file.fileno())
            os.utime(self._target, ns=(times.st_atime_ns, times.st_mtime_ns))
            if not self._is_named:
                assert self._directory is not None
                source = f"/proc/self/fd/{self._target}"
                with _Folder(self._directory) as folder:
                    self._free(extension, lambda name: os.link(source, name, dst_dir_fd=folder, follow_symlinks=True))
            os.close(self._target)
        self._target, self._is_named, self._offset = None, False, 0
        self._sources.pop(0)

    def _free(self, extension: bytes, make: Callable[[bytes], T]) -> T:
        """What is made under the name, or under that with the first number that is not taken: never over what is there."""
        wanted, number = self._wanted(extension), 1
        while True:
            name = wanted if number == 1 else _numbered(wanted, number)
            try:
                made = make(name)
            except FileExistsError:
                number += 1
                continue
            self._names.append(name)
            return made

    def _wanted(self, extension: bytes) -> bytes:
        if not self._names:
            return _shown(_plain(
                unquote_to_bytes(self._asset.percent_encoded_filename) if self._asset.percent_encoded_filename is not None
                else os.fsencode(self._asset.filename)))
        # What is beside it is called after it, with its number.
        return _named(_split(self._names[0])[0], b"." + _plain(extension))

    def loaded(self, index: int) -> LoadedPick:
        """What came of it."""
        if self._directory is None:
            return LoadedPick(index, self._asset, data=bytes(self._data))
        return LoadedPick(index, self._asset, files=[self._directory / os.fsdecode(name) for name in self._names])

    def discard(self) -> None:
        """Removes what was written. Where a step is under way, that does it at its end."""
        self._is_given_up = True
        if not self._lock.acquire(blocking=False):
            return
        try:
            if self._target is not None:
                os.close(self._target)
                self._target = None
            names, self._names, self._sources = self._names, [], []
            for name in names:
                assert self._directory is not None
                try:
                    os.unlink(os.path.join(os.fsencode(self._directory), name))
                except OSError:
                    pass
            self._data = bytearray()
        finally:
            self._lock.release()


class _Folder:
    """A directory, for what takes names in it: linkat(2) follows the link to an open file only there."""

    def __init__(self, path: Path) -> None:
        self._number = os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)

    def __enter__(self) -> int:
        return self._number

    def __exit__(self, *_: object) -> None:
        os.close(self._number)


def _size(file: BinaryIO) -> int:
    return os.fstat(file.fileno()).st_size


def _plain(name: bytes) -> bytes:
    """Never a path."""
    return name.replace(b"/", b"_").replace(b"\0", b"_")


def _shown(name: bytes) -> bytes:
    """Neither empty nor hidden."""
    name = name or b"unnamed"
    return b"_" + name[1:] if name.startswith(b".") else name


def _split(name: bytes) -> tuple[bytes, bytes]:
    dot = name.rfind(b".")
    return (name[:dot], name[dot:]) if dot > 0 else (name, b"")


def _numbered(name: bytes, number: int) -> bytes:
    """`IMG_1 (2).jpg`."""
    stem, end = _split(name)
    return _named(stem, b" (%d)" % number + end)


def _named(stem: bytes, end: bytes) -> bytes:
    """A long stem is cut where its end needs the room, and no UTF-8 sequence in it."""
    count = min(len(stem), max(0, NAME - len(end)))
    if count < len(stem):
        # A sequence has four bytes at most.
        count = next((at for at in range(count, max(0, count - 3) - 1, -1) if stem[at] & 0xC0 != 0x80), count)
    return _shown(stem[:count] + end[:NAME])
