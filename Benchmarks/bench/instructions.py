"""Instructions an operation: what the processor does for it in albumd, and in the C programs, on every machine."""

import os
import signal
import socket
import subprocess
import time

from . import callgrind
from .albumd import GET_INFO, GET_STATUS, SUBSCRIBE, albumd, message
from .library import FETCH_ALL, OLD_SECONDS
from .photo import jpeg
from .processes import await_path, connect, process
from .session import PROGRAMS, Failure, Session

PHOTO = b"\xff\xd8\xff\xe0\0\x10JFIF"


class Counting:
    """What the operations share: an albumd under callgrind, and where the counts go."""

    def __init__(self, binaries, files):
        self.session = Session(binaries, os.devnull)
        self.out = (files or self.session.directory) / "callgrind"
        self.real = self.session.binaries
        self.session.binaries = callgrind.launcher(self.session, self.real / "albumd", self.out).parent
        self.counts = {}

    def add(self, operation, program, instructions):
        """Writes one figure down."""
        self.counts.setdefault(operation, {})[program] = round(instructions)

    def close(self):
        """Ends what was started."""
        self.session.close()


def tree(session, count, directories=10, photo=lambda _: PHOTO):
    """A library of `count` photos, named like a camera's."""
    root = session.path("photos", fast=True)
    for number in range(count):
        album = root / "2026" / f"{number % directories:03}"
        if number < directories:
            album.mkdir(parents=True)
        (album / f"IMG_{number:06}.jpg").write_bytes(photo(number))
    return root


class Lines:
    """A connection on which bytes are awaited."""

    def __init__(self, address):
        self.socket = connect(address)

    def ask(self, request, end):
        """Sends, and reads until a message is whole."""
        self.socket.sendall(request)
        return self.until(end)

    def until(self, *ends):
        """Reads until each of these bytes was seen."""
        received = b""
        while not all(end in received for end in ends):
            more = self.socket.recv(1 << 20)
            if not more:
                raise Failure("the connection was closed")
            received += more
        return received


def repeated(counting, pid, operation, program, count, once):
    """An operation done `count` times, one at a time, after some that are not counted."""
    for _ in range(50):
        once()

    def work():
        for _ in range(count):
            once()
    counting.add(operation, program, callgrind.during(pid, counting.out, work, f"{program}: {operation}") / count)


def calls_of_refd(counting, root, name):
    """A request with a check of the user, and a descriptor that is passed."""
    home = counting.session.path("refd")
    with callgrind.counted(counting.session, PROGRAMS / "refd", root, home / "socket", out=counting.out) as child:
        await_path(home / "socket", child, counting.session.directory / "counted.log")
        client = Lines(home / "socket")
        repeated(counting, child.pid, "GetStatus", "refd", 500, lambda: client.ask(b"STAT " + name + b"\n", b"\n"))

        def opened():
            client.socket.sendall(b"OPEN " + name + b"\n")
            _, descriptors, _, _ = socket.recv_fds(client.socket, 4096, 1)
            os.close(descriptors[0])
        repeated(counting, child.pid, "OpenAsset", "refd", 500, opened)
        subscriber = Lines(home / "socket")
        subscriber.ask(b"SUB\n", b"OK")
        appear(counting, child.pid, "refd", root, subscriber)
        burst(counting, child.pid, "refd", root, subscriber)


def calls_of_albumd(counting, root):
    """The same of albumd."""
    with albumd(counting.session, root) as daemon:
        client = Lines(daemon.socket)
        repeated(counting, daemon.pid, "GetStatus", "albumd", 1000, lambda: client.ask(message(GET_STATUS), b"\0"))
        with daemon.connect() as asking:
            fetch = {"method": "io.albumd.Library.FetchAssets", "parameters": {"limit": 1}}
            asset = asking.call(fetch)["assets"][0]["id"]
        request = message({"method": "io.albumd.Library.OpenAsset", "parameters": {"id": asset}})

        def opened():
            client.socket.sendall(request)
            received, descriptors, _, _ = socket.recv_fds(client.socket, 1 << 16, 1)
            for descriptor in descriptors:
                os.close(descriptor)
            if not descriptors or not received.endswith(b"\0"):
                raise Failure(f"OpenAsset: {received!r}")
        # Whoever is let know where photos were taken gets the file itself, and nothing has to be read for it.
        client.ask(message({"method": "io.albumd.Manager.ActAsOwner"}), b"\0")
        repeated(counting, daemon.pid, "OpenAsset", "albumd", 500, opened)
        subscriber = Lines(daemon.socket)
        subscriber.ask(message(SUBSCRIBE), b"\0")
        appear(counting, daemon.pid, "albumd", root, subscriber)
        burst(counting, daemon.pid, "albumd", root, subscriber)


def appear(counting, pid, program, root, subscriber):
    """A file that is renamed into place, until its subscriber has it."""
    staging = counting.session.path("staging", fast=True)
    numbers = iter(range(1000))

    def once():
        name = f"NEW_{next(numbers):06}.jpg"
        (staging / name).write_bytes(PHOTO)
        os.rename(staging / name, root / "2026" / "000" / name)
        subscriber.until(name.encode())
    repeated(counting, pid, "a file renamed into place", program, 200, once)


