#!/usr/bin/env python3
"""The photo library as a grid by day, the newest first, in a terminal.

    gallery.py          arrows, Page Up and Page Down, Home and End scroll; q ends it

It asks for access when it is first used, and fills when that is granted; what happens in the library shows at once, and
when access is taken away it is empty. It holds a few pages at a time, however large the library is.
"""

from __future__ import annotations

import argparse
import curses
import locale
import os
import select
import sys
import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from albumd import (
    AccessLevel, AlbumError, Asset, AuthorizationStatus, Changes, ConnectionLost, Guide, MediaType, NotAuthorized,
    NotRunning, PhotoLibrary, SortKey,
)
from albumd.interfaces.library import FetchAssets

PAGE = 240
HELD_PAGES = 4
HELD_CURSORS = 256
CELL = 24
SIGNS = {MediaType.IMAGE: "▣", MediaType.VIDEO: "▶", MediaType.LIVE_PHOTO: "◉"}


@dataclass(frozen=True)
class Row:
    """A line of the grid: a day, or photos of one."""

    day: str
    assets: Sequence[Asset] = ()


class Pages:
    """The library as pages, of which a few are held. Page n begins where page n - 1 ended; of where that was, only so
    many places are held, and what lies between is walked through."""

    def __init__(self, library: PhotoLibrary) -> None:
        self._library = library
        self._pages: OrderedDict[int, Sequence[Asset]] = OrderedDict()
        self._cursors: dict[int, str] = {}
        self._stride = 1
        self.last: int | None = None
        """The last page, once it is known."""
        self.total = 0

    def __getitem__(self, number: int) -> Sequence[Asset]:
        if number in self._pages:
            self._pages.move_to_end(number)
            return self._pages[number]
        begin = max((known for known in self._cursors if known <= number), default=0)
        cursor = self._cursors.get(begin)
        for page in range(begin, number + 1):
            if page > begin and cursor is None:
                return ()
            reply = self._library.ask(
                FetchAssets(sort=SortKey.CREATED, descending=True, limit=PAGE, cursor=cursor))
            self.total = reply.total
            cursor = reply.cursor
            if cursor is None:
                self.last = page
            else:
                self._remember(page + 1, cursor)
        self._pages[number] = reply.assets
        while len(self._pages) > HELD_PAGES:
            self._pages.popitem(last=False)
        return reply.assets

    def _remember(self, page: int, cursor: str) -> None:
        if page % self._stride == 0:
            self._cursors[page] = cursor
        if len(self._cursors) > HELD_CURSORS:
            self._stride *= 2
            self._cursors = {page: cursor for page, cursor in self._cursors.items() if page % self._stride == 0}

    def forget(self, after: int = 0) -> None:
        """Something has changed: what was read is read anew. Where pages up to `after` begin is as good as it was."""
        self._pages.clear()
        self._cursors = {page: cursor for page, cursor in self._cursors.items() if page <= after}
        self.last = None

    def rows(self, number: int, columns: int) -> list[Row]:
        """A page as lines."""
        rows: list[Row] = []
        day = ""
        assets = self[number]
        for index, asset in enumerate(assets):
            its_day = asset.created.astimezone().strftime("%A, %x")
            if its_day != day:
                day = its_day
                rows.append(Row(day))
            if rows[-1].assets and len(rows[-1].assets) < columns:
                rows[-1] = Row(day, (*rows[-1].assets, asset))
            else:
                rows.append(Row(day, (asset,)))
        return rows


