"""What permissions cost, and what they give away by the time that they take: S16, log."""

import contextlib
import json
import subprocess

from .albumd import GET_STATUS, albumd, message
from .session import PROGRAMS

LIBRARY = "io.albumd.Library."
ALBUMS = 20
PHOTOS_PER_ALBUM = 50
OPENS_PER_SECOND = 1000


def albums_of_photos(session):
    """A library in which most is hidden from an app that may see one album."""
    root = session.path("photos")
    for album in range(ALBUMS):
        directory = root / f"album {album}"
        directory.mkdir()
        for number in range(PHOTOS_PER_ALBUM):
            (directory / f"IMG_{number}.jpg").write_bytes(b"\xff\xd8\xff\xe0\0\x10JFIF" + bytes([album, number]))
    return root


def albumctl(session, daemon, *arguments):
    """The lines of JSON that a command prints."""
    command = [session.binaries / "albumctl", *arguments, "--json", "--socket", daemon.socket]
    lines = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True, timeout=60).stdout
    return [json.loads(line) for line in lines.splitlines()]


def made_up(identifier):
    """An id that nothing has: the last digit is another one, which no cipher of 64 bits forgives."""
    return identifier[:-1] + ("0" if identifier[-1] != "0" else "1")


def calls(asset, album):
    """Every method that names what a limited app may not see; each is answered as if it did not exist."""
    yield "OpenAsset", {"id": asset}
    yield "FetchAssets by id", {"ids": [asset]}
    yield "FetchAssets of an album", {"albums": [album]}
    yield "FetchAlbums by id", {"ids": [album]}
    yield "FetchAlbums in a parent", {"parent": album}
    yield "AddToAlbum", {"ids": [asset], "album": album}
    yield "RemoveFromAlbum", {"ids": [asset], "album": album}
    yield "DeleteAssets", {"ids": [asset]}


def hidden(session):
    """S16: how long an id takes that is hidden, and one that does not exist, asked in turns by a limited app."""
    if not session.wants("albumd"):
        return
    root = albums_of_photos(session)
    with session.attempt("albumd"), albumd(session, root, authorized=("albumctl",), apps=("reqbench",)) as daemon:
        albums = {album["title"]: album["id"] for album in albumctl(session, daemon, "albums")}
        seen, other = albums["album 0"], albums["album 1"]
        asset = albumctl(session, daemon, "assets", "--album", other)[0]["id"]
        albumctl(session, daemon, "limit", "reqbench", seen)
        existing, missing = calls(asset, other), calls(made_up(asset), made_up(other))
        for (name, kept_back), (_, nothing) in zip(existing, missing):
            method = LIBRARY + name.split()[0]
            requests = [session.file(state, message({"method": method, "parameters": parameters}))
                        for state, parameters in (("hidden", kept_back), ("made-up", nothing))]
            # In one run and in no order, so that whatever else the machine does meets both.
            values = session.run("reqbench", daemon.socket, "--request-file", requests[0], "--also-file", requests[1],
                                 "--errors", 1, "--n", session.number(20000, 1000))
            session.record("hidden", "albumd", state=name, **values)


@contextlib.contextmanager
def opener(session, daemon, request):
    """Another process that opens a photo a thousand times a second, until the context ends."""
    command = [PROGRAMS / "reqbench", daemon.socket, "--request-file", request, "--per-s", OPENS_PER_SECOND,
               "--n", 100000000]
    child = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        yield
    finally:
        is_over = child.poll() is not None
        child.terminate()
        said = child.communicate()[1].decode()
        if is_over:
            session.report("opener", said.strip() or "ended early")


def access_log(session):
    """What a status check waits while another process opens a thousand photos a second: noted, and not noted."""
    if not session.wants("albumd"):
        return
    root = albums_of_photos(session)
    status = session.file("status", message(GET_STATUS))
    for state, days in (("noted", 90), ("not noted", 0)):
        with session.attempt("albumd"), albumd(session, root, log_days=days) as daemon:
            asset = albumctl(session, daemon, "assets", "--limit", "1")[0]["id"]
            request = session.file("open", message({"method": LIBRARY + "OpenAsset", "parameters": {"id": asset}}))
            asked = ("reqbench", daemon.socket, "--request-file", status, "--n", session.number(50000, 1000),
                     "--pid", daemon.pid)
            session.record("access-log", "albumd", state=f"alone, {state}", **session.run(*asked))
            with opener(session, daemon, request):
                session.record("access-log", "albumd", state=state, **session.run(*asked))
