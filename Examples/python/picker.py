#!/usr/bin/env python3
"""A picker of an app's own, in a terminal: small pictures, how many the app may see, and what can be done about it.

    picker.py           arrows move, Space selects, Return ends it and writes the ids of what is selected; q ends it

Begin with the owner's picker (`PhotoLibrary.pick`): it needs no access, and shows the whole library. This is for an app
that wants another look. What it shows depends on its status: before anybody was asked, a key that asks; a refusal's
guide; of a selection, a key that has the owner select others; with full access no such key.
"""

from __future__ import annotations

import argparse
import os
import re
import select
import signal
import sys
import termios
import threading
import tty
from collections import OrderedDict
from collections.abc import Callable, Sequence

from albumd import (
    AccessLevel, AlbumError, Asset, AuthorizationStatus, NotAuthorized, PhotoLibrary,
)
from albumd.interfaces.library import OpenPreview
from gallery import PAGE, Pages, fitted
from thumbnail import Colour, squares

SIDE = 16
"""Pixels of a picture's side in the terminal; a character shows two, one above the other."""
WIDTH, HEIGHT = SIDE + 2, SIDE // 2 + 2
HELD = 300
"""Small pictures that are kept: a few screens, however large the library is."""
KEYS = {b"\x1b[A": "up", b"\x1b[B": "down", b"\x1b[C": "right", b"\x1b[D": "left", b" ": "select", b"\r": "done",
        b"\n": "done", b"q": "quit", b"\x1b": "quit", b"\x03": "quit", b"a": "ask", b"m": "manage"}
Picture = Sequence[Sequence[Colour]]


class Pictures:
    """Small pictures, read by a thread of their own, what was asked for last first."""

    def __init__(self, library: PhotoLibrary, ready: Callable[[], None]) -> None:
        self._library = library
        self._ready = ready
        self._held: OrderedDict[str, Picture] = OrderedDict()
        self._wanted: list[str] = []
        self._condition = threading.Condition()
        self._ends = False
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def want(self, ids: Sequence[str]) -> dict[str, Picture]:
        """Those that are there; the others are on their way."""
        with self._condition:
            found = {id: self._held[id] for id in ids if id in self._held}
            for id in found:
                self._held.move_to_end(id)
            self._wanted = [id for id in ids if id not in found]
            self._condition.notify()
            return found

    def forget(self, ids: Sequence[str] | None = None) -> None:
        """These are others by now; all, where what the app may see is another."""
        with self._condition:
            for id in list(self._held) if ids is None else ids:
                self._held.pop(id, None)
            self._wanted = [] if ids is None else [id for id in self._wanted if id not in ids]

    def close(self) -> None:
        with self._condition:
            self._ends = True
            self._condition.notify()
        self._thread.join()

    def _read(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._ends or self._wanted)
                if self._ends:
                    return
                id = self._wanted[0]
            picture = self._picture(id)
            with self._condition:
                if self._wanted and self._wanted[0] == id:
                    self._wanted.pop(0)
                    self._held[id] = picture
                    while len(self._held) > HELD:
                        self._held.popitem(last=False)
            self._ready()

    def _picture(self, id: str) -> Picture:
        """None of it where it has none, or is of another kind: its name is shown all the same."""
        try:
            reply, descriptors = self._library.ask_with_descriptors(OpenPreview(id=id, pixels=SIDE * 8, crop=True))
            with descriptors, descriptors.open(reply.file_descriptor) as file:
                return squares(file.read())
        except (AlbumError, ValueError):
            return ()


