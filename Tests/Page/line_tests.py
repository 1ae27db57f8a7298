"""What the page waits for: a daemon that refuses (S46, S64). Each test is called what it
shows."""

import contextlib
import json
import socket
import threading
import time

from browsing import test
from page import PATIENCE, wait, Wire


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
