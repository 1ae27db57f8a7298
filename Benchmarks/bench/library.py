"""The whole library: T9 to T11."""

import json
import shutil
import subprocess
import time

from .albumd import GET_INFO, GET_STATUS, IS_READY, albumd, message
from .peers import find, watchman
from .processes import connect, cpu_seconds, forget_peak, status_kb
from .session import PROGRAMS, Failure

FETCH_ALL = {"method": "io.albumd.Library.FetchAssets", "parameters": {"limit": 1000}, "more": True}


# albumd asks of files that changed in the last minute whether somebody still writes them; a library is older.
OLD_SECONDS = 61


class Library:
    """A tree of photographs, and the index that albumd has of it once it was scanned."""

    def __init__(self, session, size):
        self.session = session
        self.size = size
        self.root = session.path("library", fast=True)
        self._state = None
        files = min(size, 100)
        subprocess.run([PROGRAMS / "mktree", self.root, str(size // files), str(files)], check=True)
        self._made = time.monotonic()

    def await_age(self):
        """Waits until its files count as old."""
        if not self.session.quick:
            time.sleep(max(0, self._made + OLD_SECONDS - time.monotonic()))

    def keep_state(self, state):
        """A state directory of an albumd that scanned the library."""
        if self._state:
            shutil.rmtree(state)
        else:
            self._state = state

    def warm_state(self):
        """A state directory that knows the library."""
        if not self._state:
            state = self.session.path("state")
            with albumd(self.session, self.root, state):
                pass
            self.keep_state(state)
        return self._state


def library(session, size):
    """The library of that size, made when it is first asked for."""
    if size not in session.libraries:
        session.libraries[size] = Library(session, size)
    return session.libraries[size]


def largest(session):
    """The library that the targets speak of."""
    tree = library(session, session.number(1000000, 20000))
    tree.await_age()
    return tree


def find_printf(session, tree):
    """find, asked for the facts that albumd keeps of every file."""
    start = time.monotonic()
    subprocess.run(["find", tree.root, "-printf", "%p %i %s %T@ %C@ %y\n"], stdout=subprocess.DEVNULL, check=True)
    session.record("scan", "find", seconds=time.monotonic() - start, assets=tree.size)


def start_and_wait(session, root, state, every=100):
    """Starts albumd, and asks it every 2 ms for a status, and after each `every` of those whether it is ready."""
    info, status = session.file("get-info", message(GET_INFO)), session.file("get-status", message(GET_STATUS))
    start = time.monotonic_ns()
    # Whether it is ready is what is measured.
    with albumd(session, root, state, ready=False) as daemon:
        answers = session.run("reqbench", daemon.socket, "--request-file", info, "--until", IS_READY,
                              "--also-file", status, "--gap-us", 2000, "--every", every, timeout=600)
        with daemon.connect() as client:
            count = client.call(GET_INFO)["assetCount"]
        return {
            "served_s": (answers["first_ns"] - start) / 1e9, "seconds": (answers["until_ns"] - start) / 1e9,
            "cpu_s": cpu_seconds(daemon.pid), "peak_kb": status_kb(daemon.pid, "VmHWM"), "assets": count,
            "asked": answers["samples"], "asked_p99_us": answers["p99_us"], "asked_max_us": answers["max_us"],
            "info_p99_us": answers["until_p99_us"]}


class Watchman:
    """A connection to watchman."""

    def __init__(self, address):
        self.socket = connect(address)

    def call(self, *command):
        """Sends a command, and reads the answer without keeping it."""
        self.socket.sendall(json.dumps(command).encode() + b"\n")
        size = 0
        while received := self.socket.recv(1 << 20):
            size += len(received)
            if received.endswith(b"\n"):
                return size
        raise Failure("watchman closed the connection")


def watchman_crawl(session, tree):
    """watchman's crawl, until it can answer a query."""
    with watchman(session) as (pid, address):
        client = Watchman(address)
        start = time.monotonic()
        client.call("watch", str(tree.root))
        client.call("query", str(tree.root), {"fields": ["name"], "expression": ["name", "no-such-file"]})
        session.record("scan", "watchman", seconds=time.monotonic() - start, cpu_s=cpu_seconds(pid),
                       peak_kb=status_kb(pid, "VmHWM"), assets=tree.size)


def first_scan(session):
    """T9: a cold index, until the library is as on disk; requests are answered meanwhile."""
    tree = largest(session)
    if session.wants("find"):
        with session.attempt("find"):
            find_printf(session, tree)
    if session.wants("watchman") and find("watchman"):
        with session.attempt("watchman"):
            watchman_crawl(session, tree)
    if session.wants("albumd"):
        with session.attempt("albumd"):
            state = session.path("state")
            session.record("scan", "albumd", **start_and_wait(session, tree.root, state, session.number(100, 10)))
            tree.keep_state(state)


def warm_start(session):
    """T10: the same with an index that is up to date, until requests are served and until it is reconciled."""
    tree = largest(session)
    if session.wants("find"):
        with session.attempt("find"):
            find_printf(session, tree)
    if session.wants("albumd"):
        with session.attempt("albumd"):
            session.record("warm", "albumd", **start_and_wait(session, tree.root, tree.warm_state(), 10))


def fetch_all(session):
    """T11: every asset, streamed to one reader."""
    if not session.wants("albumd"):
        return
    tree = largest(session)
    with session.attempt("albumd"), albumd(session, tree.root, tree.warm_state()) as daemon:
        request = session.file("fetch-all", message(FETCH_ALL))
        forget_peak(daemon.pid)
        values = session.run("reqbench", daemon.socket, "--request-file", request, "--stream", '"filename":',
                             "--pid", daemon.pid)
        if values["count"] != tree.size:
            raise Failure(f"{values['count']} of {tree.size} assets came")
        session.record("fetch", "albumd", growth_kb=values["peak_kb"] - values["before_kb"], **values)
