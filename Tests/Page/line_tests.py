"""What the page waits for: a daemon that refuses, and a file system that does not answer (S46, S62). Each test is called what it
shows."""

import contextlib
import ctypes
import json
import os
import socket
import stat
import threading
import time

from browsing import ask, go, reset, test, visit
from page import PATIENCE, wait, Wire
from place_tests import ICON

MNT_DETACH = 2


class Refusing:
    """A daemon that takes every connection, and refuses whatever is asked: when it was asked for what."""

    def __init__(self, path):
        self.asked = {}
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen(100)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self.refuse, args=[self.listener.accept()[0]], daemon=True).start()

    def refuse(self, connection):
        with connection, contextlib.suppress(OSError):
            call = b""
            while not call.endswith(b"\0"):
                part = connection.recv(65536)
                if not part:
                    return
                call += part
            method = json.loads(call.split(b"\0")[0])["method"]
            self.asked.setdefault(method, []).append(time.monotonic())
            # As a daemon that does not take the page for an owner's; of another, a hang-up is enough.
            if method.endswith(".Register"):
                connection.sendall(b'{"error":"io.albumd.Agent.NotAnOwner","parameters":{}}\0')

    def close(self):
        # A thread that waits in accept(2) is woken up by this, and not by a close.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


@test
def a_daemon_that_refuses_is_asked_again_after_pauses(world, _):
    """S46, S64: for prompts, and for news of the log; it may refuse for as long as the page is open."""
    place = world.directory / "refused"
    place.mkdir()
    daemon = Refusing(place / "io.albumd")
    page = world.start(world.bin / "albumweb", "--listen", "127.0.0.1:0", "--socket", place / "io.albumd", "--entry", place / "entry",
                       "--state", place / "state", log="refused.log")

    def link():
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as stream:
            stream.connect(str(place / "entry"))
            return stream.makefile().readline().strip()

    try:
        wire = Wire(wait(link, "the page"))
        wire.come_in()
        with socket.create_connection((wire.host, wire.port), timeout=PATIENCE) as stream:
            stream.sendall(f"GET /events?of=log HTTP/1.1\r\nHost: {wire.host}:{wire.port}\r\nCookie: {wire.cookie}\r\n\r\n".encode())
            assert b"200 OK" in stream.recv(4096)
            # From here on nobody looks anew, for whom it would be asked at once.
            methods = ("io.albumd.Agent.Register", "io.albumd.Manager.ListAccessLog")
            firsts = [wait(lambda: len(daemon.asked.get(method, [])), method) for method in methods]
            for method, first in zip(methods, firsts):
                times = wait(lambda: len(daemon.asked[method]) > first + 4 and daemon.asked[method][first:], method)
                # Ten milliseconds at the least, and each time twice as many.
                assert first < 40 and times[4] - times[0] >= 0.15, (method, first, times[:5])
    finally:
        world.stop(page)
        daemon.close()


@contextlib.contextmanager
def unanswering(place):
    """A file system of which nobody answers for its files, until it is gone; None where none may be mounted."""
    place.mkdir()
    system = ctypes.CDLL(None, use_errno=True)
    try:
        device = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        yield None
        return
    try:
        options = f"fd={device},rootmode={stat.S_IFDIR:o},user_id={os.getuid()},group_id={os.getgid()}"
        is_mounted = not system.mount(b"albumd-test", bytes(place), b"fuse", 0, options.encode())
        yield place if is_mounted else None
    finally:
        # Whoever waits for it is told that it has gone.
        os.close(device)
        if is_mounted:
            system.umount2(bytes(place), MNT_DETACH)


@test
def an_icon_that_does_not_come_holds_up_nobody(world, browser):
    """S62: on a file system that does not answer: there is a letter meanwhile, and the icon when it comes."""
    reset(world)
    icon = world.directory / "icons" / "maps.svg"
    with unanswering(world.directory / "unanswering") as place:
        if not place:
            print("      left out: nothing may be mounted here", flush=True)
            return
        icon.symlink_to(place / "maps.svg")
        page = visit(world, browser)
        ask(world, page, "maps").kill()
        assert page.locator(".sheet span.tile").inner_text() == "M"
        page.locator(".sheet").wait_for(state="detached")
        world.ctl("allow", "org.example.Maps", check=True)
        for path in ("/apps", f"/apps/org.example.Maps/{os.getuid()}", "/"):
            go(page, path)
            assert page.locator("span.tile", has_text="M").count(), path
        # However often somebody looks, one thread waits.
        tasks = lambda: len(os.listdir(f"/proc/{world.page.pid}/task"))
        before = tasks()
        for _ in range(20):
            page.request.get(page.home + "/apps")
        assert tasks() < before + 10, (before, tasks())
    icon.unlink()
    icon.write_text(ICON)
    go(page, "/apps")
    shown = lambda: page.reload() and page.locator(".apps li", has_text="org.example.Maps").locator("img.icon").count()
    try:
        wait(shown, "the icon", pause=0.2)
    finally:
        icon.unlink()
