#!/usr/bin/env python3
"""Keeps a copy of the photo library in a directory, and brings it back into an empty one.

    backup.py backup DIRECTORY      what has changed since the last time; all of it at first
    backup.py restore DIRECTORY     names, dates, albums, sidecars, flags and order, into a library without other photos

Both may be killed at any time, and go on the next time. The catalogue is a database, whose token says up to which change
of the library it is; files are named by their asset's id, and written whole or not at all. What cannot be read is said,
ends in a status other than 0, and keeps nothing else from being copied. What cannot be seen for a while stays in the copy. With --owner it sees the whole library without
asking, as an owner's program may (S45); else it asks for access like any app, and where that is without the places where
photos were taken, so is the copy (S55). Hidden photos are kept as well (S91), for who sees the whole library.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from enum import Enum, auto
from io import BufferedReader
from pathlib import Path

from albumd import (
    AccessLevel, AlbumError, Album, Asset, FlagsNotSupported, LocationCannotBeRemoved, MediaItem, NoSuchAsset,
    NoSuchResource, NotAuthorized, PhotoLibrary, RemoteError, ResourceType, Sidecar, SortKey, TimedOut, TokenExpired,
)
from albumd.interfaces.authorization import GetStatus
from albumd.interfaces.library import AssetScope, LibraryState, Subscribe, SubscribeReply
from albumd.media import write_copy

VERSION = 1
"""Of what is in the catalogue: until 1, hidden photos were not."""

QUIET = 2.0
"""After so many seconds without a change, there is none on its way."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS place (token TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS album (id TEXT PRIMARY KEY, position INTEGER NOT NULL, said TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS asset (
  id TEXT PRIMARY KEY,
  position INTEGER NOT NULL,  -- among those that came to be at the same time
  said TEXT NOT NULL,         -- what the daemon says of it
  copied TEXT                 -- of which content there is a copy; NULL while there is none, or that is not known
);
CREATE TABLE IF NOT EXISTS arranged (album TEXT, position INTEGER, asset TEXT NOT NULL, PRIMARY KEY (album, position));
"""


class Catalogue:
    """What the copy is of. Every change of it is whole."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._lock = open(directory / "lock", "w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SystemExit(f"{directory} is in use by another backup") from None
        self.files = directory / "files"
        self.files.mkdir(exist_ok=True)
        self.database = sqlite3.connect(directory / "catalogue.sqlite", isolation_level=None)
        self.database.executescript(SCHEMA)
        with self.change():
            if self.database.execute("PRAGMA user_version").fetchone()[0] < VERSION:
                # What was not in it would be told only once it changes: everything is to be listed anew.
                self.put_token(None)
                self.database.execute(f"PRAGMA user_version = {VERSION}")

        self.keeps_unseen = False
        """Whether what is told to have gone, or is not listed, may only not be seen any more."""

    def close(self) -> None:
        """Lets another backup in."""
        self.database.close()
        self._lock.close()

    @contextlib.contextmanager
    def change(self) -> Iterator[None]:
        self.database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.database.execute("ROLLBACK")
            raise
        self.database.execute("COMMIT")

    # The place in the changes

    @property
    def token(self) -> str | None:
        row = self.database.execute("SELECT token FROM place").fetchone()
        return None if row is None else str(row[0])

    def put_token(self, token: str | None) -> None:
        self.database.execute("DELETE FROM place")
        if token is not None:
            self.database.execute("INSERT INTO place VALUES (?)", (token,))

    # Assets

    def put(self, asset: Asset, position: int, *, is_changed: bool = False) -> None:
        """What is said of an asset. `is_changed`: what was copied of it is its content no more."""
        self.database.execute(
            "INSERT INTO asset (id, position, said) VALUES (?1, ?2, ?3) "
            "ON CONFLICT (id) DO UPDATE SET position = ?2, said = ?3",
            (asset.id, position, json.dumps(asset.encode())))
        if is_changed:
            self.database.execute("UPDATE asset SET copied = NULL WHERE id = ?", (asset.id,))

    def apply(self, delivery: SubscribeReply) -> None:
        """One delivery, with the place after it."""
        with self.change():
            for item in delivery.inserted:
                self.update(Asset.decode(item), False)
            for change in delivery.changed:
                if change.asset is not None:
                    self.update(change.asset, change.content_changed)
            for move in delivery.moved:
                if move.asset is not None:
                    self.update(move.asset, bool(move.content_changed))
            if not self.keeps_unseen:
                self.database.executemany("DELETE FROM asset WHERE id = ?", [(id,) for id in delivery.removed])
            self.put_token(delivery.token)

    def update(self, asset: Asset, is_changed: bool) -> None:
        """The same, where it was; what is new is the youngest."""
        position, = self.database.execute(
            "SELECT coalesce((SELECT position FROM asset WHERE id = ?), (SELECT max(position) + 1 FROM asset), 0)",
            (asset.id,)).fetchone()
        self.put(asset, position, is_changed=is_changed)

    def without(self, ids: set[str]) -> list[str]:
        """Those that are not among these."""
        return [id for id, in self.database.execute("SELECT id FROM asset") if id not in ids]

    def keep_only(self, ids: set[str]) -> None:
        self.database.executemany("DELETE FROM asset WHERE id = ?", [(id,) for id in self.without(ids)])

    def put_albums(self, albums: list[Album]) -> None:
        with self.change():
            self.database.execute("DELETE FROM album")
            self.database.executemany(
                "INSERT INTO album VALUES (?, ?, ?)",
                [(album.id, number, json.dumps(album.encode())) for number, album in enumerate(albums)])

    def put_orders(self, orders: dict[str, list[str]]) -> None:
        """Of albums whose photos somebody has put in another order than that of time (S103)."""
        with self.change():
            self.database.execute("DELETE FROM arranged")
            for album, ids in orders.items():
                self.database.executemany(
                    "INSERT INTO arranged VALUES (?, ?, ?)", [(album, number, id) for number, id in enumerate(ids)])

    def orders(self) -> dict[str, list[str]]:
        orders: dict[str, list[str]] = {}
        for album, id in self.database.execute("SELECT album, asset FROM arranged ORDER BY album, position"):
            orders.setdefault(album, []).append(id)
        return orders

    def to_copy(self, has_places: bool) -> list[Asset]:
        """Those of whose content there is no copy. One with the place where it was taken is as good as one without."""
        found = []
        for said, copied in self.database.execute("SELECT said, copied FROM asset ORDER BY position"):
            asset = Asset.decode(json.loads(said))
            if copied not in (content_of(asset, True), content_of(asset, has_places)):
                found.append(asset)
        return found

    def copied(self, id: str, content: str) -> None:
        self.database.execute("UPDATE asset SET copied = ? WHERE id = ?", (content, id))

    def assets(self) -> list[Asset]:
        """All, in the library's order. Each is as long as its copy: one that has changed since may not be copied yet."""
        found = []
        for said, in self.database.execute("SELECT said FROM asset ORDER BY position"):
            asset = Asset.decode(json.loads(said))
            main = self.main(asset.id)
            found.append(asset if main is None else replace(asset, byte_count=main.stat().st_size))
        return sorted(found, key=lambda asset: asset.created)

    def albums(self) -> list[Album]:
        return [Album.decode(json.loads(said)) for said, in
                self.database.execute("SELECT said FROM album ORDER BY position")]

    # Files

    def folder(self, id: str) -> Path:
        """Where an asset's files are. An id is the daemon's, and no path."""
        safe = id if re.fullmatch(r"[0-9A-Za-z]{1,64}", id) else hashlib.sha256(id.encode()).hexdigest()
        return self.files / safe[-2:] / safe

    def matching(self, id: str, name: str) -> list[Path]:
        """Those that are whole."""
        return sorted(path for path in self.folder(id).glob(f"{name}.*") if path.suffix != ".part")

    def file(self, id: str, resource: str) -> Path | None:
        return next(iter(self.matching(id, resource)), None)

    def main(self, id: str) -> Path | None:
        """The photo or video itself, where there is a copy."""
        return self.file(id, ResourceType.PHOTO) or self.file(id, ResourceType.VIDEO)

    def sidecars(self, id: str) -> list[Sidecar]:
        return [Sidecar(file, file.name.partition(".")[2]) for file in self.matching(id, f"{ResourceType.SIDECAR}-*")]

    def clean(self) -> None:
        """Removes files of assets that are gone, and what was half written."""
        known = {self.folder(id) for id, in self.database.execute("SELECT id FROM asset")}
        for folder in self.files.glob("*/*"):
            if folder not in known:
                shutil.rmtree(folder)
        for part in self.files.glob("*/*/*.part"):
            part.unlink()


