"""Examples/python/backup.py: killed at random it goes on, and what is restored is what was there."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import importlib.util
import io
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import support
from daemon import LAKE, PHOTOS, Daemon, until
from test_daemon import agent, saying
from albumd import (
    Asset, ConnectionLost, Decision, NoSuchAlbum, NoSuchAsset, NotRunning, PhotoLibrary, RemoteError, ResourceType, SavedPhotos,
    SortKey,
)
from albumd.interfaces.library import FetchAlbums, FetchAssets, LibraryState, OpenAssetReply

BACKUP = support.REPOSITORY / "Examples/python/backup.py"
KILLS = int(os.environ.get("BACKUP_KILLS", "20"))
SEED = int(os.environ.get("BACKUP_SEED", "83"))


# What the files of favourites and of hidden photos say.
TAGS = "user.xdg.tags"
HIDDEN = "user.io.albumd.hidden"


def flag(path: Path, name: str) -> bytes | None:
    return os.getxattr(path, name) if name in os.listxattr(path) else None


def backup(action: str, daemon: Daemon, directory: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, BACKUP, action, directory, "--owner", "--socket", daemon.socket],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "PYTHONPATH": str(support.REPOSITORY / "python")})


def program() -> Any:
    """It, to call its functions."""
    specification = importlib.util.spec_from_file_location("backup", BACKUP)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def whole(daemon: Daemon) -> list[tuple[object, ...]]:
    """Everything of a library that a backup keeps, in its order."""
    with PhotoLibrary(daemon.socket, as_owner=True) as library:
        albums = {album.id: album for album in library.fetch_albums().albums}

        def path(id: str | None) -> str:
            return "" if id is None else "/".join(
                [path(albums[id].parent), albums[id].percent_encoded_title or albums[id].title])

        def order(id: str) -> Iterator[str]:
            result = library.fetch_assets(albums=[id], sort=SortKey.CUSTOM, include_hidden=True)
            return (asset.percent_encoded_filename or asset.filename for asset in result)

        found: list[tuple[object, ...]] = [tuple((path(id), *order(id)) for id in sorted(albums, key=path))]
        for asset in library.fetch_assets(include_hidden=True):
            contents = []
            sidecars = 0
            for resource in asset.resources:
                number = sidecars if resource == ResourceType.SIDECAR else None
                file, reply = library.open_resource(asset, resource, number=number)
                with file:
                    time = None if number is None else os.fstat(file.fileno()).st_mtime_ns
                    contents.append((
                        str(resource), reply.sidecar_extension, time,
                        hashlib.file_digest(file, "sha256").hexdigest()))
                sidecars += number is not None
            found.append((
                asset.percent_encoded_filename or asset.filename, tuple(sorted(map(path, asset.albums))), asset.created, asset.modified,
                str(asset.media_type), bool(asset.is_favorite), bool(asset.is_hidden), tuple(contents)))
        return found


class Backup(unittest.TestCase):
    def setUp(self) -> None:
        self.random = random.Random(SEED)
        self.directory = Path(tempfile.mkdtemp(prefix="albumd-backup-"))
        self.addCleanup(shutil.rmtree, self.directory)
        self.daemon = Daemon(as_app=False)
        self.numbers = iter(range(1_000_000))
        for _ in range(150):
            self.add()
        files = {path.stat().st_ino: path for path in self.daemon.photos.rglob("*.jpg")}.values()
        self.daemon.start().scanned(sum(flag(path, HIDDEN) is None for path in files))
        self.addCleanup(self.daemon.close)

    def photo(self) -> bytes:
        # A picture with bytes of its own at its end.
        return LAKE.read_bytes() + self.random.randbytes(self.random.choice([10, 100_000]))

    def add(self) -> Path:
        """A photo with a date of its own; some are in two albums, some in none, some have a copy in another one, some are
        favourites, some hidden, some both, and names are not always UTF-8."""
        number = next(self.numbers)
        folder = self.random.choice(["Reise 2008", "Reise 2008/Küste", "家人", "Empty/Not", "Saved", "Caf\udce9", ""])
        stem = "IMG\udcff" if number % 8 == 6 else "IMG"
        path = self.daemon.photos / folder / f"{stem} {number:04}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.photo())
        # Among them some of the same second.
        when = 1_200_000_000 + self.random.randrange(40) * 86_400
        os.utime(path, (when, when))
        if number % 10 == 1:
            other = self.daemon.photos / "Best of" / path.name
            other.parent.mkdir(exist_ok=True)
            os.link(path, other)
        if number % 10 == 4:
            # A photo of its own, alike in all but its place.
            other = self.daemon.photos / "Best of" / path.name
            other.parent.mkdir(exist_ok=True)
            shutil.copy2(path, other)
        if number % 7 == 2:
            os.setxattr(path, TAGS, b"Favorite")
        if number % 9 == 3:
            os.setxattr(path, HIDDEN, b"1")
        return path

    def change(self) -> None:
        """What people do with photos."""
        photos = sorted(self.daemon.photos.rglob("*.jpg"))
        for _ in range(8):
            photo = self.random.choice(photos)
            if not photo.exists():
                continue
            action = self.random.randrange(8)
            if action == 0:
                photo.unlink()
            elif action == 1:
                photo.rename(photo.with_name(f"renamed {photo.name}"))
            elif action == 2:
                target = self.daemon.photos / self.random.choice(["家人", "New album"]) / photo.name
                target.parent.mkdir(exist_ok=True)
                if not target.exists():
                    photo.rename(target)
            elif action == 3:
                part = photo.with_name(".part")
                part.write_bytes(self.photo())
                part.rename(photo)
            elif action in (4, 5):
                self.turn(photo, TAGS if action == 4 else HIDDEN)
            elif action == 6:
                self.arrange()
            else:
                self.add()

    def turn(self, photo: Path, name: str) -> None:
        """Marks it, or takes that back."""
        if flag(photo, name) is not None:
            os.removexattr(photo, name)
        else:
            os.setxattr(photo, name, b"1" if name == HIDDEN else b"Favorite")

    def arrange(self) -> None:
        """Puts some photos of an album before another one, or at the end (S103)."""
        with PhotoLibrary(self.daemon.socket, as_owner=True) as library:
            album = self.random.choice(library.fetch_albums().albums)
            ids = [asset.id for asset in library.fetch_assets(albums=[album.id], include_hidden=True)]
            some = self.random.sample(ids, min(len(ids), self.random.randrange(1, 5)))
            others = [id for id in ids if id not in some]
            before = self.random.choice([None, *others])
            # What is told may have gone by now.
            with contextlib.suppress(NoSuchAsset, NoSuchAlbum):
                if some:
                    library.move_in_album(album.id, some, before=before)

    def finish(self, action: str, daemon: Daemon) -> str:
        process = backup(action, daemon, self.directory)
        said, _ = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 0, said)
        return said

    def settled(self) -> None:
        """The daemon has seen what was done."""
        count = len({path.stat().st_ino for path in self.daemon.photos.rglob("*.jpg")})
        with PhotoLibrary(self.daemon.socket, as_owner=True) as library:
            until(lambda: library.fetch_assets(include_hidden=True).total == count
                  and library.info().state == "ready")
            token = ""
            while token != (token := library.info().token):
                time.sleep(0.3)

    def test_killed_at_random_it_goes_on_and_restores_all(self) -> None:
        kills = 0
        while kills < KILLS:
            process = backup("backup", self.daemon, self.directory)
            time.sleep(self.random.uniform(0.05, 0.6))
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                kills += 1
            process.communicate(timeout=600)
            if self.random.random() < 0.6:
                self.change()
        # Of each kind there is one, whatever was done to the others.
        for names in ((), (TAGS,), (HIDDEN,), (TAGS, HIDDEN)):
            path = self.add()
            for name in (TAGS, HIDDEN):
                if (flag(path, name) is not None) != (name in names):
                    self.turn(path, name)
        self.settled()
        self.finish("backup", self.daemon)
        said = self.finish("backup", self.daemon)
        self.assertIn(" 0 were copied now", said)
        self.assertNotIn("listed", said)
        # One photo more is one photo more, by the token.
        self.daemon.add(PHOTOS / "moon.png", "Saved/moon.png")
        self.settled_with("moon.png")
        said = self.finish("backup", self.daemon)
        self.assertIn(" 1 were copied now", said)
        self.assertNotIn("listed", said)
        before = whole(self.daemon)
        flags = {asset[5:7] for asset in before[1:]}
        self.assertEqual(flags, {(False, False), (False, True), (True, False), (True, True)})
        with Daemon(as_app=False) as other:
            for _ in range(KILLS // 4):
                process = backup("restore", other, self.directory)
                time.sleep(self.random.uniform(0.2, 0.7))
                process.kill()
                process.communicate(timeout=600)
            self.finish("restore", other)
            after = whole(other)
            # Whose photos there are, nothing is added to.
            other.add(PHOTOS / "moon.png", "Saved/other.png")
            with PhotoLibrary(other.socket, as_owner=True) as library:
                until(lambda: library.fetch_assets(include_hidden=True).total == len(after))
            refused = backup("restore", other, self.directory)
            self.assertIn("an empty one", refused.communicate(timeout=600)[0])
        self.assertEqual(after[0], before[0])
        self.assertEqual(len(after), len(before))
        for one, restored in zip(before, after):
            self.assertEqual(restored, one)

    def settled_with(self, name: str) -> None:
        with PhotoLibrary(self.daemon.socket, as_owner=True) as library:
            until(lambda: library.fetch_assets(name_contains=name).total == 1)

    def test_a_catalogue_of_before_hidden_photos_were_kept_is_made_anew(self) -> None:
        self.finish("backup", self.daemon)
        with contextlib.closing(sqlite3.connect(self.directory / "catalogue.sqlite", isolation_level=None)) as database:
            hidden = "json_extract(said, '$.isHidden')"
            count, = database.execute(f"SELECT count(*) FROM asset WHERE {hidden}").fetchone()
            self.assertGreater(count, 0)
            database.executescript(f"DELETE FROM asset WHERE {hidden}; PRAGMA user_version = 0")
        said = self.finish("backup", self.daemon)
        self.assertIn(f" {count} were copied now; all were listed", said)
        self.assertNotIn("listed", self.finish("backup", self.daemon))

    def test_a_copy_in_another_album_is_no_photo_that_came_back_already(self) -> None:
        data = self.photo()
        for name in ("A/1.jpg", "B/1.jpg", "B/1 (2).jpg", "1.jpg"):
            path = self.daemon.photos / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
            os.utime(path, (1_100_000_000, 1_100_000_000))
        (self.daemon.photos / "C").mkdir()
        os.link(self.daemon.photos / "B/1.jpg", self.daemon.photos / "C/1.jpg")
        self.settled()
        self.finish("backup", self.daemon)

        class Ended(PhotoLibrary):
            """Ends right after so many photos were saved."""

            left = 0

            def save(self, *arguments: Any, **named: Any) -> SavedPhotos:
                saved = super().save(*arguments, **named)
                self.left -= 1
                if self.left == 0:
                    raise InterruptedError
                return saved

        expected = whole(self.daemon)
        module = program()
        for count in (1, 2, 3):
            with self.subTest(count=count), Daemon(as_app=False) as other:
                with Ended(other.socket, as_owner=True) as library, self.assertRaises(InterruptedError):
                    library.left = count
                    with contextlib.closing(module.Catalogue(self.directory)) as catalogue:
                        module.restore(library, catalogue)
                self.finish("restore", other)
                self.assertEqual(whole(other), expected)

    def test_what_the_daemon_says_is_no_path(self) -> None:
        module = program()
        self.assertEqual(module.file_name("photo", "jpg"), "photo.jpg")
        self.assertEqual(module.file_name("../../x", "a/b"), "______x.a_b")
        catalogue = module.Catalogue(self.directory)
        self.addCleanup(catalogue.close)
        for id in ("../../etc", "", "x" * 1000, "a/b", "."):
            self.assertEqual(catalogue.folder(id).parents[1], self.directory / "files")
            self.assertRegex(catalogue.folder(id).name, "^[0-9a-f]{64}$")

    def test_sidecars_come_back_beside_their_photo(self) -> None:
        folder = self.daemon.photos / "Edited"
        folder.mkdir()
        for number, name in enumerate(["1.dng", "1.xmp", "1.jpg", "1.jpg.xmp", "2.jpg", "2.AAE", "2.jpg.xmp", "2.thm"]):
            is_photo = name.endswith((".dng", ".jpg"))
            (folder / name).write_bytes(self.photo() if is_photo else f"<{name}/>".encode())
            os.utime(folder / name, (1_100_000_000 + number, 1_100_000_000 + number))
        names = {path.name: path.stat().st_mtime for path in folder.iterdir()}

        def counted(daemon: Daemon) -> list[int]:
            with PhotoLibrary(daemon.socket, as_owner=True) as library:
                albums = [album.id for album in library.fetch_albums().albums if album.title == "Edited"]
                found = library.fetch_assets(albums=albums) if albums else ()
                return sorted(asset.resources.count(ResourceType.SIDECAR) for asset in found)

        until(lambda: counted(self.daemon) == [2, 3])
        self.finish("backup", self.daemon)
        before = whole(self.daemon)
        with Daemon(as_app=False) as other:
            self.finish("restore", other)
            self.assertEqual(counted(other), [2, 3])
            restored = {path.name: path.stat().st_mtime for path in (other.photos / "Edited").iterdir()}
            # Each file has its own date, RAW too.
            self.assertEqual(restored, names)
            self.assertEqual(whole(other), before)
        # One that is written anew is copied anew.
        (folder / "2.AAE").write_bytes(b"<other/>")

        def written() -> bool:
            with PhotoLibrary(self.daemon.socket, as_owner=True) as library:
                asset = library.fetch_assets(name_contains="2.jpg", albums=[
                    album.id for album in library.fetch_albums().albums if album.title == "Edited"]).first_page[0]
                with library.open(asset, ResourceType.SIDECAR) as file:
                    return file.read() == b"<other/>"

        until(written)
        self.assertIn(" 1 were copied now", self.finish("backup", self.daemon))

    def test_a_live_photo_and_its_movie(self) -> None:
        movie = b"\0\0\0\x14ftypqt  \0\0\0\0qt  \0\0\0\x08wide"
        folder = self.daemon.photos / "Live"
        folder.mkdir()
        (folder / "IMG_1.jpg").write_bytes(self.photo())
        (folder / "IMG_1.MOV").write_bytes(movie)
        self.settled_with("IMG_1")
        with PhotoLibrary(self.daemon.socket, as_owner=True) as library:
            until(lambda: ResourceType.PAIRED_VIDEO in
                  library.fetch_assets(name_contains="IMG_1").first_page[0].resources)
        self.finish("backup", self.daemon)
        before = whole(self.daemon)
        with Daemon(as_app=False) as other:
            self.finish("restore", other)
            self.assertTrue((other.photos / "Live/IMG_1.MOV").exists())
            for one, restored in zip(before, whole(other)):
                self.assertEqual(restored, one)


class Meddling(PhotoLibrary):
    """Lets a test do something before a file is opened, and once before another page, or the albums, are read."""

    opening: Callable[[Asset], None] | None = None
    paging: Callable[[], None] | None = None
    listing: Callable[[], None] | None = None
    page = 1000

    def open_resource(
        self, asset: Asset | str, resource: ResourceType | None = None, *, number: int | None = None
    ) -> tuple[io.BufferedReader, OpenAssetReply]:
        if self.opening is not None and isinstance(asset, Asset):
            self.opening(asset)
        return super().open_resource(asset, resource, number=number)

    def fetch_assets(self, **named: Any) -> Any:
        return super().fetch_assets(**{"page": self.page, **named})

    def ask(self, method: Any) -> Any:
        paging, listing = self.paging, self.listing
        if paging is not None and isinstance(method, FetchAssets) and method.cursor is not None:
            self.paging = None
            paging()
        if listing is not None and isinstance(method, FetchAlbums):
            self.listing = None
            listing()
        return super().ask(method)


class Broken(io.FileIO):
    """A file whose disk is."""

    def readinto(self, buffer: Any, /) -> int:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    def read(self, size: int | None = -1, /) -> bytes:
        return bytes(self.readinto(b""))

    def readall(self) -> bytes:
        return self.read()


XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="33,51.4S"/></rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
""".encode()


