"""Which browsers may open the page, told and ended from a terminal (S60, S61)."""

import contextlib
import json
import socket
import subprocess

from browsing import test, visit
from page import PATIENCE, Wire


def known(world):
    """What `albumctl page --sessions` tells."""
    return [json.loads(line) for line in world.ctl("page", "--sessions", "--json", check=True).stdout.splitlines()]


def with_agent(world, agent):
    """A session of a browser that calls itself so."""
    wire = Wire(world.link())
    wire.cookie = wire.send("GET", wire.enter, headers={"User-Agent": agent})[1]["set-cookie"].split(";")[0]
    return wire


@test
def a_terminal_lists_browsers_and_signs_them_out(world, browser):
    """S60, S61: as the page does, at once, on open pages as well; others stay."""
    stays = with_agent(world, "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    page = visit(world, browser)
    sessions = known(world)
    for session in sessions:
        assert stays.send("GET", "/sessions")[2].count(f'value="{session["name"]}"') == 1, session
    text = world.ctl("page", "--sessions", check=True).stdout
    assert "Firefox · Linux" in text and "Chrome · Linux" in text and text.startswith("NAME"), text
    [open_one] = [session for session in sessions if "HeadlessChrome" in session["browser"]
                  and session["began"] == max(other["began"] for other in sessions if "HeadlessChrome" in other["browser"])][:1]
    ended = world.ctl("page", "--end", open_one["name"], check=True).stdout
    assert ended == "Signed out: Chrome · Linux\n", ended
    page.get_by_text("You are not signed in here").wait_for()
    assert open_one["name"] not in [session["name"] for session in known(world)]
    assert stays.send("GET", "/sessions")[0] == 200
    again = world.ctl("page", "--end", open_one["name"])
    assert again.returncode == 1 and "There is no browser" in again.stderr, again
    chinese = subprocess.run([str(world.bin / "albumctl"), "page", "--sessions"], capture_output=True, text=True,
                             env=world.environment | {"LC_ALL": "zh_CN.UTF-8"})
    assert "登录时间" in chinese.stdout, chinese


@test
def nobody_else_is_told_of_browsers(world, _):
    """S61: neither another user nor what is no request; one that says nothing keeps nobody waiting."""
    with_agent(world, "x" * 4000)
    path = world.entry.with_name("entry.sessions")
    assert path.stat().st_mode & 0o777 == 0o600
    silent = [socket.socket(socket.AF_UNIX) for _ in range(3)]
    for stream in silent:
        stream.connect(str(path))
    for said in (b"", b"list", b"list" * 100 + b"\n", b"\xff\n", b"end \xff\n", b"end\n", b"LIST\n"):
        with socket.socket(socket.AF_UNIX) as stream:
            stream.settimeout(PATIENCE)
            stream.connect(str(path))
            stream.sendall(said)
            stream.shutdown(socket.SHUT_WR)
            # Of a line that is too long the rest is not read, which a peer may be told as a reset.
            told = b""
            with contextlib.suppress(ConnectionResetError):
                told = b"".join(iter(lambda: stream.recv(999), b""))
            assert told in (b"", b'{"sessions":[]}'), (said, told)
    assert known(world)
    text = world.ctl("page", "--sessions", check=True).stdout
    assert "x" * 200 in text and "x" * 201 not in text, text
    for directory in (world.directory, path.parent.parent, path.parent):
        directory.chmod(0o711)
    path.chmod(0o666)
    program = ("import os, socket, sys\nos.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534)\n"
               "s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.settimeout(300)\n"
               "try: s.send(b'list\\n'); print(s.recv(999))\nexcept ConnectionError: print('sent away')")
    reply = subprocess.run(["/usr/bin/python3", "-c", program, str(path)], capture_output=True, text=True)
    path.chmod(0o600)
    assert reply.stdout.strip() in ("b''", "sent away"), reply
