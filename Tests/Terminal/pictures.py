"""pictures.py ALBUMCTL APP DAEMON: pickers of `ALBUMCTL agent` on terminals that show pictures, and on others, while
APP asks; then that of `ALBUMCTL settings org.example.App`. DAEMON is the process id of albumd.

The library has picture-red.jpg, picture-green.jpg and picture-blue.jpg, the newest first, 640 by 480 pixels each.
"""

import atexit
import base64
import collections
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

from terminal import ALBUMCTL, FRAME, Terminal, agent, app, check, outcome, passed

DAEMON = int(sys.argv[3])
KITTY, QUESTION = b"\x1b_G", b"\x1b[c"
COMMAND = re.compile(rb"\x1b_G([^;\x1b]*)(?:;([^\x1b]*))?\x1b\\")
SIXEL = re.compile(rb"\x1bP[0-9;]*q(.*?)\x1b\\", re.DOTALL)
# Ten by twenty pixels for a letter; a VT420 with sixels, or one without.
CELL, SIXELS, NO_SIXELS = b"\x1b[6;20;10t", b"\x1b[?64;4;22c", b"\x1b[?64;22c"
THREE = b"/picture-\r"
# The last of a prompt's keys, which is faint until it is taken.
TAKEN = re.compile(rb"(?<!\x1b\[2m)  q  Leave")


def commands(seen):
    """kitty's: keys, and what stands behind them."""
    return [(dict(pair.split(b"=") for pair in keys.split(b",")), data) for keys, data in COMMAND.findall(seen)]


def placed(seen):
    return any(keys.get(b"a") == b"p" for keys, _ in commands(seen))


