"""Examples/python/gallery.py, in a terminal (tmux)."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import unittest
from collections.abc import Callable

import support
from daemon import LAKE, PHOTOS, Daemon, until

GALLERY = support.REPOSITORY / "Examples/python/gallery.py"


class Terminal:
    """A program in a terminal of its own, of 100 columns and 30 lines."""

    def __init__(self, *command: str) -> None:
        self._name = f"albumd-python-{os.getpid()}"
        package = f"PYTHONPATH={support.REPOSITORY / 'python'}"
        words = shlex.join(["env", package, "LANG=C.UTF-8", "LC_ALL=C.UTF-8", *command])
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", f"exec {words}")
        self.process = int(self._tmux("list-panes", "-F", "#{pane_pid}"))

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(["tmux", "-L", self._name, *words], capture_output=True, text=True, timeout=600)
        return done.stdout

    @property
    def text(self) -> str:
        return self._tmux("capture-pane", "-p")

    @property
    def colours(self) -> str:
        """The same, with its colours."""
        return self._tmux("capture-pane", "-p", "-e")

    def press(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def shows(self, condition: Callable[[str], bool]) -> None:
        try:
            until(lambda: condition(self.text))
        except AssertionError:
            raise AssertionError(f"not shown:\n{self.text}") from None

    @property
    def memory(self) -> int:
        """Resident, in kB."""
        with open(f"/proc/{self.process}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def close(self) -> None:
        self._tmux("kill-server")


class Gallery(unittest.TestCase):
    def show(self, daemon: Daemon, *words: str) -> Terminal:
        terminal = Terminal(sys.executable, str(GALLERY), "--socket", daemon.socket, *words)
        self.addCleanup(terminal.close)
        return terminal

    def test_it_fills_when_access_is_granted_and_is_empty_without(self) -> None:
        daemon = Daemon()
        for name in ("dawn.jpg", "lake.jpg"):
            os.utime(daemon.add(PHOTOS / "Holiday" / name, name), (1_200_000_000, 1_200_000_000))
        with daemon.scanned_at_start(2):
            terminal = self.show(daemon)
            terminal.shows(lambda text: "Waiting for the owner" in text and "lake" not in text)
            owner = subprocess.Popen(
                [str(support.BIN / "albumctl"), "agent", "--once", "--answer", "allow", "--socket", daemon.socket],
                stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
            terminal.shows(lambda text: "2 photos" in text and "lake.jpg" in text and "01/10/08" in text)
            self.assertEqual(owner.wait(20), 0)
            daemon.add(LAKE, "家人 \x1b[31m.jpg")
            terminal.shows(lambda text: "3 photos" in text and "家人 \ufffd[31m.jpg" in text)
            os.unlink(daemon.photos / "dawn.jpg")
            terminal.shows(lambda text: "2 photos" in text and "dawn" not in text)
            daemon.albumctl("deny", Daemon.APP)
            terminal.shows(lambda text: "lake" not in text and "Test" in text)
            daemon.albumctl("allow", Daemon.APP)
            terminal.shows(lambda text: "2 photos" in text and "lake.jpg" in text)
            daemon.kill()
            daemon.add(LAKE, "meanwhile.jpg")
            daemon.start()
            terminal.shows(lambda text: "3 photos" in text and "meanwhile.jpg" in text)
            terminal.press("q")
            until(lambda: not os.path.exists(f"/proc/{terminal.process}"))

    def test_its_memory_does_not_grow_with_the_library(self) -> None:
        daemon = Daemon(as_app=False)
        for number in range(30_000):
            path = daemon.photos / f"IMG_{number:06}.jpg"
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
            when = 1_200_000_000 + number * 600
            os.utime(path, (when, when))
        with daemon.scanned_at_start(30_000):
            terminal = self.show(daemon, "--owner")
            terminal.shows(lambda text: "30000 photos" in text and "IMG_029999.jpg" in text)
            for _ in range(10):
                terminal.press("NPage")
            terminal.press("PPage")
            terminal.shows(lambda text: "IMG_029999.jpg" not in text)
            before = terminal.memory
            terminal.press("End")
            terminal.shows(lambda text: "IMG_000000.jpg" in text)
            terminal.press("PPage", "PPage", "Up", "Home")
            terminal.shows(lambda text: "IMG_029999.jpg" in text)
            self.assertLess(terminal.memory - before, 4_000)


if __name__ == "__main__":
    unittest.main()