def content_of(asset: Asset, has_places: bool) -> str:
    """What changes with the content, as far as it can be seen from outside, and whether places were left out of it."""
    content = f"{asset.byte_count} {asset.modified.isoformat()} {','.join(asset.resources)}"
    return content if has_places else f"{content} without places"


def sees_places(library: PhotoLibrary) -> bool:
    """Whether files come with the places where they were taken. Others come without, or not at all."""
    return library.as_owner or bool(library.ask(GetStatus(access_level=AccessLevel.READ_WRITE)).location)


def sees_all(library: PhotoLibrary) -> bool:
    """Whether what it is not told of is not there. Of a limited app, the owner may have selected other photos."""
    return library.as_owner or library.authorization_status(AccessLevel.READ_WRITE) == "authorized"


def is_whole(library: PhotoLibrary) -> bool:
    """Whether the library is there with all that it has. In one that is scanned anew, or whose disk is away, photos may
    not be listed that are not gone."""
    info = library.info()
    return all(state in (LibraryState.READY, LibraryState.DEGRADED)
               for state in (info.state, *(root.state for root in info.roots)))


class Heard(Enum):
    """How much of what has happened since the last time."""

    ALL = auto()
    ALL_THAT_CAME = auto()
    """No more came, and yet the library's place is another."""
    NOT_ALL = auto()


