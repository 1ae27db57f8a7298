"""gone.py ALBUMCTL APP-ID DAEMON: `ALBUMCTL settings APP-ID` on a pseudo-terminal, while the daemon DAEMON (a process
id) stops, and is then killed: whatever the page waits for, signals and Ctrl-C end it.
"""

import atexit
import contextlib
import os
import signal
import subprocess
import sys

from terminal import ALBUMCTL, APP, Terminal, passed

DAEMON = int(sys.argv[3])


@atexit.register
def go_on():
    """Whatever fails: what stands still would never be waited for."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(DAEMON, signal.SIGCONT)


def start():
    subprocess.run([ALBUMCTL, "limit", APP], check=True)
    # Shown when all news are there, so that the page waits for keys alone.
    return Terminal("settings", APP, shows="What it did, the newest first", columns=100)


def pick():
    """The same, once its picker is open."""
    page = start()
    page.press(b"je")
    page.shows("IMG_")
    return page


page = start()
os.kill(DAEMON, signal.SIGSTOP)
page.press(b"jda")
page.shows("\r\n\u2026")
page.press(b"\x03")
page.ends("Ctrl-C while a decision waits for a daemon that has stopped")
go_on()

page = pick()
os.kill(DAEMON, signal.SIGSTOP)
page.press(b"/IMG_0007\r")
page.shows("found by")
page.process.terminate()
page.ends("SIGTERM in the picker, while photos are read from a daemon that has stopped,")
go_on()

page = pick()
os.kill(DAEMON, signal.SIGKILL)
page.press(b"\t\t")
page.shows("albumd")
page.press(b"\x03")
page.ends("Ctrl-C in the picker of a daemon that is no more")

passed()