class Gallery:
    """What is shown. It is told what happened, and knows where it is."""

    def __init__(self, library: PhotoLibrary) -> None:
        self.library = library
        self.pages = Pages(library)
        self.page = 0
        self.row = 0
        self.message: Sequence[str] = ()
        """What is shown instead of photos."""

    def fill(self) -> None:
        """Shows what there is; a refusal is shown, too."""
        try:
            self.pages.forget(self.page)
            if not self.pages[self.page] and self.page:
                self.go_home()
            self.message = () if self.pages[self.page] else ("No photos.",)
        except NotAuthorized as refusal:
            self.empty(refusal.guide, refusal.status)
        except (ConnectionLost, NotRunning):
            self.message = ("albumd is away. What is in the library shows when it is back.",)

    def empty(self, guide: Guide | None, status: AuthorizationStatus) -> None:
        """Without access there is nothing, and nothing is held."""
        self.pages = Pages(self.library)
        self.page = self.row = 0
        if status == AuthorizationStatus.NOT_DETERMINED or guide is None:
            self.message = ("Waiting for the owner: albumctl agent",)
        else:
            self.message = (guide.title, guide.message, *(f"{n}. {step}" for n, step in enumerate(guide.steps, 1)))

    def changed(self, changes: Changes[Asset]) -> None:
        """Something happened."""
        status = changes.authorization_status
        if status is not None and status not in (AuthorizationStatus.AUTHORIZED, AuthorizationStatus.LIMITED):
            self.empty(None, status)
        self.fill()

    # Moving

    def go_home(self) -> None:
        self.page = self.row = 0

    def go_end(self, columns: int, height: int) -> None:
        while self.pages[self.page] and self.page != self.pages.last:
            self.page += 1
        self.row = 0
        # The day at the top has a line, too.
        self.scroll(len(self.pages.rows(self.page, columns)) - height + 1, columns)

    def scroll(self, lines: int, columns: int) -> None:
        """Down, or up where that is negative; not beyond either end."""
        self.row += lines
        while self.row < 0 and self.page:
            self.page -= 1
            self.row += len(self.pages.rows(self.page, columns))
        self.row = max(0, self.row)
        while self.row >= (count := len(self.pages.rows(self.page, columns))):
            if not self.pages[self.page + 1]:
                self.row = max(0, count - 1)
                break
            self.page += 1
            self.row -= count

    def visible(self, columns: int, height: int) -> list[Row]:
        """The lines from here on."""
        rows = self.pages.rows(self.page, columns)
        self.row = min(self.row, max(0, len(rows) - 1))
        shown = rows[self.row : self.row + height]
        number = self.page
        while len(shown) < height and (self.pages.last is None or number < self.pages.last):
            number += 1
            more = self.pages.rows(number, columns)
            if not more:
                break
            if shown and shown[-1].day == more[0].day:
                more = more[1:]
            shown += more[: height - len(shown)]
        if shown and shown[0].assets:
            # What is at the top says of which day it is.
            shown = [Row(shown[0].day), *shown][:height]
        return shown


def fitted(text: str, width: int) -> str:
    """As much of a text as so many columns hold, and spaces after it. Names come from anywhere: nothing of one is for
    the terminal itself."""
    shown, used = [], 0
    for character in text:
        if not character.isprintable():
            character = "\ufffd"
        wide = 0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if used + wide > width:
            break
        shown.append(character)
        used += wide
    return "".join(shown) + " " * (width - used)