def catch_up(library: PhotoLibrary, catalogue: Catalogue) -> Heard:
    """Takes what has happened since the last time."""
    token = catalogue.token
    if token is None:
        return Heard.NOT_ALL
    if token == library.current_change_token():
        return Heard.ALL
    heard = Heard.NOT_ALL
    try:
        with library.connect(timeout=QUIET) as connection:
            for delivery in connection.stream(Subscribe(since=token, assets=AssetScope(include_hidden=True))):
                if not delivery.has_incremental_changes:
                    return Heard.NOT_ALL
                catalogue.apply(delivery)
                heard = Heard.ALL_THAT_CAME
                if delivery.token == library.current_change_token():
                    return Heard.ALL
    except TokenExpired:
        return Heard.NOT_ALL
    except TimedOut:
        # Of albums only, nothing is told here; and to an app of which the owner selected photos, no two tokens are
        # alike. To list a hundred thousand takes seconds, and no photo is read for it.
        pass
    return heard


def list_all(library: PhotoLibrary, catalogue: Catalogue, heard: Heard) -> int:
    """Everything, with the place that it shows. How many are kept that are not there, as they may come back."""
    was_whole = is_whole(library)
    result = library.fetch_assets(include_hidden=True)
    seen: set[str] = set()

    def take(page: Sequence[Asset]) -> None:
        with catalogue.change():
            for asset in page:
                # Whether a movie, RAW or a sidecar was written anew cannot be seen: only who was told knows.
                is_unknown = heard is Heard.NOT_ALL and len(asset.resources) > 1
                catalogue.put(asset, len(seen), is_changed=is_unknown)
                seen.add(asset.id)

    for page in result.pages():
        take(page)
    # One whose time has changed meanwhile may be on a page that was read before. Gone is what is not found by its id.
    unseen = catalogue.without(seen)
    for first in range(0, len(unseen), 1000):
        for page in library.fetch_assets(ids=unseen[first : first + 1000], include_hidden=True).pages():
            take(page)
    unseen = catalogue.without(seen)
    kept = len(unseen) if catalogue.keeps_unseen or not (was_whole and is_whole(library)) else 0
    with catalogue.change():
        if not kept:
            catalogue.keep_only(seen)
        # Until all is there, each backup looks at all: what has gone meanwhile would not be told.
        catalogue.put_token(result.token if catalogue.keeps_unseen or not kept else None)
    return kept


def file_name(resource: str, ending: str) -> str:
    """What a file is called here. Both words are the daemon's, and no path."""
    return ".".join(re.sub("[^0-9A-Za-z-]", "_", word)[:40] for word in (resource, *ending.split(".")))


