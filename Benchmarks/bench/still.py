"""What albumd and albumctl cost when nothing happens: T12, T13."""

import subprocess
import time

from .albumd import SUBSCRIBE, albumd
from .library import library
from .processes import cpu_seconds, status_kb, wake_ups, wake_ups_since
from .session import PROGRAMS

SUBSCRIBERS = 100


def idle(session):
    """T12: wake-ups and memory with a hundred idle subscribers and ten thousand assets."""
    if not session.wants("albumd"):
        return
    tree = library(session, 10000)
    with session.attempt("albumd"), albumd(session, tree.root) as daemon:
        subscribers = [daemon.connect() for _ in range(SUBSCRIBERS)]
        for subscriber in subscribers:
            subscriber.send(SUBSCRIBE)
            subscriber.receive()
        # Work that is done leaves nothing behind that wakes up.
        subprocess.run([session.binaries / "albumctl", "save", next(tree.root.rglob("*.jpg")),
                        "--socket", daemon.socket], stdout=subprocess.DEVNULL, check=True, timeout=60)
        # What was begun is over by then: the access log is written after five to six seconds.
        time.sleep(session.number(8, 7))
        seconds = session.number(10, 3)
        before, cpu = wake_ups(daemon.pid), cpu_seconds(daemon.pid)
        time.sleep(seconds)
        session.record("idle", "albumd", assets=tree.size, subscribers=SUBSCRIBERS,
                       wake_ups_per_s=wake_ups_since(before, daemon.pid) / seconds,
                       cpu_s=cpu_seconds(daemon.pid) - cpu, memory_kb=status_kb(daemon.pid, "VmRSS"),
                       peak_kb=status_kb(daemon.pid, "VmHWM"))


def command(session):
    """T13: a whole `albumctl status`, beside a C program that asks the same."""
    root = session.path("photos")
    runs = session.number(200, 20)
    with session.attempt("albumctl"), albumd(session, root) as daemon:
        if session.wants("c"):
            session.record("command", "c", **session.run("spawnbench", runs, PROGRAMS / "status", daemon.socket))
        if session.wants("albumctl"):
            albumctl = session.binaries / "albumctl"
            values = session.run("spawnbench", runs, albumctl, "status", "--socket", daemon.socket)
            session.record("command", "albumctl", **values)