class Losses(unittest.TestCase):
    """What a backup must not lose, in a small library."""

    def setUp(self) -> None:
        self.module = program()
        self.directory = Path(tempfile.mkdtemp(prefix="albumd-backup-"))
        self.addCleanup(shutil.rmtree, self.directory)
        self.said = ""

    def start(self, *names: str, as_app: bool = False) -> Daemon:
        """With photos whose order is that of the names. The app may be told places, and act as an owner."""
        daemon = Daemon(as_app=as_app, manifest="manages: true\n")
        if as_app:
            manifest = daemon.directory / f"apps.d/{Daemon.APP}.yaml"
            manifest.write_text(manifest.read_text().replace("usage: {", "usage: {location: {en: Shows a map.}, "))
        for name in names:
            self.add(daemon, name)
        daemon.start().scanned(len(names))
        self.addCleanup(daemon.close)
        return daemon

    def add(self, daemon: Daemon, name: str, age: int | None = None) -> Path:
        path = daemon.photos / name
        path.parent.mkdir(exist_ok=True)
        part = path.with_name(".part")
        part.write_bytes(LAKE.read_bytes() + name.encode())
        when = 1_200_000_000 + (int(path.stem) if age is None else age) * 86_400
        os.utime(part, (when, when))
        part.rename(path)
        return path

    def owner(self, daemon: Daemon) -> Meddling:
        library = Meddling(daemon.socket, as_owner=True)
        self.addCleanup(library.close)
        return library

    @contextlib.contextmanager
    def empty(self) -> Iterator[tuple[Daemon, PhotoLibrary]]:
        """Another library, without photos."""
        with Daemon(as_app=False) as daemon, PhotoLibrary(daemon.socket, as_owner=True) as library:

            until(lambda: self.answers(library) and library.info().state == LibraryState.READY)
            yield daemon, library

    def answers(self, library: PhotoLibrary) -> bool:
        """The socket is there a moment before anybody listens."""
        with contextlib.suppress(NotRunning):
            library.info()
            return True
        return False

    def run_it(self, action: str, library: PhotoLibrary) -> int:
        """As its `main` does; what it has said is in `said`."""
        with io.StringIO() as said, contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            with contextlib.closing(self.module.Catalogue(self.directory)) as catalogue:
                status: int = getattr(self.module, action)(library, catalogue)
            self.said = said.getvalue()
        return status

    def lose_the_place(self) -> None:
        """The daemon does not know the token that is kept: TokenExpired."""
        with contextlib.closing(sqlite3.connect(self.directory / "catalogue.sqlite", isolation_level=None)) as database:
            database.execute("UPDATE place SET token = 'gone'")

    def copies(self, name: str = "*") -> list[bytes]:
        return sorted(path.read_bytes() for path in (self.directory / "files").glob(f"*/*/{name}"))

    # Albums

    def test_an_album_that_comes_while_it_copies_is_restored(self) -> None:
        daemon = self.start("1.jpg", "2.jpg")
        library = self.owner(daemon)

        def put(asset: Asset) -> None:
            if asset.filename == "2.jpg":
                library.opening = None
                library.add_to_album([asset.id], library.create_album("New").id)

        library.opening = put
        self.assertEqual(self.run_it("back_up", library), 0)
        expected = whole(daemon)
        with self.empty() as (other, empty):
            self.assertEqual(self.run_it("restore", empty), 0, self.said)
            restored = {asset[0]: asset[1] for asset in whole(other)[1:]}
        self.assertIn(("/New", "2.jpg"), expected[0])
        self.assertIn("/New", str(restored["2.jpg"]))

    def test_an_album_that_goes_before_the_albums_are_read_keeps_nothing_from_being_restored(self) -> None:
        daemon = self.start("Old/1.jpg", "Old/2.jpg", "Kept/3.jpg")
        library = self.owner(daemon)

        def move() -> None:
            albums = {album.title: album.id for album in library.fetch_albums().albums}
            ids = [asset.id for asset in library.fetch_assets(albums=[albums["Old"]])]
            library.move_to_album(ids, albums["Kept"])
            library.delete_album(albums["Old"])

        self.assertEqual(self.run_it("back_up", library), 0)
        self.add(daemon, "4.jpg")
        until(lambda: library.fetch_assets().total == 4)
        library.listing = move
        self.assertEqual(self.run_it("back_up", library), 0)
        with self.empty() as (other, empty):
            for _ in range(2):
                self.assertEqual(self.run_it("restore", empty), 0, self.said)
            self.assertEqual([asset.filename for asset in empty.fetch_assets()], [f"{age}.jpg" for age in range(1, 5)])

    # Files that cannot be read

    def test_one_that_cannot_be_read_keeps_no_other_from_being_copied(self) -> None:
        daemon = self.start("1.jpg", "2.jpg", "3.jpg", "4.jpg")
        library = self.owner(daemon)
        open_resource = library.open_resource

        def broken(asset: Asset, *arguments: Any, **named: Any) -> tuple[io.BufferedReader, OpenAssetReply]:
            if asset.filename == "1.jpg":
                raise RemoteError("io.systemd.System", {"origin": "linux", "errno": errno.EACCES})
            file, reply = open_resource(asset, *arguments, **named)
            return (io.BufferedReader(Broken(os.dup(file.fileno()))) if asset.filename == "3.jpg" else file), reply

        with mock.patch.object(library, "open_resource", broken):
            for count in (2, 0):
                self.assertEqual(self.run_it("back_up", library), 1)
                self.assertIn(f"2 photos, of which {count} were copied now", self.said)
                self.assertIn("1.jpg: io.systemd.System", self.said)
                self.assertIn(f"3.jpg: {os.strerror(errno.EIO)}", self.said)
                self.assertIn("2 could not be copied", self.said)
            self.assertEqual(len(self.copies()), 2)
        with self.empty() as (other, empty):
            self.assertEqual(self.run_it("restore", empty), 1)
            self.assertIn("1.jpg: there is no copy of it", self.said)
            self.assertEqual([asset.filename for asset in empty.fetch_assets()], ["2.jpg", "4.jpg"])
        # The disk is whole again.
        self.assertEqual(self.run_it("back_up", library), 0)
        self.assertIn("4 photos, of which 2 were copied now", self.said)

    def test_of_one_that_cannot_be_read_any_more_the_older_copy_is_restored(self) -> None:
        daemon = self.start("1.jpg", "2.jpg")
        library = self.owner(daemon)
        self.assertEqual(self.run_it("back_up", library), 0)
        changed = self.add(daemon, "1.jpg")
        changed.write_bytes(changed.read_bytes() + b"longer")
        until(lambda: library.fetch_assets(name_contains="1.jpg").first_page[0].byte_count == changed.stat().st_size)

        def refuse(asset: Asset) -> None:
            raise RemoteError("io.systemd.System", {"origin": "linux", "errno": errno.EIO})

        library.opening = refuse
        self.assertEqual(self.run_it("back_up", library), 1)
        with self.empty() as (other, empty):
            # It is known again.
            for _ in range(2):
                self.assertEqual(self.run_it("restore", empty), 0, self.said)
            found = sorted(path.read_bytes() for path in other.photos.rglob("*.jpg"))
        self.assertEqual(found, sorted(LAKE.read_bytes() + name for name in (b"1.jpg", b"2.jpg")))

    def test_what_is_half_written_is_no_copy(self) -> None:
        with contextlib.closing(self.module.Catalogue(self.directory)) as catalogue:
            catalogue.folder("id").mkdir(parents=True)
            for name in ("photo.jpg.0a1b2c3d.part", "sidecar-00.xmp.0a1b2c3d.part"):
                (catalogue.folder("id") / name).write_bytes(b"half")
            self.assertIsNone(catalogue.main("id"))
            self.assertEqual(catalogue.sidecars("id"), [])

    def test_what_is_not_of_one_photo_ends_it(self) -> None:
        daemon = self.start("1.jpg", "2.jpg")
        library = self.owner(daemon)
        full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        for error, patch in (
            (full, mock.patch.object(self.module, "write_copy", side_effect=full)),
            (ConnectionLost(), mock.patch.object(library, "open_resource", side_effect=ConnectionLost())),
        ):
            with self.subTest(error=error), patch as called, self.assertRaises(type(error)):
                self.run_it("back_up", library)
            self.assertEqual(called.call_count, 1)

    # All listed anew

    def write(self, library: PhotoLibrary, path: Path, data: bytes) -> None:
        """And waits until the daemon has told so."""
        part = path.with_name(".part")
        part.write_bytes(data)
        changes = library.asset_changes(library.current_change_token())
        part.rename(path)
        next(found for found in changes if found.changed)

    def test_a_sidecar_that_was_written_anew_is_copied_where_changes_were_lost(self) -> None:
        daemon = self.start("1.jpg", "2.jpg")
        library = self.owner(daemon)
        self.write(library, daemon.photos / "1.xmp", b"<one/>")
        self.assertEqual(self.run_it("back_up", library), 0)
        self.write(library, daemon.photos / "1.xmp", b"<two/>")
        self.lose_the_place()
        self.assertEqual(self.run_it("back_up", library), 0)
        self.assertIn("2 photos, of which 1 were copied now; all were listed", self.said)
        self.assertEqual(self.copies("sidecar-*"), [b"<two/>"])

    def test_an_app_that_sees_selected_photos_copies_only_what_has_changed(self) -> None:
        daemon = self.start("1.jpg", "2.jpg", as_app=True)
        owner = self.owner(daemon)
        self.write(owner, daemon.photos / "1.xmp", XMP)
        ids = [asset.id for asset in owner.fetch_assets()]
        with PhotoLibrary(daemon.socket) as library:
            with agent(daemon.socket, saying(Decision.LIMITED, assets=ids[:1])):
                library.request_authorization()
            for count in (1, 0):
                self.assertEqual(self.run_it("back_up", library), 0)
                self.assertIn(f"1 photos, of which {count} were copied now; all were listed", self.said)
            self.write(owner, daemon.photos / "1.xmp", XMP.replace(b"51.4S", b"52.4S"))
            self.assertEqual(self.run_it("back_up", library), 0)
            self.assertIn("1 photos, of which 1 were copied now; all were listed", self.said)

    def test_what_an_app_does_not_see_any_more_stays_in_the_copy(self) -> None:
        daemon = self.start("1.jpg", "2.jpg", "3.jpg", as_app=True)
        ids = [asset.id for asset in self.owner(daemon).fetch_assets()]
        daemon.albumctl("allow", Daemon.APP)
        with PhotoLibrary(daemon.socket) as library:
            self.assertEqual(self.run_it("back_up", library), 0)
            daemon.albumctl("reset", Daemon.APP)
            with agent(daemon.socket, saying(Decision.LIMITED, assets=ids[:2])):
                library.request_authorization()
            self.assertEqual(self.run_it("back_up", library), 0)
            self.assertIn("3 photos, of which 0 were copied now; all were listed", self.said)
            self.assertIn("1 are not to be seen now: their copies are kept", self.said)
            self.assertEqual(len(self.copies()), 3)
            # Gone, or not selected any more: it cannot tell.
            (daemon.photos / "2.jpg").unlink()
            until(lambda: library.fetch_assets().total == 1)
            self.assertEqual(self.run_it("back_up", library), 0)
            self.assertEqual(len(self.copies()), 3)
            daemon.albumctl("allow", Daemon.APP)
            self.assertEqual(self.run_it("back_up", library), 0)
            self.assertEqual(self.copies(), [LAKE.read_bytes() + name for name in (b"1.jpg", b"3.jpg")])

    def test_what_a_new_index_does_not_have_yet_stays_in_the_copy(self) -> None:
        daemon = self.start("1.jpg", "2.jpg")
        self.assertEqual(self.run_it("back_up", self.owner(daemon)), 0)
        daemon.kill(signal.SIGTERM)
        # The disk is away, and the index lost.
        away = daemon.directory / "away"
        daemon.photos.rename(away)
        for index in (daemon.directory / "state").glob("library*"):
            index.unlink()
        daemon.start()
        library = self.owner(daemon)
        until(lambda: self.answers(library) and library.info().state != LibraryState.SCANNING)
        for _ in range(2):
            self.assertEqual(self.run_it("back_up", library), 1)
            self.assertIn("2 are not to be seen now: their copies are kept", self.said)
            self.assertEqual(len(self.copies()), 2)
        daemon.kill(signal.SIGTERM)
        away.rename(daemon.photos)
        (daemon.photos / "2.jpg").unlink()
        daemon.start().scanned(1)
        library = self.owner(daemon)
        until(lambda: library.info().state == LibraryState.READY)
        self.assertEqual(self.run_it("back_up", library), 0)
        self.assertEqual(self.copies(), [LAKE.read_bytes() + b"1.jpg"])

    def test_what_came_without_places_is_copied_again_when_they_are_given(self) -> None:
        daemon = self.start("1.jpg", as_app=True)
        (daemon.photos / "1.xmp").write_bytes(XMP)
        (daemon.photos / "1.AAE").write_bytes(b"<plist/>")
        gif = b"GIF89a\x01\0\x01\0\0\0\0!\xff\x0bXMP DataXMP" + bytes(8) + b",\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;"
        (daemon.photos / "2.gif").write_bytes(gif)
        owner = self.owner(daemon)
        until(lambda: sorted(len(asset.resources) for asset in owner.fetch_assets()) == [1, 3])
        daemon.albumctl("allow", Daemon.APP)
        with PhotoLibrary(daemon.socket) as library:
            for count in (1, 0):
                self.assertEqual(self.run_it("back_up", library), 1)
                self.assertIn("2.gif: io.albumd.Library.LocationCannotBeRemoved", self.said)
                self.assertIn(f"1 photos, of which {count} were copied now", self.said)
            copy, = self.copies("sidecar-*")
            self.assertNotIn(b"GPS", copy)
            daemon.albumctl("allow", Daemon.APP, "--location")
            self.assertEqual(self.run_it("back_up", library), 0)
            self.assertIn("2 photos, of which 2 were copied now", self.said)
            self.assertEqual(self.copies("sidecar-*"), [XMP, b"<plist/>"])
            self.assertEqual(self.copies("photo.gif"), [gif])
            # Taken back, that costs no copy that cannot be made any more.
            daemon.albumctl("allow", Daemon.APP, "--no-location")
            self.write(owner, daemon.photos / "1.xmp", XMP.replace(b"51.4S", b"52.4S"))
            self.assertEqual(self.run_it("back_up", library), 0)
            self.assertIn("2 photos, of which 1 were copied now", self.said)
            self.assertEqual(self.copies("photo.gif"), [gif])
            self.assertEqual(self.copies("sidecar-*.AAE"), [b"<plist/>"])

    def test_what_came_without_places_since_they_were_taken_back_meanwhile_is_copied_again(self) -> None:
        daemon = self.start("1.jpg", as_app=True)
        (daemon.photos / "1.xmp").write_bytes(XMP)
        owner = self.owner(daemon)
        until(lambda: len(owner.fetch_assets().first_page[0].resources) == 2)
        daemon.albumctl("allow", Daemon.APP, "--location")

        def take_back(asset: Asset) -> None:
            daemon.albumctl("allow", Daemon.APP, "--no-location")

        with Meddling(daemon.socket) as library:
            library.opening = take_back
            self.assertEqual(self.run_it("back_up", library), 0)
            self.assertNotIn(b"GPS", self.copies("sidecar-*")[0])
            library.opening = None
            daemon.albumctl("allow", Daemon.APP, "--location")
            self.assertEqual(self.run_it("back_up", library), 0)
            self.assertEqual(self.copies("sidecar-*"), [XMP])

    def list_while_they_move(self) -> None:
        """One that is known, and a new one, come to where the list was read already."""
        daemon = self.start("1.jpg", "2.jpg", "3.jpg", "4.jpg")
        library, owner = self.owner(daemon), self.owner(daemon)
        self.assertEqual(self.run_it("back_up", library), 0)
        self.add(daemon, "5.jpg")
        until(lambda: library.fetch_assets().total == 5)
        self.lose_the_place()

        def move() -> None:
            self.add(daemon, "4.jpg", -4)
            self.add(daemon, "5.jpg", -5)
            until(lambda: [asset.filename for asset in owner.fetch_assets()][:2] == ["5.jpg", "4.jpg"])

        library.page = 1
        library.paging = move
        cleaned = mock.Mock(wraps=shutil.rmtree)
        with mock.patch.object(self.module.shutil, "rmtree", cleaned):
            self.assertEqual(self.run_it("back_up", library), 0)
        self.assertIsNone(library.paging)
        self.assertEqual(cleaned.call_count, 0)

    def test_what_moves_while_all_are_listed_is_in_the_copy(self) -> None:
        self.list_while_they_move()
        self.assertEqual(self.copies(), [LAKE.read_bytes() + f"{age}.jpg".encode() for age in range(1, 6)])

    def test_what_moves_while_all_are_listed_stays_there_even_where_that_is_not_told(self) -> None:
        with mock.patch.object(self.module, "catch_up", lambda *_: self.module.Heard.NOT_ALL):
            self.list_while_they_move()
        self.assertEqual(self.copies(), [LAKE.read_bytes() + f"{age}.jpg".encode() for age in range(1, 5)])


if __name__ == "__main__":
    unittest.main()