def shown(name: str) -> str:
    """A name, for a terminal: nothing of it is for the terminal itself."""
    return "".join(character if character.isprintable() else "\ufffd" for character in name)


class Unreadable(Exception):
    """A photo cannot be read: that is said of it, and of no other."""


class Source(BufferedReader):
    """A file of the library. What it raises is told from what the disk raises that the copy is written to."""

    def read(self, size: int | None = -1, /) -> bytes:
        try:
            return super().read(size)
        except OSError as error:
            raise Unreadable(error.strerror or str(error)) from error


def copy(library: PhotoLibrary, catalogue: Catalogue, asset: Asset, has_places: bool) -> None:
    """All files of an asset; one that does not come stays as it was copied before."""
    folder = catalogue.folder(asset.id)
    folder.mkdir(parents=True, exist_ok=True)
    names = set()
    refused = set()
    main = now = asset
    for position, resource in enumerate(asset.resources):
        is_main = resource in (ResourceType.PHOTO, ResourceType.VIDEO)
        # They come one after another; of sidecars there may be several.
        number = asset.resources[:position].count(resource) if resource == ResourceType.SIDECAR else None
        stem = resource if number is None else f"{resource}-{number:02}"
        try:
            file, reply = library.open_resource(asset, resource, number=number)
        except (NoSuchResource, LocationCannotBeRemoved) as error:
            if is_main:
                # Without it there is no copy.
                raise
            if isinstance(error, LocationCannotBeRemoved):
                refused.add(stem)
                reason = f"{resource} comes only to who may know where it was taken"
                print(f"{shown(asset.filename)}: {reason}", file=sys.stderr)
            continue
        with Source(file.detach()) as source:
            now = reply.asset
            if is_main:
                main = now
            # A live photo's movie, RAW and sidecars have extensions of their own.
            ending = (reply.paired_video_extension or reply.alternate_photo_extension or reply.sidecar_extension
                      or os.path.splitext(asset.filename)[1][1:] or "file")
            name = file_name(stem, ending)
            write_copy(source, folder / name, now.modified if is_main else None)
            names.add(name)
    for old in folder.iterdir():
        if old.name not in names and old.name.partition(".")[0] not in refused:
            old.unlink()
    # Asked again: places may have been taken back meanwhile.
    has_places = has_places and sees_places(library)
    with catalogue.change():
        catalogue.update(now, False)
        # Where it has changed in between, it is copied once more the next time.
        catalogue.copied(now.id, content_of(main, has_places))


def back_up(library: PhotoLibrary, catalogue: Catalogue) -> int:
    catalogue.keeps_unseen = not sees_all(library)
    heard = catch_up(library, catalogue)
    kept = 0
    if heard is not Heard.ALL:
        kept = list_all(library, catalogue, heard)
        # What has come meanwhile, and was on no page.
        catch_up(library, catalogue)
    catalogue.put_albums(list(library.fetch_albums().albums))
    has_places = sees_places(library)
    wanted = catalogue.to_copy(has_places)
    copied = missed = 0
    for number, asset in enumerate(wanted, 1):
        try:
            copy(library, catalogue, asset, has_places)
            copied += 1
        except NoSuchAsset:
            # It has gone meanwhile: the next backup is told so.
            continue
        except NotAuthorized:
            # Nor is any other to be had.
            raise
        except (RemoteError, Unreadable) as error:
            missed += 1
            print(f"{shown(asset.filename)}: {error}", file=sys.stderr)
        if sys.stderr.isatty():
            print(f"\r{number} of {len(wanted)}", end="", file=sys.stderr)
    # Photos may be in albums that came meanwhile.
    catalogue.put_albums(list(library.fetch_albums().albums))
    catalogue.put_orders(orders(library, catalogue))
    # Last: in an index that was made anew, what is copied now is what was copied before under another id.
    catalogue.clean()
    count = sum(catalogue.main(asset.id) is not None for asset in catalogue.assets())
    print(f"{count} photos, of which {copied} were copied now" + ("" if heard is Heard.ALL else "; all were listed"))
    if missed:
        print(f"{missed} could not be copied: the next backup tries again", file=sys.stderr)
    if kept:
        print(f"{kept} are not to be seen now: their copies are kept", file=sys.stderr)
    return 1 if missed or kept and not catalogue.keeps_unseen else 0


