"""settings.py ALBUMCTL APP-ID: `ALBUMCTL settings APP-ID` on a pseudo-terminal, while others change the same.
"""

import os
import subprocess

from terminal import ALBUMCTL, APP, Terminal, check, passed


def start(shows="> addOnly"):
    return Terminal("settings", APP, shows=shows, columns=100)


def status():
    return subprocess.run([ALBUMCTL, "settings", APP, "--json"], capture_output=True, text=True).stdout


page = start()
page.press(b"jd")
page.shows("a always")
page.press(b"a")
page.shows("denied: the owner refused")
check("a key denies, and the page shows it", '"status":"denied"' in status(), status())
subprocess.run([ALBUMCTL, "allow", APP], check=True)
page.shows("authorized: granted")
check("what is changed elsewhere is shown at once", '"status":"authorized"' in status(), status())
page.press(b"ry")
page.shows("readWrite  notDetermined")
check("a decision is forgotten", '"status":"authorized"' not in status(), status())
page.press(b"sa")
page.shows("limited: granted for a selection, 0 selected")
page.press(b"e")
page.shows("IMG_")
page.press(b" ")
page.shows("Selected photos: 1")
page.press(b"\r")
page.shows("limited: granted for a selection, 1 selected")
check("S22: what a limited app sees is picked from the page", '"selectionCount":1' in status(), status())
page.press(b"e")
page.shows("IMG_")
page.press(b"\x1b")
page.shows("Left as it was")
check("and stays when the picker is left", '"selectionCount":1' in status(), status())
page.press(b"ry")
page.shows("readWrite  notDetermined")
page.press(b"q")
page.ends("q")

subprocess.run([ALBUMCTL, "limit", APP], check=True)
page = start()
page.press(b"je")
page.shows("IMG_")
page.process.terminate()
page.ends("SIGTERM in the picker as well")
subprocess.run([ALBUMCTL, "reset", APP], check=True, stdout=subprocess.DEVNULL)

# The same page in another language.
os.environ["LANG"] = "zh_CN.UTF-8"
page = start("> 仅添加      未决定：尚未作出决定")
page.press(b"jsa")
page.shows("已授予，仅限选中的照片，已选 0 项")
page.press(b"e")
page.shows("空格 选择")
page.press(b"\x1b")
page.shows("没有更改。")
page.press(b"ry")
page.shows("访问和添加  未决定")
page.press(b"q")
page.ends("q, in Chinese,")

passed()