class Picker:
    """What is shown, and what keys do. Times of the library are told from other threads, and wake it."""

    def __init__(self, library: PhotoLibrary, keys: int, screen: int) -> None:
        self.library = library
        self.chosen: dict[str, str] = {}
        """The names of what is selected, by id, in the order of selecting."""
        self.place = 0
        self.status = AuthorizationStatus.NOT_DETERMINED
        self.message: Sequence[str] = ()
        self._keys, self._screen = keys, screen
        self._pages = Pages(library)
        self._wakes, self._wake = os.pipe()
        self._changed = threading.Event()
        self._asking: threading.Thread | None = None
        os.set_blocking(self._wake, False)
        self.pictures = Pictures(library, self.wake)

    def wake(self) -> None:
        """From any thread."""
        try:
            os.write(self._wake, b"x")
        except BlockingIOError:
            pass

    def observe(self) -> None:
        """What happens in the library, and to the access. In a thread."""
        try:
            for changes in self.library.asset_changes():
                if changes:
                    self.pictures.forget([change.id for change in changes.changed if change.content_changed])
                    self._changed.set()
                    self.wake()
        except AlbumError as error:
            if not self.library.is_closed:
                self.message = (str(error),)
                self.wake()

    def fill(self) -> None:
        """Looks anew what there is."""
        self._changed.clear()
        before = self.status
        try:
            if not self.library.as_owner:
                self.status = self.library.authorization_status(AccessLevel.READ_WRITE)
            if before != self.status:
                self.pictures.forget()
            self._pages.forget()
            # What it may not see any more, it does not hand on either.
            seen = {asset.id for asset in self.library.fetch_assets(ids=list(self.chosen))} if self.chosen else ()
            self.chosen = {id: name for id, name in self.chosen.items() if id in seen}
            self.message = () if self._pages[0] else ("No photos.",)
        except NotAuthorized as refusal:
            self.pictures.forget()
            self.chosen.clear()
            self._pages = Pages(self.library)
            guide = refusal.guide
            self.message = (
                ("Nobody was asked yet whether this app may see photos.",)
                if self.status == AuthorizationStatus.NOT_DETERMINED
                else (guide.title, guide.message, *(f"{n}. {step}" for n, step in enumerate(guide.steps, 1))))
        except AlbumError as error:
            self.message = (str(error),)

    def run(self) -> None:
        self.fill()
        while True:
            self.draw()
            try:
                ready, _, _ = select.select([self._keys, self._wakes], [], [])
            except InterruptedError:
                continue
            if self._wakes in ready:
                os.read(self._wakes, 4096)
                if self._changed.is_set():
                    self.fill()
            if self._keys in ready:
                # Several may come at once.
                for pressed in re.findall(rb"\x1b\[.|.", os.read(self._keys, 256), re.DOTALL):
                    key = KEYS.get(pressed)
                    if key == "quit":
                        self.chosen.clear()
                    if key in ("done", "quit"):
                        return
                    if key is not None:
                        self.press(key)

    def press(self, key: str) -> None:
        steps = {"left": -1, "right": 1, "up": -self._columns, "down": self._columns}
        if key in steps and 0 <= self.place + steps[key] < self._pages.total:
            self.place += steps[key]
        elif key == "select" and not self.message and (asset := self.at(self.place)):
            if self.chosen.pop(asset.id, None) is None:
                self.chosen[asset.id] = asset.filename
        elif key == "ask" and self.status == AuthorizationStatus.NOT_DETERMINED:
            self._ask(lambda: self.library.request_authorization(wait_for_agent=True))
        elif key == "manage" and self.status == AuthorizationStatus.LIMITED:
            self._ask(self.library.present_limited_library_picker)

    def _ask(self, question: Callable[[], object]) -> None:
        """The owner takes as long as they like: it is waited for elsewhere, and what they decide is told."""
        def wait() -> None:
            try:
                question()
            except AlbumError as error:
                if self.library.is_closed:
                    return
                self.message = (str(error),)
            else:
                self._changed.set()
            self.wake()

        if self._asking is None or not self._asking.is_alive():
            self._asking = threading.Thread(target=wait)
            self._asking.start()

    def close(self) -> None:
        """What was asked is withdrawn by the library's end."""
        self.pictures.close()
        if self._asking is not None:
            self._asking.join()

    # Drawing

    def at(self, place: int) -> Asset | None:
        page = self._pages[place // PAGE]
        return page[place % PAGE] if place % PAGE < len(page) else None

    @property
    def _size(self) -> os.terminal_size:
        return os.get_terminal_size(self._screen)

    @property
    def _columns(self) -> int:
        return max(1, self._size.columns // WIDTH)

    @property
    def head(self) -> str:
        count = "" if self.message else f"{self._pages.total} photos"
        controls = {
            AuthorizationStatus.NOT_DETERMINED: "a: ask whether it may see photos",
            AuthorizationStatus.LIMITED: "that were selected for this app   m: select others",
        }
        words = [count, "" if self.library.as_owner else controls.get(self.status, "")]
        if self.chosen:
            words.append(f"{len(self.chosen)} selected")
        return "   ".join(word for word in words if word) or "Photos"

    def draw(self) -> None:
        width = self._size.columns
        lines = [f"\x1b[7m{fitted(self.head, width)}\x1b[0m"]
        try:
            lines += [fitted(said, width) for said in ("", *self.message)] if self.message else self._grid()
        except AlbumError as error:
            lines += ["", fitted(str(error), width)]
        shown = "\x1b[0m\x1b[K\r\n".join(lines[: self._size.lines])
        self._write(f"\x1b[H{shown}\x1b[0m\x1b[K\x1b[J")

    def _grid(self) -> list[str]:
        columns, rows = self._columns, max(1, (self._size.lines - 1) // HEIGHT)
        self.place = min(self.place, max(0, self._pages.total - 1))
        first = max(0, self.place // columns - rows // 2) * columns
        cells = [(place, asset) for place in range(first, first + columns * rows) if (asset := self.at(place))]
        pictures = self.pictures.want([asset.id for _, asset in cells])
        lines = []
        for row in range(0, len(cells), columns):
            these = cells[row : row + columns]
            for line in range(SIDE // 2):
                lines.append("".join(picture_line(pictures.get(asset.id, ()), line) for _, asset in these))
            names = ((("✓ " if asset.id in self.chosen else "") + asset.filename, place) for place, asset in these)
            lines.append("".join(
                f"\x1b[{7 if place == self.place else 0}m{fitted(name, SIDE)}\x1b[0m  " for name, place in names))
            lines.append("")
        return lines

    def _write(self, text: str) -> None:
        rest = text.encode()
        while rest:
            rest = rest[os.write(self._screen, rest) :]


def picture_line(picture: Picture, line: int) -> str:
    """Two rows of a picture in one line, in the 256 colours that terminals have."""
    upper = picture[2 * line] if 2 * line < len(picture) else ()
    lower = picture[2 * line + 1] if 2 * line + 1 < len(picture) else upper
    cells = [f"\x1b[38;5;{number(above)};48;5;{number(below)}m▀" for above, below in zip(upper, lower)][:SIDE]
    return "".join(cells) + "\x1b[0m" + " " * (WIDTH - len(cells))


def number(colour: Colour) -> int:
    red, green, blue = (round(value / 51) for value in colour)
    return 16 + 36 * red + 6 * green + blue


def show(library: PhotoLibrary) -> dict[str, str]:
    """On standard error, so that what is selected can go into a pipe."""
    keys, screen = sys.stdin.fileno(), sys.stderr.fileno()
    before = termios.tcgetattr(keys)
    picker = Picker(library, keys, screen)
    signal.signal(signal.SIGWINCH, lambda *_: picker.wake())
    observer = threading.Thread(target=picker.observe)
    observer.start()
    try:
        tty.setraw(keys)
        os.write(screen, b"\x1b[?1049h\x1b[?25l")
        picker.run()
    finally:
        os.write(screen, b"\x1b[?25h\x1b[?1049l")
        termios.tcsetattr(keys, termios.TCSADRAIN, before)
        library.hang_up()
        picker.close()
        observer.join()
    return picker.chosen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--socket", help="the daemon's socket")
    parser.add_argument("--owner", action="store_true", help="see the whole library, as an owner's program may")
    arguments = parser.parse_args()
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        parser.error("it needs a terminal")
    try:
        with PhotoLibrary(arguments.socket, as_owner=arguments.owner) as library:
            for id, name in show(library).items():
                print(id, "".join(one if one.isprintable() else "\ufffd" for one in name))
    except AlbumError as error:
        print(f"picker.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
