"""The peers: daemons and watchers that do one part of what albumd does."""

import contextlib
import os
import shutil

from .albumd import SUBSCRIBE, SUBSCRIBED, albumd, message
from .processes import await_path, process
from .session import PROGRAMS, Failure


def find(*places):
    """The first of these programs that exists; None when none does."""
    for place in places:
        found = shutil.which(str(place))
        if found:
            return found
    return None


@contextlib.contextmanager
def refd(session, root):
    """The daemon in C; its process and socket."""
    home = session.path("refd")
    with process([PROGRAMS / "refd", root, home / "socket"], home / "log") as child:
        await_path(home / "socket", child, home / "log")
        yield child.pid, home / "socket"


@contextlib.contextmanager
def watchman(session, home=None):
    """A private watchman, without anybody's configuration; its process and socket."""
    home = home or session.path("watchman")
    address = home / "socket"
    address.unlink(missing_ok=True)
    command = [find("watchman"), "--foreground", f"--sockname={address}", f"--statefile={home}/state",
               f"--logfile={home}/log", f"--pidfile={home}/pid"]
    with process(command, home / "output", {**os.environ, "WATCHMAN_CONFIG_FILE": "/nonexistent"}) as child:
        await_path(address, child, home / "output")
        yield child.pid, address


@contextlib.contextmanager
def bus(session):
    """A private bus, dbus-broker where it can be had; its name, process and socket."""
    home = session.path("bus")
    address = home / "socket"
    broker = find("dbus-broker", PROGRAMS / "dbus-broker")
    if broker:
        with process([PROGRAMS / "brokerctl", broker, address], home / "pid", stderr=None) as child:
            await_path(address, child, home / "pid")
            while not (line := (home / "pid").read_text().strip()):
                if child.poll() is not None:
                    raise Failure("dbus-broker did not start")
            yield "dbus-broker", int(line), address
        return
    (home / "bus.conf").write_text(
        '<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"'
        ' "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">'
        f'<busconfig><type>session</type><listen>unix:path={address}</listen><auth>EXTERNAL</auth>'
        '<policy context="default"><allow user="*"/><allow send_destination="*" eavesdrop="true"/>'
        '<allow own="*"/></policy>'
        '<limit name="max_completed_connections">100000</limit>'
        '<limit name="max_incomplete_connections">10000</limit>'
        '<limit name="max_connections_per_user">100000</limit></busconfig>')
    command = [find("dbus-daemon"), f"--config-file={home}/bus.conf", "--nofork", "--nopidfile"]
    with process(command, home / "log") as child:
        await_path(address, child, home / "log")
        yield "dbus-daemon", child.pid, address


# --- What tells of files: each gives the arguments that have evbench listen to it.

@contextlib.contextmanager
def source(session, peer, root, mode):
    """Has `peer` watch `root`; yields evbench's arguments."""
    if peer == "inotify":
        yield ["--source", "inotify"]
    elif peer == "rawwatch":
        yield ["--source", f"cmd:exec '{PROGRAMS}/rawwatch' '{root}'", "--ready", "READY"]
    elif peer == "notify-rs":
        yield ["--source", f"cmd:exec '{PROGRAMS}/notifywatch' '{root}'", "--ready", "READY"]
    elif peer == "inotifywait":
        created = "-e create" if mode == "burst" else ""
        yield ["--source", f"cmd:exec inotifywait -m -r -e close_write -e moved_to {created} '{root}' 2>&1",
               "--ready", "established"]
    elif peer == "refd":
        with refd(session, root) as (pid, address):
            yield ["--source", f"unix:{address}", "--send-file", session.file("refd.subscribe", b"SUB\n"),
                   "--ready", "OK", "--pid", pid]
    elif peer in ("watchman", "watchman-1ms"):
        if peer == "watchman-1ms":
            (root / ".watchmanconfig").write_text('{"settle":1}')
        watch = f'["watch","{root}"]\n'.encode()
        fields = '{"fields":["name","exists","size","mtime_ms"]}'
        subscribe = f'["subscribe","{root}","s",{fields}]\n'.encode()
        with watchman(session) as (pid, address):
            yield ["--source", f"unix:{address}", "--send-file", session.file("watchman.watch", watch),
                   "--send-file", session.file("watchman.subscribe", subscribe),
                   "--ready", '"subscribe":"s"', "--settle-ms", 700, "--pid", pid]
    elif peer == "albumd":
        with albumd(session, root) as daemon:
            yield albumd_source(session, daemon)
    else:
        raise Failure("no such peer")


def albumd_source(session, daemon):
    """evbench's arguments for a running albumd."""
    subscribe = session.file("albumd.subscribe", message(SUBSCRIBE))
    return ["--source", f"unix:{daemon.socket}", "--send-file", subscribe, "--ready", SUBSCRIBED,
            "--pid", daemon.pid]


def is_there(peer):
    """Whether a peer is installed."""
    return {
        "notify-rs": lambda: find(PROGRAMS / "notifywatch"),
        "inotifywait": lambda: find("inotifywait"),
        "watchman": lambda: find("watchman"),
        "watchman-1ms": lambda: find("watchman"),
    }.get(peer, lambda: True)()


def watchers(session, *peers):
    """Those of the peers that are installed and wanted."""
    return [peer for peer in peers if session.wants(peer) and is_there(peer)]
