"""agent.py ALBUMCTL APP: `ALBUMCTL agent` on a pseudo-terminal, while APP asks for access.

Waits for what the terminal shows, never for time; what does not come within ten seconds fails.
"""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios

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


def request():
    return subprocess.Popen(
        [APP, "request", "--level", "readWrite"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def outcome(process):
    return process.communicate(timeout=10)[0].strip(), process.returncode


terminal = Terminal()
check("keys are taken one by one", terminal.is_raw())

asking = request()
terminal.shows("Not now")
terminal.press(b"x")  # means nothing
terminal.press(b"n")
terminal.shows("put off")
check("S11: n puts it off, and the app may ask again", outcome(asking) == ("notDetermined", 5))

asking = request()
screen = terminal.shows("Leave")
check("the prompt tells app, reason and level", all(
    text in screen for text in [b"Example", b"org.example.App", b"To test.", b"see your photos"]), screen)
asking.kill()
terminal.shows("no answer needed any more")
check("a prompt whose app has gone disappears with the reason", True)
asking.wait()

asking = request()
terminal.shows("Leave")
terminal.resize(8, 30)
screen = terminal.shows("q Leave")
check("a small terminal still shows every key", b"a Allow" in screen and b"n Not now" in screen, screen)
terminal.resize(24, 80)
terminal.shows("Leave")
terminal.press(b"a")
terminal.shows("for how long")
terminal.press(b"t")
terminal.shows("One week")
terminal.press(b"w")
terminal.shows("allowed until")
check("S10: allowed for a week", outcome(asking) == ("authorized", 0))
subprocess.run([ALBUMCTL, "reset", "--yes"], check=True, stdout=subprocess.DEVNULL)

asking = request()
terminal.shows("Leave")
terminal.press(b"\x03")
terminal.ends("Ctrl-C with a prompt open")
terminal.shows("\x1b[?1049l")
check("S11: an agent that leaves denies nothing", outcome(asking)[1] == 4)

for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
    terminal = Terminal()
    terminal.agent.send_signal(number)
    terminal.ends(number.name)

terminal = Terminal()
terminal.agent.send_signal(signal.SIGTSTP)
_, status = os.waitpid(terminal.agent.pid, os.WUNTRACED)
check("SIGTSTP stops it", os.WIFSTOPPED(status))
check("with the terminal as it was", termios.tcgetattr(terminal.line) == terminal.before)
terminal.agent.send_signal(signal.SIGCONT)
terminal.press(b"q")
terminal.ends("q, after it went on,")

print(f"{checks} passed")
