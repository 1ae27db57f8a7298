"""settings.py ALBUMCTL APP-ID: `ALBUMCTL settings APP-ID` on a pseudo-terminal, while others change the same.

Waits for what the terminal shows, never for time; what does not come within ten seconds fails.
"""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios

ALBUMCTL, APP = sys.argv[1:3]


def check(what, holds, details=""):
    print(("ok - " if holds else "not ok - ") + what, flush=True)
    if not holds:
        sys.exit(f"    {details}")


keyboard, line = pty.openpty()
fcntl.ioctl(line, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
before = termios.tcgetattr(line)


def start():
    return subprocess.Popen(
        [ALBUMCTL, "settings", APP], stdin=line, stdout=line, stderr=line, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))


page = start()


def shows(text):
    """Reads what is shown until the text comes."""
    seen = b""
    while text.encode() not in seen:
        ready, _, _ = select.select([keyboard], [], [], 10)
        if not ready:
            check(f"the page shows {text!r}", False, seen)
        seen += os.read(keyboard, 65536)


def status():
    shown = subprocess.run([ALBUMCTL, "settings", APP, "--json"], capture_output=True, text=True)
    return shown.stdout


shows("> addOnly")
check("the page shows the app", True)
os.write(keyboard, b"jd")
shows("a always")
os.write(keyboard, b"a")
shows("denied: the owner refused")
check("a key denies, and the page shows it", '"status":"denied"' in status(), status())
subprocess.run([ALBUMCTL, "allow", APP], check=True)
shows("authorized: granted")
check("what is changed elsewhere is shown at once", True)
os.write(keyboard, b"ry")
shows("readWrite  notDetermined")
check("a decision is forgotten", '"status":"authorized"' not in status(), status())
os.write(keyboard, b"sa")
shows("limited: granted for a selection, 0 selected")
os.write(keyboard, b"e")
shows("IMG_")
os.write(keyboard, b" ")
shows("Selected photos: 1")
os.write(keyboard, b"\r")
shows("limited: granted for a selection, 1 selected")
check("S22: what a limited app sees is picked from the page", True)
os.write(keyboard, b"e")
shows("IMG_")
os.write(keyboard, b"\x1b")
shows("Left as it was")
check("and stays when the picker is left", True)
os.write(keyboard, b"ry")
shows("readWrite  notDetermined")
os.write(keyboard, b"q")
check("q ends the page with 0", page.wait(10) == 0, page.returncode)
subprocess.run([ALBUMCTL, "limit", APP], check=True)
page = start()
shows("> addOnly")
os.write(keyboard, b"je")
shows("IMG_")
page.terminate()
check("SIGTERM ends it in the picker as well, with 0", page.wait(10) == 0, page.returncode)
subprocess.run([ALBUMCTL, "reset", APP], check=True, stdout=subprocess.DEVNULL)
check("the terminal is as it was", termios.tcgetattr(line) == before)

# The same page in another language.
os.environ["LANG"] = "zh_CN.UTF-8"
page = start()
shows("> 仅添加      未决定：尚未询问任何人")
os.write(keyboard, b"jsa")
shows("已授予，仅限选中的照片，已选 0 项")
os.write(keyboard, b"e")
shows("空格 选择")
os.write(keyboard, b"\x1b")
shows("没有更改。")
os.write(keyboard, b"ry")
shows("访问和添加  未决定")
os.write(keyboard, b"q")
check("in Chinese, with its picker", page.wait(10) == 0, page.returncode)
