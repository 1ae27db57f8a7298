"""Files that appear: T1 to T5, and T14."""

import resource
import shutil

from .albumd import albumd
from .library import library
from .peers import albumd_source, bus, source, watchers

# A watcher that says nothing for that long has lost what it did not tell.
QUIET = ("--quiet-ms", 2000)
# What albumd holds for a connection: the socket, and the process at its other end.
DESCRIPTORS_PER_CONNECTION = 2


def measure(session, bench, peer, mode, *arguments, fast=False, **values):
    """One run of evbench on one peer, in a directory of its own, written down."""
    home = session.path("files", fast)
    root = home / "photos"
    root.mkdir()
    staging = [] if mode == "burst" else ["--staging", home / "staging"]
    with session.attempt(peer), source(session, peer, root, mode) as listening:
        measured = session.run("evbench", mode, "--dir", root, *staging, *listening, *arguments)
        session.record(bench, peer, **measured, **values)
    shutil.rmtree(home)


def latency(session):
    """T1, T2: from a file's appearance until one subscriber has been told, one at a time."""
    photos = ["--photos", session.photos] if session.photos else []
    peers = watchers(session, "inotify", "rawwatch", "refd", "notify-rs", "inotifywait", "watchman-1ms", "watchman",
                     "albumd")
    for operation in ("rename", "close"):
        for peer in peers:
            if operation == "close" and peer not in ("inotify", "rawwatch", "refd", "inotifywait", "albumd"):
                # The others tell of the creation as well, and are awake before the clock starts.
                continue
            # One of watchman's takes 20 ms, of the others 0.1 ms.
            count = session.number({"watchman": 100, "watchman-1ms": 300}.get(peer, 1000), 20)
            measure(session, f"latency-{operation}", peer, "latency", "--op", operation, "--n", count,
                    "--warm-up", session.number(100, 10), "--gap-us", 500, *photos)


def burst(session):
    """T3: many files at once, in directories that were there and in new ones."""
    peers = watchers(session, "refd", "notify-rs", "inotifywait", "watchman", "albumd")
    count = session.number(100000, 5000)
    for peer in peers:
        measure(session, "burst", peer, "burst", "--n", count, *QUIET, fast=True)
        measure(session, "burst-new", peer, "burst", "--n", count, "--new-dirs", *QUIET, fast=True)


def overflow(session):
    """T3b: the same while the watcher is stopped, so that the kernel drops events for certain."""
    peers = watchers(session, "refd", "notify-rs", "inotifywait", "watchman", "albumd")
    for peer in peers:
        measure(session, "burst-stopped", peer, "burst", "--n", session.number(100000, 20000), "--stop", *QUIET,
                fast=True)


def fan_out(session):
    """T4: one file to a thousand subscribers; and fifty at a time."""
    count = session.number(1000, 100)
    common = ["--subscribers", count, "--gap-us", 2000, "--warm-up", 10]
    for peer in watchers(session, "refd", "albumd"):
        measure(session, "fanout", peer, "fanout", *common, "--n", session.number(200, 20))
        measure(session, "fanout-50", peer, "fanout", *common, "--n", session.number(2000, 200), "--batch", 50)
    for peer in watchers(session, "watchman-1ms"):
        measure(session, "fanout", peer, "fanout", *common, "--n", session.number(20, 5), "--timeout-ms", 20000)
    if session.wants("dbus"):
        with session.attempt("dbus"), bus(session) as (name, pid, address):
            values = session.run("busbench", "fanout", address, "--subscribers", count,
                                 "--n", session.number(100, 20), "--pid", pid)
            session.record("fanout", name, **values)
    if session.wants("kernel"):
        with session.attempt("kernel"):
            values = session.run("limits", "fanout", "--subscribers", count, "--n", session.number(200, 20))
            session.record("fanout", "kernel", **values)


def many_subscribers(session):
    """T5: ten thousand subscribers, without and with one among them that never reads; as many as may be open here."""
    _, descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = session.number(1000, 100)
    many = min(session.number(10000, 1000), (descriptors - 500) // DESCRIPTORS_PER_CONNECTION)
    for subscribers, stuck in ((few, 0), (many, 0), (many, 1)):
        if session.wants("albumd"):
            # What the stuck one is told before the clock starts is more than its socket holds.
            measure(session, "subscribers", "albumd", "fanout", "--subscribers", subscribers, "--stuck", stuck,
                    "--n", session.number(20, 5), "--warm-up", 1000 if stuck else 20, "--gap-us", 20000, "--timeout-ms", 120000,
                    size=f"{'few' if subscribers == few else 'many'}{'-stuck' if stuck else ''}", stuck=stuck)


def growth(session):
    """T14: latency as the library grows."""
    if not session.wants("albumd"):
        return
    sizes = session.number([10, 1000, 100000, 1000000], [10, 1000, 10000])
    for size in sizes:
        tree = library(session, size)
        album = tree.root / "measured"
        with session.attempt("albumd"):
            album.mkdir()
            with albumd(session, tree.root, tree.warm_state()) as daemon:
                values = session.run("evbench", "latency", "--dir", album, "--staging", session.path("staging", fast=True),
                                     *albumd_source(session, daemon), "--n", session.number(1000, 100),
                                     "--warm-up", 50, "--gap-us", 500)
            session.record("growth", "albumd", assets=size, **values)
        shutil.rmtree(album)
