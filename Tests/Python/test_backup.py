"""Examples/python/backup.py: killed at random it goes on, and what is restored is what was there."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
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
from pathlib import Path
from typing import Any

import support
from daemon import LAKE, PHOTOS, Daemon, until
from albumd import PhotoLibrary, ResourceType, SavedPhotos

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
            return "" if id is None else f"{path(albums[id].parent)}/{albums[id].title}"

        found: list[tuple[object, ...]] = [tuple(sorted(path(id) for id in albums))]
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
                asset.filename, tuple(sorted(map(path, asset.albums))), asset.created, asset.modified,
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
        """A photo with a date of its own; some are in two albums, some have a copy in another one, some are favourites, some
        hidden, some both."""
        number = next(self.numbers)
        folder = self.random.choice(["Reise 2008", "Reise 2008/Küste", "家人", "Empty/Not", "Saved"])
        path = self.daemon.photos / folder / f"IMG {number:04}.jpg"
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
            action = self.random.randrange(7)
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
            else:
                self.add()

    def turn(self, photo: Path, name: str) -> None:
        """Marks it, or takes that back."""
        if flag(photo, name) is not None:
            os.removexattr(photo, name)
        else:
            os.setxattr(photo, name, b"1" if name == HIDDEN else b"Favorite")

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
                # What lay in no album lies in Saved.
                found = [tuple(("/Saved",) if part == () and number == 1 else part for number, part in enumerate(one))
                         for one in expected[1:]]
                self.assertEqual(whole(other)[1:], found)

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


if __name__ == "__main__":
    unittest.main()