def orders(library: PhotoLibrary, catalogue: Catalogue) -> dict[str, list[str]]:
    """Of each album whose order is not that of time."""
    by_time: dict[str, list[str]] = {}
    for asset in catalogue.assets():
        for album in asset.albums:
            by_time.setdefault(album, []).append(asset.id)
    found = {}
    for album, ids in by_time.items():
        result = library.fetch_assets(albums=[album], sort=SortKey.CUSTOM, include_hidden=True)
        order = [asset.id for asset in result]
        if order != ids:
            found[album] = order
    return found


def restore(library: PhotoLibrary, catalogue: Catalogue) -> int:
    wanted = catalogue.assets()
    # What an earlier attempt has brought back already. Anything else is somebody's, and stays by itself.
    present: dict[Likeness, list[Asset]] = {}
    for asset in library.fetch_assets(include_hidden=True):
        present.setdefault(likeness(asset), []).append(asset)
    alike = Counter(likeness(asset) for asset in wanted)
    if any(len(there) > alike[key] for key, there in present.items()):
        raise SystemExit("The library has other photos; a backup is restored into an empty one.")
    albums = restore_albums(library, catalogue.albums())
    problems = 0
    now: dict[str, str] = {}
    inside: set[tuple[str, str]] = set()
    # In the order of the library: of those that came to be at the same time, the first is the oldest here as well.
    for asset in wanted:
        # An album that went while the backup was made is not in the catalogue.
        places = [albums[album] for album in asset.albums if album in albums]
        there = take(present.get(likeness(asset), []), asset, places)
        id = there.id if there else bring_back(library, catalogue, asset, places)
        if id is None:
            problems += 1
            continue
        now[asset.id] = id
        inside.update((album, asset.id) for album in asset.albums)
        problems += not mark(library, id, asset, there)
        for other in places[1:]:
            library.add_to_album([id], other)
    unfold(library, [now[asset.id] for asset in wanted if asset.id in now and not asset.albums], set(albums.values()))
    for album, order in catalogue.orders().items():
        if album in albums:
            # One that came into it or left it while the backup was made is where its own row says.
            library.move_in_album(albums[album], [now[id] for id in order if id in now and (album, id) in inside])
    print(f"{len(now)} photos in {len(albums)} albums")
    return 1 if problems else 0


Likeness = tuple[str, int, datetime, datetime]


def likeness(asset: Asset) -> Likeness:
    """What a photo has in common with itself, brought back: the number that its name may have got is nothing of it."""
    name = "/".join(re.sub(r" \(\d+\)(?=(\.[^.]*)?$)", "", part) for part in name_of(asset) if part)
    return name, asset.byte_count, asset.created, asset.modified


def name_of(item: Asset | Album) -> tuple[str, str | None]:
    """What it is called here, and the bytes of that where they are not UTF-8: as it was, but for control characters, which
    a program may give nothing."""
    text, encoded = ((item.filename, item.percent_encoded_filename) if isinstance(item, Asset) else
                     (item.title, item.percent_encoded_title))
    clean = re.sub("[\0-\x1f\x7f-\x9f]", "\ufffd", text)
    # As bytes, those of C1 are two.
    return clean, encoded and re.sub("%[01][0-9A-F]|%7F|%C2%[89][0-9A-F]", "%EF%BF%BD", encoded)


def take(alike: list[Asset], asset: Asset, places: list[str]) -> Asset | None:
    """Which of those is the asset, brought back earlier. Each is one only: a copy of a photo in another album is like it."""
    def fits(there: Asset) -> bool:
        # It comes into the first of its albums, and later into the others; without one it lies where the daemon puts it.
        return not places or places[0] in there.albums and not set(there.albums) - set(places)

    found = min(filter(fits, alike), key=lambda there: there.filename != asset.filename, default=None)
    if found is not None:
        alike.remove(found)
    return found


