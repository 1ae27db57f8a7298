"""Requests and their replies: T6 to T8, and R6."""

import contextlib
import os
import signal
import socket
import time

from .albumd import GET_STATUS, SUBSCRIBE, albumd, message
from .peers import bus, find, refd
from .processes import process
from .session import Failure

POLKIT = "/usr/lib/polkit-1/polkitd"
PERMISSION_STORE = "/usr/libexec/xdg-permission-store"
NOBODY = 65534


def photos(session):
    """A small library."""
    root = session.path("photos")
    album = root / "2026" / "trip"
    album.mkdir(parents=True)
    for number in range(10):
        (album / f"IMG_{number}.jpg").write_bytes(b"\xff\xd8\xff\xe0\0\x10JFIF")
    return root


def ask(session, bench, peer, address, request, pid, end, fast):
    """One client, and sixteen."""
    name = f"{bench}.{peer}"
    for clients in (1, 16):
        count = session.number(30000 if clients > 1 else 10000, 500) if fast else session.number(3000, 300)
        values = session.run("reqbench", address, "--request-file", session.file(name, request), "--end", end,
                             "--clients", clients, "--n", count, "--pid", pid)
        session.record(f"{bench}-{clients}", peer, **values)


def ask_kernel(session, bench, what):
    """The limit."""
    if session.wants("kernel"):
        with session.attempt("kernel"):
            session.record(f"{bench}-1", "kernel", **session.run("limits", what, "--n", session.number(10000, 500)))


def status(session):
    """T6, T7: may this caller read? Asked one at a time, and by sixteen clients together."""
    ask_kernel(session, "status", "pingpong")
    root = photos(session)
    if session.wants("refd"):
        with session.attempt("refd"), refd(session, root) as (pid, address):
            ask(session, "status", "refd", address, b"STAT 2026/trip/IMG_1.jpg\n", pid, "nl", True)
    if session.wants("albumd"):
        with session.attempt("albumd"), albumd(session, root) as daemon:
            ask(session, "status", "albumd", daemon.socket, message(GET_STATUS), daemon.pid, "nul", True)
    if session.wants("dbus"):
        with session.attempt("dbus"), bus(session) as (name, pid, address):
            ask_bus(session, name, pid, address)


def ask_bus(session, name, pid, address):
    """The bus itself, and the two services of D-Bus that decide like albumd."""
    os.chmod(address, 0o777)
    environment = {**os.environ, "XDG_DATA_HOME": str(session.path("data")),
                   "DBUS_SESSION_BUS_ADDRESS": f"unix:path={address}", "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={address}"}
    with contextlib.ExitStack() as services:
        asked = [("ping", name, pid, 20000)]
        for what, peer, program, count in (("lookup", "xdg-permission-store", PERMISSION_STORE, 5000),
                                           ("polkit", "polkit", POLKIT, 1000)):
            if find(program):
                log = session.directory / f"{peer}.log"
                asked.append((what, peer, services.enter_context(process([program], log, environment)).pid, count))
            else:
                session.report(peer, "is not installed")
        # Until they have their names.
        time.sleep(1.5)
        for what, peer, service, count in asked:
            for clients in (1, 16):
                with session.attempt(peer):
                    values = session.run("busbench", "call", address, "--what", what, "--clients", clients,
                                         "--n", session.number(count, 200), "--pid", service)
                    session.record(f"status-{clients}", peer, **values)


def open_asset(session):
    """T8: a file of an asset, opened and its descriptor passed."""
    ask_kernel(session, "open", "descriptor")
    root = photos(session)
    if session.wants("refd"):
        with session.attempt("refd"), refd(session, root) as (pid, address):
            ask(session, "open", "refd", address, b"OPEN 2026/trip/IMG_1.jpg\n", pid, "nl", True)
    if session.wants("albumd"):
        with session.attempt("albumd"), albumd(session, root) as daemon:
            with daemon.connect() as client:
                fetch = {"method": "io.albumd.Library.FetchAssets", "parameters": {"limit": 1}}
                asset = client.call(fetch)["assets"][0]["id"]
            request = message({"method": "io.albumd.Library.OpenAsset", "parameters": {"id": asset}})
            ask(session, "open", "albumd", daemon.socket, request, daemon.pid, "nul", True)


# --- R6

def hold_everything(address):
    """Takes all that a user may have, and keeps it: connections, half calls, and streams that are never read."""
    held = []
    while True:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(str(address))
            connection.settimeout(1)
            connection.sendall(message(SUBSCRIBE))
            if not connection.recv(4096):
                break
            connection.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                # Calls behind a stream are not served before it ends.
                connection.send(b'{"method":"' + b"x" * 500000)
        except OSError:
            break
        held.append(connection)
        if len(held) >= 500:
            break
    return held


@contextlib.contextmanager
def greedy_user(address):
    """Another user who holds all it may have, and asks for more a thousand times a second."""
    ready, told = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            held = hold_everything(address)
            os.write(told, str(len(held)).encode())
            while True:
                with socket.socket(socket.AF_UNIX) as connection, contextlib.suppress(OSError):
                    connection.connect(str(address))
                time.sleep(0.001)
        finally:
            os._exit(1)
    os.close(told)
    try:
        held = os.read(ready, 16)
        if not held:
            raise Failure("the greedy user could not begin")
        yield int(held)
    finally:
        os.close(ready)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def quotas(session):
    """R6: what others wait while a user is at its quotas."""
    if not session.wants("albumd"):
        return
    if os.getuid() != 0:
        session.report("albumd", "another user can only be become by root")
        return
    root = photos(session)
    request = session.file("status", message(GET_STATUS))
    # The quota of the defaults: connections beyond it are refused.
    with session.attempt("albumd"), albumd(session, root, connections=128) as daemon:
        def asked():
            return session.run("reqbench", daemon.socket, "--request-file", request, "--n", session.number(20000, 1000))
        session.record("quota", "albumd", greedy=0, state="alone", **asked())
        with greedy_user(daemon.socket) as held:
            session.record("quota", "albumd", greedy=held, state="greedy", **asked())