def kitty_picture(seen):
    """The size of what was sent, and the colour of its middle."""
    parts = commands(seen)
    first = next(index for index, (keys, _) in enumerate(parts) if keys.get(b"a") == b"t")
    pixels = base64.b64decode(b"".join(data for keys, data in parts[first:] if b"a" not in keys or keys[b"a"] == b"t"))
    width, height = int(parts[first][0][b"s"]), int(parts[first][0][b"v"])
    middle = (height // 2 * width + width // 2) * 3
    return (width, height, len(pixels)), named(pixels[middle:middle + 3], 255)


def halves(seen):
    """The colours of the middles of what was sent last, left and right."""
    parts = commands(seen)
    first = max(index for index, (keys, _) in enumerate(parts) if keys.get(b"a") == b"t")
    pixels = base64.b64decode(b"".join(data for keys, data in parts[first:] if b"a" not in keys or keys[b"a"] == b"t"))
    width, height = int(parts[first][0][b"s"]), int(parts[first][0][b"v"])
    places = [(height // 2 * width + width * quarter // 4) * 3 for quarter in (1, 3)]
    return tuple(named(pixels[place:place + 3], 255) for place in places)


def sixel_picture(seen):
    """The size of what was sent, and the colour that most of it has."""
    data = SIXEL.findall(seen)[-1]
    size = tuple(map(int, re.match(rb'"1;1;(\d+);(\d+)', data).groups()))
    colours = {int(n): rgb for n, *rgb in re.findall(rb"#(\d+);2;(\d+);(\d+);(\d+)", data)}
    data = re.sub(rb"#\d+;2;\d+;\d+;\d+|^\"[\d;]+", b"", data)
    counts = collections.Counter()
    for number, line in re.findall(rb"#(\d+)([^#\-]*)", data):
        for times, sixel in re.findall(rb"(?:!(\d+))?([?-~])", line):
            counts[int(number)] += int(times or 1) * bin(sixel[0] - 63).count("1")
    return size, named(list(map(int, colours[counts.most_common(1)[0][0]])), 100)


def named(rgb, most):
    """The one that is there, where the others are not."""
    strong = [name for name, value in zip(["red", "green", "blue"], rgb) if value > most * 0.4]
    return strong[0] if len(strong) == 1 else tuple(rgb)


def picker(term):
    """An agent that is asked to pick, with its picker open and the three photos in it."""
    terminal = agent(term)
    asking = app("pick")
    terminal.asks("Pick photos")
    terminal.press(b"p")
    return terminal, asking


def ends(terminal, asking):
    terminal.press(b" \r")
    result = outcome(asking)
    terminal.shows("picked 1")
    terminal.press(b"q")
    terminal.ends("q")
    return result


def frame(seen):
    """The last frame up to its end, if it is there and shows the first of three."""
    last = seen.rpartition(FRAME)[2].partition(b"Esc back")
    return last[0] if last[1] and b"1/3\r" in last[0] else None


def last_frame(terminal):
    return frame(terminal.reads("the first of three", frame))


# A terminal that is never asked.
terminal, asking = picker("dumb")
terminal.press(THREE)
seen = terminal.reads("the first of three", frame)
check("a terminal that is dumb is not asked", QUESTION not in seen and KITTY not in seen, seen)
plain = frame(seen)
ends(terminal, asking)

# One without pictures, that says much about it: letters that would be keys.
terminal, asking = picker("xterm")
terminal.shows(QUESTION.decode())
terminal.press(b"\x1b_Gi=31;EINVAL:" + b"d")
terminal.press(b"nqdqn\x1b\\" + NO_SIXELS)
terminal.press(THREE)
check("on a terminal without pictures the picker is as on one that was not asked", last_frame(terminal) == plain)
terminal.press(b"j")
seen = terminal.shows("2/3")
check("and is sent none", KITTY not in seen and b"\x1bP" not in seen, seen)
picked = ends(terminal, asking)
check("what it answered was no key", picked == ("picture-green.jpg", 0), picked)

# kitty.
terminal, asking = picker("xterm-kitty")
terminal.shows(QUESTION.decode())
terminal.press(b"\x1b_Gi=31;OK\x1b\\" + CELL + SIXELS + THREE)
seen = terminal.reads("the first's picture", lambda seen: b"1/3" in seen and placed(seen.rpartition(b"1/3")[2]))
size, colour = kitty_picture(seen.rpartition(b"1/3")[2])
check("S54: kitty is sent the picture of the photo that the cursor is on", colour == "red", (size, colour))
check("all of it, to measure", size == (400, 300, 400 * 300 * 3), size)
terminal.press(b"j")
seen = terminal.reads("the picture of the second", placed)
check("where the cursor goes, the picture goes", kitty_picture(seen)[1] == "green", kitty_picture(seen))
removed = [index for index, (keys, _) in enumerate(commands(seen)) if keys.get(b"a") == b"d"]
check("and the one before leaves first", removed == [0], removed)
check("nothing is erased for it", b"\x1b[2J" not in seen, seen[:2000])
terminal.press(b" ")
seen = terminal.shows("Selected: 1")
check("what else is changed leaves it", KITTY not in seen and b"\x1b[2J" not in seen, seen)
terminal.press(b" k")
seen = terminal.reads("the first's again", lambda seen: b"1/3" in seen and placed(seen.rpartition(b"1/3")[2]))
# A daemon that does not answer now.
atexit.register(os.kill, DAEMON, signal.SIGCONT)
os.kill(DAEMON, signal.SIGSTOP)
terminal.press(b"j")
terminal.shows("2/3")
terminal.press(b"j")
seen = terminal.shows("3/3")
check("S54: keys do not wait for a picture", not any(keys.get(b"a") == b"t" for keys, _ in commands(seen)), seen)
os.kill(DAEMON, signal.SIGCONT)
seen = terminal.reads("the picture of the third", placed)
check("S54: one that comes late is not shown for another photo", kitty_picture(seen)[1] == "blue", kitty_picture(seen))
terminal.press(b" \r")
check("the picked photo is the pictured one", outcome(asking) == ("picture-blue.jpg", 0))
seen = terminal.shows("picked 1")
check("and the picture leaves with the picker", any(keys.get(b"a") == b"d" for keys, _ in commands(seen)), seen)
terminal.press(b"q")
terminal.ends("q")

# Sixels.
terminal, asking = picker("xterm")
terminal.shows(QUESTION.decode())
terminal.press(CELL + b"\x1b[?1;0;256S" + SIXELS + THREE)
seen = terminal.reads("sixels", lambda seen: b"1/3" in seen and SIXEL.search(seen.rpartition(b"1/3")[2]))
check("S54: so is a terminal with sixels", sixel_picture(seen) == ((400, 300), "red"), sixel_picture(seen))
check("and nothing of kitty's but the question", not commands(seen), seen[:2000])
terminal.press(b"j")
seen = terminal.reads("the second's", lambda seen: b"2/3" in seen and SIXEL.search(seen.rpartition(b"2/3")[2]))
check("where the cursor goes, they go", sixel_picture(seen)[1] == "green", sixel_picture(seen))
# A window that is narrower has the picture beneath the list.
terminal.resize(30, 60)
seen = terminal.reads("sixels beneath the list", SIXEL.search)
place = seen[:SIXEL.search(seen).start()].rpartition(b"\x1b[")[2]
check("on a narrow screen they are beneath the list", place.endswith(b";1H") and int(place.split(b";")[0]) > 10, place)
picked = ends(terminal, asking)
check("the picked photo is the pictured one", picked == ("picture-green.jpg", 0), picked)

# The settings page has a picker as well.
subprocess.run([ALBUMCTL, "limit", "org.example.App"], check=True)
page = Terminal("settings", "org.example.App", shows="> addOnly", columns=100, term="xterm-kitty")
page.press(b"je")
page.shows(QUESTION.decode())
page.press(b"\x1b_Gi=31;OK\x1b\\" + CELL + SIXELS + THREE)
seen = page.reads("a picture on the settings page", lambda seen: b"1/3" in seen and placed(seen.rpartition(b"1/3")[2]))
check("S54: so does the picker of the settings page", kitty_picture(seen.rpartition(b"1/3")[2])[1] == "red")
page.press(b" \r")
seen = page.shows("granted for a selection, 1 selected")
check("where the picture leaves with the picker", any(keys.get(b"a") == b"d" for keys, _ in commands(seen)), seen)
page.press(b"q")
page.ends("q")

# What would be overwritten, and by what.
subprocess.run([ALBUMCTL, "allow", "org.example.App"], check=True)
listed = subprocess.run([ALBUMCTL, "assets", "--owner", "--name", "picture-red", "--json"], check=True, capture_output=True, text=True)
red = json.loads(listed.stdout.splitlines()[0])["id"]
with tempfile.TemporaryDirectory() as directory:
    other = os.path.join(directory, "other.jpg")
    subprocess.run(["convert", "-size", "640x480", "xc:blue", other], check=True)
    terminal = agent("xterm-kitty")
    asking = app("replace", red, other)
    terminal.shows(QUESTION.decode())
    terminal.press(b"\x1b_Gi=31;OK\x1b\\" + CELL + SIXELS)
    seen = terminal.reads("both pictures, and keys that are taken", lambda seen: placed(seen) and TAKEN.search(seen))
    check("S33, S60: what would be overwritten is shown beside what would take its place", halves(seen) == ("red", "blue"), halves(seen))
    check("and which is which is said", b"Left: as it is now." in seen, seen[:3000])
    terminal.press(b"a")
    check("what was shown is written", outcome(asking)[1] == 0)
    seen = terminal.shows("overwr")
    check("and the pictures leave with the question", any(keys.get(b"a") == b"d" for keys, _ in commands(seen)), seen)
    terminal.press(b"q")
    terminal.ends("q")
subprocess.run([ALBUMCTL, "reset", "org.example.App"], check=True, stdout=subprocess.DEVNULL)

passed()
