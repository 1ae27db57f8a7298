"""An albumd of its own, on a library of its own, and a client for it."""

import contextlib
import getpass
import json
import os
import pathlib
import re
import subprocess
import time

from .processes import await_path, connect, process
from .session import HERE, PROGRAMS, Failure

SUBSCRIBE = {"method": "io.albumd.Library.Subscribe", "more": True}
SUBSCRIBED = '"hasIncrementalChanges"'
GET_INFO = {"method": "io.albumd.Library.GetInfo"}
IS_READY = '"state":"ready"'
GET_STATUS = {"method": "io.albumd.Authorization.GetStatus", "parameters": {"accessLevel": "readWrite"}}


def message(call):
    """A Varlink call as it is sent."""
    return json.dumps(call).encode() + b"\0"


class Daemon:
    """A running albumd."""

    def __init__(self, child, address):
        self.pid = child.pid
        self.socket = address

    def connect(self):
        """A connection of this process."""
        return Client(self.socket)

    def await_ready(self, seconds=300, every=0.005):
        """Waits until the library is as on disk."""
        deadline = time.monotonic() + seconds
        with self.connect() as client:
            while client.call(GET_INFO)["state"] != "ready":
                if time.monotonic() > deadline:
                    raise Failure("albumd is still scanning")
                time.sleep(every)


class Client:
    """A Varlink client."""

    def __init__(self, path):
        self._socket = connect(path)
        self._rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._socket.close()

    def send(self, call):
        """Sends a call."""
        self._socket.sendall(message(call))

    def receive(self):
        """The next reply's parameters."""
        while b"\0" not in self._rest:
            received = self._socket.recv(1 << 20)
            if not received:
                raise Failure("albumd closed the connection")
            self._rest += received
        reply, _, self._rest = self._rest.partition(b"\0")
        reply = json.loads(reply)
        if "error" in reply:
            raise Failure(f"albumd: {reply}")
        return reply.get("parameters", {})

    def call(self, call):
        """Sends a call and waits for its reply."""
        self.send(call)
        return self.receive()


@contextlib.contextmanager
def albumd(session, root, state=None, ready=True, connections=1000000, log_days=90, authorized=("*",), apps=(), location=False):
    """An albumd that serves `root` and lets every app, or those `authorized`, read and write it.

    Access is granted by a policy, as an administrator grants it, so that calls are checked as they are for apps
    and nobody is prompted. With `state`, the index of an earlier one is gone on with. `apps` are programs of the
    benchmarks that have a manifest. With `location`, they are told where photos were taken.
    """
    home = session.path("albumd")
    state = state or home / "state"
    for directory in (state, home / "apps.d", home / "policies.d"):
        directory.mkdir(exist_ok=True)
    (home / "albumd.yaml").write_text(
        f"roots:\n  - path: {root}\n"
        f"owners: {{users: [{getpass.getuser()}]}}\n"
        f"state: {state}\n"
        "contentHashes: false\n"
        f"accessLog: {{keepDays: {log_days}}}\n"
        f"limits: {{connectionsPerUser: {connections}, connections: 1000000}}\n")
    (home / "policies.d" / "benchmark.yaml").write_text(
        f"effect: authorize\napps: {json.dumps(list(authorized))}\nlocation: {json.dumps(location)}\n")
    for app in apps:
        (home / "apps.d" / f"{app}.yaml").write_text(
            f"name: {{en: {app}}}\n"
            f"identity: {{executable: {PROGRAMS / app}}}\n"
            "usage: {readWrite: {en: Measures.}, location: {en: Measures.}}\n")
    albumctl = (HERE.parent / "Config" / "apps.d" / "albumctl.yaml").read_text()
    (home / "apps.d" / "albumctl.yaml").write_text(re.sub("/usr/bin/", f"{session.binaries}/", albumctl))
    # These, if any, are somebody else's.
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID")}
    address = home / "io.albumd"
    command = [session.binaries / "albumd", "--config", home / "albumd.yaml", "--socket", address]
    with process(command, home / "log", environment) as child:
        if ready is not None:
            await_path(address, child, home / "log")
        daemon = Daemon(child, address)
        if ready:
            daemon.await_ready()
        try:
            yield daemon
        finally:
            if child.poll() is not None:
                session.report("albumd", f"ended: {pathlib.Path(home / 'log').read_text()[-2000:]}")


def version(session):
    """What `albumd --version` says."""
    return subprocess.run([session.binaries / "albumd", "--version"], capture_output=True, text=True,
                          check=False).stdout.strip()
