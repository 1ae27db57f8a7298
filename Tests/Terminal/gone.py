"""gone.py ALBUMCTL APP-ID DAEMON: `ALBUMCTL settings APP-ID` on a pseudo-terminal, while the daemon DAEMON (a process
id) stops, and is then killed: whatever the page waits for, signals and Ctrl-C end it.

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

ALBUMCTL, APP, DAEMON = sys.argv[1], sys.argv[2], int(sys.argv[3])
# Shown when all news are there, so that the page waits for keys alone.
LOG = "What it did, the newest first"


def check(what, holds, details=""):
    print(("ok - " if holds else "not ok - ") + what, flush=True)
    if not holds:
        os.kill(DAEMON, signal.SIGCONT)
        page.kill()
        sys.exit(f"    {details}")


keyboard, line = pty.openpty()
fcntl.ioctl(line, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
before = termios.tcgetattr(line)


def start():
    subprocess.run([ALBUMCTL, "limit", APP], check=True)
    started = subprocess.Popen(
        [ALBUMCTL, "settings", APP], stdin=line, stdout=line, stderr=line, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
    return started


def shows(text):
    """Reads what is shown until the text comes."""
    seen = b""
    while text.encode() not in seen:
        ready, _, _ = select.select([keyboard], [], [], 10)
        if not ready:
            check(f"the page shows {text!r}", False, seen)
        seen += os.read(keyboard, 65536)


def ends():
    try:
        return page.wait(10) == 0 and termios.tcgetattr(line) == before
    except subprocess.TimeoutExpired:
        return False


page = start()
shows(LOG)
os.kill(DAEMON, signal.SIGSTOP)
os.write(keyboard, b"jda")
shows("\r\n\u2026")
os.write(keyboard, b"\x03")
check("Ctrl-C ends the page while a decision waits for a daemon that has stopped", ends())
os.kill(DAEMON, signal.SIGCONT)

page = start()
shows(LOG)
os.write(keyboard, b"je")
shows("IMG_")
os.kill(DAEMON, signal.SIGSTOP)
os.write(keyboard, b"/IMG_0007\r")
shows("found by")
page.terminate()
check("SIGTERM ends the picker while photos are read from a daemon that has stopped", ends())
os.kill(DAEMON, signal.SIGCONT)

page = start()
shows(LOG)
os.write(keyboard, b"je")
shows("IMG_")
os.kill(DAEMON, signal.SIGKILL)
os.write(keyboard, b"\t\t")
shows("albumd")
os.write(keyboard, b"\x03")
check("Ctrl-C ends the picker of a daemon that is no more", ends())