def bring_back(library: PhotoLibrary, catalogue: Catalogue, asset: Asset, places: list[str]) -> str | None:
    """One asset; its id now, or None, which was said."""
    main = catalogue.main(asset.id)
    if main is None:
        print(f"{shown(asset.filename)}: there is no copy of it", file=sys.stderr)
        return None
    name, encoded = name_of(asset)
    item = MediaItem(
        source=main, filename=name, percent_encoded_filename=encoded, paired_video=catalogue.file(asset.id, ResourceType.PAIRED_VIDEO),
        alternate_photo=catalogue.file(asset.id, ResourceType.ALTERNATE_PHOTO),
        sidecars=catalogue.sidecars(asset.id), created=asset.created, modified=asset.modified)
    result = library.save([item], album=places[0] if places else fold(library)).results[0]
    if isinstance(result, str):
        return result
    print(f"{shown(asset.filename)}: {result}", file=sys.stderr)
    return None


FOLD = "Restored by backup.py"
"""An album for photos that are in none: a program adds to albums only, and takes out what is in them."""


def fold(library: PhotoLibrary) -> str:
    """That album, made where it is not there."""
    return find_fold(library) or library.create_album(FOLD).id


def find_fold(library: PhotoLibrary) -> str | None:
    return next((album.id for album in library.fetch_albums().albums
                 if album.title == FOLD and album.parent is None), None)


def unfold(library: PhotoLibrary, loose: list[str], others: set[str]) -> None:
    """Has photos that are in no album lie in none, and removes what they were brought to."""
    for first in range(0, len(loose), 1000):
        batch = library.fetch_assets(ids=loose[first : first + 1000], include_hidden=True)
        library.move_to_album([asset.id for asset in batch if asset.albums], None)
    album = find_fold(library)
    # Where photos are in it, an earlier restore was given up for another one; and somebody may have one like that.
    if album is not None and album not in others and not library.fetch_assets(albums=[album], include_hidden=True).total:
        library.delete_album(album)


def mark(library: PhotoLibrary, id: str, asset: Asset, there: Asset | None) -> bool:
    """Has it hidden and a favourite where it was, as far as what is there is not; whether that could be done."""
    try:
        # At once: what was hidden is not to be seen until the last photo has come.
        if asset.is_hidden and not (there and there.is_hidden):
            library.set_hidden([id])
        if asset.is_favorite and not (there and there.is_favorite):
            library.set_favorite([id])
    except FlagsNotSupported as error:
        print(f"{shown(asset.filename)}: {error}", file=sys.stderr)
        return False
    return True


def restore_albums(library: PhotoLibrary, albums: list[Album]) -> dict[str, str]:
    """Those that lie in others after them. The ids that they have now, by those that they had."""
    made: dict[str, str] = {}
    known = {album.id for album in albums}
    present = {(album.parent, name_of(album)): album.id for album in library.fetch_albums().albums}
    rest = albums
    while rest:
        later = [album for album in rest if album.parent in known and album.parent not in made]
        if len(later) == len(rest):
            raise SystemExit("the catalogue has albums that lie in themselves")
        for album in rest:
            if album not in later:
                parent = made.get(album.parent or "")
                title, encoded = name_of(album)
                made[album.id] = present.get((parent, (title, encoded))) or library.create_album(
                    title, parent=parent, percent_encoded_title=encoded).id
        rest = later
    return made


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["backup", "restore"])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--owner", action="store_true", help="see the whole library, as an owner's program may")
    parser.add_argument("--socket", help="the daemon's socket")
    arguments = parser.parse_args()
    if arguments.action == "restore" and not (arguments.directory / "catalogue.sqlite").exists():
        raise SystemExit(f"{arguments.directory} is no backup")
    try:
        with PhotoLibrary(arguments.socket, as_owner=arguments.owner) as library:
            if not arguments.owner:
                answer = library.request_authorization(wait_for_agent=True)
                if answer.status not in ("authorized", "limited"):
                    guide = answer.guide
                    raise SystemExit("\n".join([guide.title, guide.message, *guide.steps]) if guide else "Not now.")
            with contextlib.closing(Catalogue(arguments.directory)) as catalogue:
                return (back_up if arguments.action == "backup" else restore)(library, catalogue)
    except (AlbumError, OSError, sqlite3.Error) as error:
        print(f"backup.py: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