class Screen:
    """The terminal, and what comes from other threads."""

    def __init__(self, window: curses.window, gallery: Gallery) -> None:
        self.window = window
        self.gallery = gallery
        self._told: list[Changes[Asset] | Exception] = []
        self._lock = threading.Lock()
        self._wakes, self._wake = os.pipe()

    def tell(self, what: Changes[Asset] | Exception) -> None:
        """From any thread. What is not taken yet is told as one, so that it does not pile up."""
        with self._lock:
            if len(self._told) > 8:
                self._told[1:] = [Changes("", has_incremental_changes=False)]
            self._told.append(what)
        os.write(self._wake, b"x")

    @property
    def size(self) -> tuple[int, int]:
        height, width = self.window.getmaxyx()
        return max(1, width // CELL), max(1, height - 2)

    def run(self) -> None:
        self.window.nodelay(True)
        self.window.keypad(True)
        self.gallery.fill()
        while True:
            self.draw()
            try:
                ready, _, _ = select.select([sys.stdin, self._wakes], [], [])
            except InterruptedError:
                ready = []
            if self._wakes in ready:
                os.read(self._wakes, 4096)
                with self._lock:
                    told, self._told = self._told, []
                for what in told:
                    if isinstance(what, Exception):
                        self.gallery.message = (str(what),)
                    else:
                        self.gallery.changed(what)
            while (key := self.window.getch()) != -1:
                if key in (ord("q"), 27):
                    return
                self.press(key)

    def press(self, key: int) -> None:
        columns, height = self.size
        gallery = self.gallery
        lines = {
            curses.KEY_DOWN: 1, curses.KEY_UP: -1, curses.KEY_NPAGE: height, ord(" "): height,
            curses.KEY_PPAGE: -height,
        }
        try:
            if key == curses.KEY_HOME:
                gallery.go_home()
            elif key == curses.KEY_END:
                gallery.go_end(columns, height)
            elif key in lines and not gallery.message:
                gallery.scroll(lines[key], columns)
        except AlbumError:
            gallery.fill()

    def draw(self) -> None:
        columns, height = self.size
        width = self.window.getmaxyx()[1]
        gallery = self.gallery
        try:
            rows = [] if gallery.message else gallery.visible(columns, height)
        except AlbumError:
            gallery.fill()
            rows = []
        self.window.erase()
        title = "Photos" if gallery.message else f"{gallery.pages.total} photos"
        self.put(0, fitted(title, width - 1), curses.A_REVERSE)
        for line, said in enumerate(gallery.message[:height], 2):
            self.put(line, fitted(said, width - 1))
        for line, row in enumerate(rows, 1):
            if not row.assets:
                self.put(line, fitted(row.day, width - 1), curses.A_BOLD)
            else:
                cells = (f"{SIGNS.get(asset.media_type, '?')} {asset.filename}" for asset in row.assets)
                self.put(line, "".join(fitted(cell, CELL - 1) + " " for cell in cells)[: width - 1])
        self.window.refresh()

    def put(self, line: int, text: str, look: int = curses.A_NORMAL) -> None:
        try:
            self.window.addstr(line, 0, text, look)
        except curses.error:
            # The window has become smaller meanwhile.
            pass


def observe(library: PhotoLibrary, screen: Screen) -> None:
    try:
        for changes in library.asset_changes():
            if changes:
                screen.tell(changes)
    except AlbumError as error:
        screen.tell(error)


def ask(library: PhotoLibrary, screen: Screen) -> None:
    """The first time, the owner is asked; what the answer changes is told to who observes."""
    if library.as_owner:
        return
    try:
        if library.authorization_status(AccessLevel.READ_WRITE) == AuthorizationStatus.NOT_DETERMINED:
            answer = library.request_authorization(wait_for_agent=True)
            if answer.status == AuthorizationStatus.NOT_DETERMINED:
                screen.tell(AlbumError("The owner put it off. Start this again to ask another time."))
            elif answer.guide is not None:
                # Who had no access is told of none that it lost: shown here.
                screen.tell(Changes("", has_incremental_changes=False))
    except AlbumError as error:
        if not library.is_closed:
            screen.tell(error)


def show(window: curses.window, library: PhotoLibrary) -> None:
    curses.curs_set(0)
    screen = Screen(window, Gallery(library))
    threads = [threading.Thread(target=work, args=(library, screen)) for work in (observe, ask)]
    # They hear of the library's end, by which what was asked is withdrawn.
    for thread in threads:
        thread.start()
    try:
        screen.run()
    finally:
        library.hang_up()
        for thread in threads:
            thread.join()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--socket", help="the daemon's socket")
    parser.add_argument("--owner", action="store_true", help="see the whole library, as an owner's program may")
    arguments = parser.parse_args()
    locale.setlocale(locale.LC_ALL, "")
    try:
        with PhotoLibrary(arguments.socket, as_owner=arguments.owner) as library:
            library.info()
            curses.wrapper(show, library)
    except AlbumError as error:
        print(f"gallery.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
