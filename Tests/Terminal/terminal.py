"""A pseudo-terminal with albumctl on it, and what is checked there.

Waits for what the terminal shows, never for time. What does not come within ten seconds fails.
"""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios

ALBUMCTL, APP = sys.argv[1:3]
checks = 0
# How a frame begins, and how what is faint does (ECMA-48).
FRAME, FAINT = b"\x1b[H\x1b[2J", b"\x1b[2m"
# Leaving is the last of a prompt's keys.
LEAVE = re.compile(rb"q  ?Leave")


def check(what, holds, details=""):
    global checks
    checks += 1
    print(("ok - " if holds else "not ok - ") + what, flush=True)
    if not holds:
        sys.exit(f"    {details}")


class Terminal:
    """A terminal with a command of albumctl on it, once that shows a text."""

    def __init__(self, *command, shows, columns=80, term=None):
        environment = os.environ if term is None else {**os.environ, "TERM": term}
        self.keyboard, self.line = pty.openpty()
        self.resize(24, columns)
        self.before = termios.tcgetattr(self.line)
        self.process = subprocess.Popen(
            [ALBUMCTL, *command], stdin=self.line, stdout=self.line, stderr=self.line, start_new_session=True,
            env=environment, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.shows(shows)

    def resize(self, rows, columns):
        fcntl.ioctl(self.line, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, keys):
        os.write(self.keyboard, keys)

    def reads(self, what, is_enough):
        """Reads what is shown until it is enough."""
        seen = b""
        while not is_enough(seen):
            ready, _, _ = select.select([self.keyboard], [], [], 60)
            if not ready:
                check(f"the terminal shows {what}", False, seen)
            seen += os.read(self.keyboard, 65536)
        return seen

    def shows(self, text):
        """Reads what is shown until the text comes."""
        return self.reads(repr(text), lambda seen: text.encode() in seen)

    def asks(self, text):
        """Reads what is shown until there is a prompt with that text, and its keys are taken: they are faint before."""
        def is_taken(seen):
            frame = seen.rpartition(FRAME)[2]
            return text.encode() in frame and LEAVE.search(frame) and FAINT not in frame
        return self.reads(f"the keys of {text!r}", is_taken)

    def is_raw(self):
        return not termios.tcgetattr(self.line)[3] & (termios.ICANON | termios.ECHO)

    def ends(self, what):
        """Waits for its end, which must be a good one."""
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
        check(f"{what} ends it with 0", self.process.returncode == 0, self.process.returncode)
        check("and leaves the terminal as it was", termios.tcgetattr(self.line) == self.before)


def agent(term=None):
    return Terminal("agent", shows="Waiting for apps", term=term)


def app(*arguments):
    """Starts the app."""
    return subprocess.Popen(
        [APP, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def outcome(process):
    return process.communicate(timeout=600)[0].strip(), process.returncode


def passed():
    print(f"{checks} passed")