def burst(counting, pid, program, root, subscriber):
    """Many files that were all made before anybody looked: the process is stopped meanwhile."""
    count = 2000
    numbers = iter(range(2 * count))

    def work():
        made = [next(numbers) for _ in range(count)]
        os.kill(pid, signal.SIGSTOP)
        for number in made:
            (root / "2026" / f"{number % 10:03}" / f"BURST_{number:06}.jpg").write_bytes(PHOTO)
        os.kill(pid, signal.SIGCONT)
        subscriber.until(*[f"BURST_{number:06}".encode() for number in made])
    work()
    counting.add("a file of a burst", program,
                 callgrind.during(pid, counting.out, work, f"{program}: a file of a burst") / count)


def scans(counting):
    """A file of the first scan, and a row of a fetch: the difference between a small and a large library."""
    sizes = (1000, 9000)
    roots = [tree(counting.session, size, directories=size // 100) for size in sizes]
    time.sleep(OLD_SECONDS)
    scanned, found, told = [], [], []
    for root, size in zip(roots, sizes):
        found.append(callgrind.whole(counting.session, "/usr/bin/find", root, "-printf", "%p %i %s %T@ %C@ %y\n",
                                     out=counting.out))
        state = counting.session.path("state")
        with albumd(counting.session, root, state, ready=False) as daemon:
            # Each question costs as much as a file.
            daemon.await_ready(every=1)
            callgrind.control(daemon.pid, "--dump=albumd: a scan")
            scanned.append(sum(callgrind.total(path) for path in callgrind.files(daemon.pid, counting.out)))
            if size == sizes[-1]:
                client = Lines(daemon.socket)

                def fetch():
                    client.socket.sendall(message(FETCH_ALL))
                    rest = b""
                    while True:
                        rest += client.socket.recv(1 << 20)
                        *whole, rest = rest.split(b"\0")
                        if whole and b'"continues":true' not in whole[-1]:
                            return
                fetch()
                counting.add("a row of FetchAssets", "albumd", callgrind.during(daemon.pid, counting.out, fetch, "albumd: a row") / size)
        # By now all is in the index.
        told.append(callgrind.whole(counting.session, PROGRAMS / "rows", state / "library.sqlite", str(size), out=counting.out))
    files = sizes[1] - sizes[0]
    counting.add("a file of the first scan", "albumd", (scanned[1] - scanned[0]) / files)
    counting.add("a file of the first scan", "find", (found[1] - found[0]) / files)
    counting.add("a row of FetchAssets", "rows.c", (told[1] - told[0]) / files)


def command(counting, root):
    """`albumctl status`, from its start to its end, and a C program that asks the same."""
    session = counting.session
    session.binaries = counting.real
    with albumd(session, root) as daemon:
        counting.add("albumctl status", "albumd", callgrind.whole(
            session, counting.real / "albumctl", "status", "--socket", daemon.socket, out=counting.out))
        counting.add("albumctl status", "status.c", callgrind.whole(
            session, PROGRAMS / "status", daemon.socket, out=counting.out))


def assets(counting):
    """An asset that is read by `AlbumClient`, and by a C program from the same bytes: with all that a camera says of a photo,
    and where it was taken."""
    session = counting.session
    session.binaries = counting.real
    size = 10000
    root = tree(session, size, directories=100, photo=jpeg)
    with albumd(session, root) as daemon:
        with daemon.connect() as owner:
            owner.call({"method": "io.albumd.Manager.ActAsOwner"})
            while owner.call(GET_INFO)["undescribed"] > 0:
                time.sleep(0.1)
        said = {}
        for name, program in (("albumd", counting.real / "read-assets"), ("assets.c", PROGRAMS / "assets")):
            said[name], instructions = read(counting, program, daemon.socket)
            counting.add("an asset read by AlbumClient", name, instructions / size)
        if said["albumd"] != said["assets.c"] or said["albumd"].split()[0] != str(size):
            raise Failure(f"the same bytes are read as {said}")


def read(counting, program, address):
    """What a program says that reads all assets, and its instructions from the second time on."""
    command = [callgrind.launcher(counting.session, program, counting.out), address]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with process(command, counting.session.directory / "counted.log", **pipes) as child:
        def once():
            child.stdin.write(b"\n")
            child.stdin.flush()
            if not (line := child.stdout.readline()):
                raise Failure(f"{program}: {(counting.session.directory / 'counted.log').read_text(errors='replace')[-300:]}")
            return line.decode().strip()
        # What is done once for all comes first.
        said = once()
        return said, callgrind.during(child.pid, counting.out, once, f"{program.name}: all assets")


def measure(binaries, files=None, only=None):
    """Every figure: by operation and program. `files` is where callgrind's files are left, for callgrind_annotate."""
    counting = Counting(binaries, files)
    try:
        root = tree(counting.session, 100)
        if not only or "calls" in only:
            calls_of_albumd(counting, root)
            calls_of_refd(counting, root, b"2026/001/IMG_000001.jpg")
        if not only or "scan" in only:
            scans(counting)
        if not only or "command" in only:
            command(counting, root)
        if not only or "assets" in only:
            assets(counting)
        return counting.counts
    finally:
        counting.close()
