"""picker.py ALBUMCTL APP PHOTOS: pickers of `ALBUMCTL agent` on a pseudo-terminal of 80 by 24, while APP asks.

PHOTOS is the library's directory: IMG_0000.jpg to IMG_9999.jpg, of which the hundreds are in the album Trip.
"""

import json
import os
import subprocess
import sys
import tempfile

from terminal import ALBUMCTL, agent, app, check, outcome, passed

PHOTOS = sys.argv[3]
TAB, END = b"\t", b"\x1b[F"


def content(name):
    with open(name, "rb") as file:
        return file.read()


def original(name):
    return next(path for path in [f"{PHOTOS}/{name}", f"{PHOTOS}/Trip/{name}"] if os.path.exists(path))


def one(name):
    """The id of the asset of that name."""
    return json.loads(subprocess.run(
        [ALBUMCTL, "assets", "--owner", "--json", "--name", name], check=True, capture_output=True, text=True
    ).stdout)["id"]


check("S12: pick without an agent ends with 4", outcome(app("pick"))[1] == 4)

terminal = agent()
saved = tempfile.mkdtemp()
asking = app("pick", "--limit", "2", "-o", saved, "--json")
terminal.asks("Pick photos")
terminal.press(b"p")
screen = terminal.shows("1/10000")
check("S23: the whole library is there to pick from, within the limit", b"at most 2" in screen, screen)
terminal.press(END)
terminal.shows("10000/10000")
terminal.press(b"/img_7777\r")
terminal.shows("1/1\r")
terminal.press(b" ")
terminal.shows("Selected: 1")
terminal.press(b"/album:trip\r")
terminal.shows("1/100\r")
terminal.press(b" ")
terminal.shows("Selected: 2")
terminal.press(b"j ")
terminal.shows("At most 2 may be selected")
terminal.resize(9, 40)
screen = terminal.shows("At most 2 may be selected")
check("a small window shows the list all the same", b"> [ ] " in screen, screen)
terminal.resize(24, 80)
terminal.shows("Esc back")
terminal.press(b"\r")
text, status = outcome(asking)
items = [json.loads(line) for line in text.splitlines()]
check("S23: the app gets what was picked", status == 0 and "IMG_7777.jpg" in [i["filename"] for i in items], text)
check("S43: and these are the files", len(items) == 2 and all(
    content(item["file"]) == content(original(item["filename"])) for item in items), items)
check("S23: without an id, for it has no access", all(item.get("id") is None for item in items), items)
terminal.shows("picked 2")

asking = app("pick")
terminal.asks("Pick photos")
terminal.press(b"n")
check("a pick that is put off ends with 5", outcome(asking) == ("", 5))
terminal.shows("put off")

asking = app("request", "--level", "readWrite")
terminal.asks("Select photos")
terminal.press(b"s")
terminal.shows("1/10000")
terminal.press(TAB)
terminal.shows("[ ] Trip/")
terminal.press(b" ")
terminal.shows("photos: 0, albums: 1")
terminal.press(b"\r")
terminal.shows("for how long")
terminal.press(b"a")
check("S17: a whole album is selected", outcome(asking) == ("limited", 0))
terminal.shows("allowed for 1 selected")

asking = app("manage")
terminal.asks("Select photos")
terminal.press(b"s")
screen = terminal.shows("photos: 0, albums: 1")
terminal.press(b"/IMG_0001\r")
terminal.shows("1/1\r")
terminal.press(b" ")
terminal.shows("photos: 1, albums: 1")
terminal.press(TAB + TAB)
terminal.shows("Selected  1/2")
terminal.press(b"\r")
check("S20: manage tells what is newly selected", outcome(asking) == (one("IMG_0001"), 0))
terminal.shows("allowed for 2 selected")

asking = app("pick", "--request-access", "--json")
terminal.asks("Pick photos")
terminal.press(b"p")
terminal.shows("1/10000")
terminal.press(b"/IMG_000\r*\r")
terminal.asks("Allow Example to access these 8 photos?")
terminal.press(b"j")
terminal.shows("IMG_0009.jpg")
terminal.press(b"s")
terminal.shows("These photos  1/8")
terminal.press(b"/IMG_0005\r")
terminal.shows("1/1\r")
terminal.press(b" \r")
text, status = outcome(asking)
items = {item["filename"]: item for item in map(json.loads, text.splitlines())}
check("S23: what is allowed is accessible, with its id", status == 0 and items["IMG_0005.jpg"]["accessible"]
      and items["IMG_0005.jpg"]["id"] == one("IMG_0005"), text)
check("S23: what was visible before is as well, and the rest is not", sorted(
    name for name in items if items[name]["accessible"]) == ["IMG_0000.jpg", "IMG_0001.jpg", "IMG_0005.jpg"], text)
terminal.shows("allowed for 1 selected")

asking = app("pick", "--request-access")
terminal.asks("Pick photos")
terminal.press(b"p")
terminal.shows("1/10000")
terminal.press(b"/IMG_0009\r \r")
terminal.asks("access this photo?")
terminal.press(b"d")
check("S23: refused altogether ends with 5", outcome(asking) == ("IMG_0009.jpg (not accessible)", 5))
terminal.shows("not allowed")

asking = app("delete", one("IMG_0001"))
terminal.asks("Example wants to delete this photo.")
terminal.press(b"j")
terminal.shows("IMG_0001.jpg")
terminal.press(b"d")
check("S33: the owner sees what would be deleted, and refuses", outcome(asking)[1] == 5 and one("IMG_0001"))
terminal.shows("not allowed")
terminal.press(b"q")
terminal.ends("q")

script = subprocess.Popen(
    [ALBUMCTL, "agent", "--answer", "allow", "--assets", one("IMG_0042"), "--once"], stdout=subprocess.PIPE, text=True)
script.stdout.readline()
check("a script picks", outcome(app("pick")) == ("IMG_0042.jpg", 0))
check("and ends", script.wait(60) == 0)

passed()
