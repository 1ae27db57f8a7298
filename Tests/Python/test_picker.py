"""Examples/python/picker.py, in a terminal (tmux), and the small pictures that it shows."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
import unittest
import zlib
from pathlib import Path

import support

sys.path.insert(0, str(support.REPOSITORY / "Examples/python"))

from albumd import PhotoLibrary  # noqa: E402
from albumd.interfaces.library import OpenPreview  # noqa: E402
from daemon import PHOTOS, Daemon, until  # noqa: E402
from test_gallery import Terminal  # noqa: E402
from thumbnail import squares  # noqa: E402

PICKER = support.REPOSITORY / "Examples/python/picker.py"
RED, BLUE, GREY = (220, 20, 20), (20, 20, 220), (128, 128, 128)
WHITE, BLACK = (255, 255, 255), (0, 0, 0)


def png(path: Path, left: tuple[int, int, int], right: tuple[int, int, int], *, is_grey: bool = False) -> None:
    """A picture of two halves."""
    channels = 1 if is_grey else 3
    row = b"\0" + bytes(left[:channels]) * 64 + bytes(right[:channels]) * 64

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 128, 128, 8, 0 if is_grey else 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(row * 128)) + chunk(b"IEND", b""))


class Thumbnails(unittest.TestCase):
    def test_a_square_has_the_colour_that_is_there(self) -> None:
        daemon = Daemon(as_app=False)
        png(daemon.photos / "colours.png", RED, BLUE)
        png(daemon.photos / "grey.png", GREY, (250, 0, 0), is_grey=True)
        with daemon.scanned_at_start(2), PhotoLibrary(daemon.socket, as_owner=True) as library:
            for asset in library.fetch_assets():
                reply, descriptors = library.ask_with_descriptors(OpenPreview(id=asset.id, pixels=128))
                with descriptors, descriptors.open(reply.file_descriptor) as file:
                    jpeg = file.read()
                found = squares(jpeg)
                self.assertEqual((len(found), {len(row) for row in found}), (16, {16}))
                left, right = (RED, BLUE) if asset.filename == "colours.png" else (GREY, (250, 250, 250))
                for row in found:
                    for column in (*range(7), *range(9, 16)):
                        expected = left if column < 8 else right
                        for value, wanted in zip(row[column], expected):
                            # As far as a preview keeps it.
                            self.assertLess(abs(value - wanted), 60, (asset.filename, row[column], expected))
                # Wherever it is cut off, that is said, and nothing else happens.
                for count in range(0, len(jpeg) - 2, 7):
                    with self.assertRaises(ValueError):
                        squares(jpeg[:count])

    def test_what_is_no_such_picture_is_refused(self) -> None:
        for data in (b"", b"\xff\xd8", b"GIF89a", b"\xff\xd8\xff\xc2\x00\x08" + bytes(64), b"\xff\xd8" + b"\xff\xda\0\2" * 9):
            with self.assertRaises(ValueError):
                squares(data)


class Picker(unittest.TestCase):
    def agent(self, daemon: Daemon, *assets: str) -> subprocess.Popen[str]:
        """An owner who selects these, and is there by now."""
        agent = subprocess.Popen(
            [str(support.BIN / "albumctl"), "agent", "--once", "--answer", "limited", "--assets", ",".join(assets),
             "--socket", daemon.socket], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        self.addCleanup(agent.communicate)
        self.addCleanup(agent.kill)
        assert agent.stdout is not None
        self.assertIn("Waiting", agent.stdout.readline())
        return agent

    def test_what_it_shows_and_what_can_be_done_depend_on_the_status(self) -> None:
        daemon = Daemon(manifest="manages: true\n")
        png(daemon.photos / "halves.png", WHITE, BLACK)
        for name in ("dawn.jpg", "lake.jpg"):
            daemon.add(PHOTOS / "Holiday" / name, name)
        with daemon.scanned_at_start(3):
            with PhotoLibrary(daemon.socket, as_owner=True) as owner:
                ids = {asset.filename: asset.id for asset in owner.fetch_assets()}
            out = daemon.directory / "out"
            terminal = Terminal(
                "sh", "-c", f"{sys.executable} {PICKER} --socket {daemon.socket} > {out}.part; mv {out}.part {out}; cat")
            self.addCleanup(terminal.close)
            terminal.shows(lambda text: "a: ask" in text and "Nobody was asked" in text and "halves" not in text)
            self.agent(daemon, ids["halves.png"])
            terminal.press("a")
            terminal.shows(lambda text: "1 photos" in text and "m: select others" in text and "halves.png" in text)
            # Of the 256 colours, 231 is white and 16 is black.
            terminal.shows(lambda _: all(re.search(f"38;5;{one}[;m]", terminal.colours) for one in (231, 16)))
            self.agent(daemon, ids["halves.png"], ids["dawn.jpg"])
            terminal.press("m")
            terminal.shows(lambda text: "2 photos" in text and "dawn.jpg" in text and "lake" not in text)
            daemon.albumctl("deny", Daemon.APP)
            terminal.shows(lambda text: "halves" not in text and "a: ask" not in text and "m: select" not in text
                           and "Test" in text)
            daemon.albumctl("allow", Daemon.APP)
            terminal.shows(lambda text: "3 photos" in text and "m: select" not in text and "lake.jpg" in text)
            terminal.press("Space", "Right", "Space")
            terminal.shows(lambda text: "2 selected" in text)
            # Of those that are there.
            terminal.press("Right", "Space")
            terminal.shows(lambda text: "3 selected" in text)
            (daemon.photos / "halves.png").unlink()
            terminal.shows(lambda text: "2 photos" in text and "2 selected" in text)
            terminal.press("Enter")
            until(out.exists)
            chosen = dict(line.split(" ", 1) for line in out.read_text().splitlines())
            self.assertEqual(len(chosen), 2)
            self.assertLessEqual({(name, id) for id, name in chosen.items()}, set(ids.items()))


if __name__ == "__main__":
    unittest.main()
