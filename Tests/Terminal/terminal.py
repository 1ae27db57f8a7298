"""A pseudo-terminal with an agent on it, and what is checked there.

Waits for what the terminal shows, never for time, with one exception: a prompt takes keys only when it has stood
for a moment. What does not come within ten seconds fails.
"""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time

ALBUMCTL, APP = sys.argv[1:3]
checks = 0


def check(what, holds, details=""):
    global checks
    checks += 1
    print(("ok - " if holds else "not ok - ") + what, flush=True)
    if not holds:
        sys.exit(f"    {details}")


class Terminal:
    """A terminal with an agent on it."""

    def __init__(self):
        self.keyboard, self.line = pty.openpty()
        self.resize(24, 80)
        self.before = termios.tcgetattr(self.line)
        self.agent = subprocess.Popen(
            [ALBUMCTL, "agent"], stdin=self.line, stdout=self.line, stderr=self.line, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.shows("Waiting for apps")

    def resize(self, rows, columns):
        fcntl.ioctl(self.line, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def asks(self, text):
        """Reads what is shown until the text of a prompt comes, and lets it stand until it takes keys (750 ms)."""
        seen = self.shows(text)
        time.sleep(0.8)
        return seen

    def press(self, keys):
        os.write(self.keyboard, keys)

    def shows(self, text):
        """Reads what is shown until the text comes."""
        seen = b""
        while text.encode() not in seen:
            ready, _, _ = select.select([self.keyboard], [], [], 10)
            if not ready:
                check(f"the terminal shows {text!r}", False, seen)
            seen += os.read(self.keyboard, 65536)
        return seen

    def is_raw(self):
        return not termios.tcgetattr(self.line)[3] & (termios.ICANON | termios.ECHO)

    def ends(self, what):
        check(f"{what} ends the agent with 0", self.agent.wait(10) == 0, self.agent.returncode)
        check("and leaves the terminal as it was", termios.tcgetattr(self.line) == self.before)


def app(*arguments):
    """Starts the app."""
    return subprocess.Popen(
        [APP, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def outcome(process):
    return process.communicate(timeout=10)[0].strip(), process.returncode


def passed():
    print(f"{checks} passed")
