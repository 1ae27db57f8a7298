"""Processes that are measured, and what they use (proc(5))."""

import contextlib
import os
import pathlib
import socket
import subprocess
import time

from .session import Failure

# Under valgrind a start takes ten seconds; one that fails is seen at once.
START_SECONDS = 120


@contextlib.contextmanager
def process(command, log, environment=None, **options):
    """A process that is ended with the context; what it says is in `log`."""
    with open(log, "ab") as output:
        options = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output, **options}
        child = subprocess.Popen([str(word) for word in command], env=environment, **options)
    try:
        yield child
    finally:
        end(child)


def end(child):
    """Ends a process that was started here, with SIGKILL when nothing else helps."""
    child.terminate()
    try:
        child.wait(10)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def await_path(path, child, log):
    """Waits until a process made its socket."""
    deadline = time.monotonic() + START_SECONDS
    while not os.path.exists(path):
        if child.poll() is not None or time.monotonic() > deadline:
            raise Failure(f"{child.args[0]} did not start: {pathlib.Path(log).read_text(errors='replace')}")
        time.sleep(0.002)


def connect(path):
    """A connection to a Unix socket."""
    connection = socket.socket(socket.AF_UNIX)
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            connection.connect(str(path))
            return connection
        except ConnectionRefusedError:
            # Between bind(2) and listen(2) there is a moment.
            if time.monotonic() > deadline:
                raise
        time.sleep(0.002)


def status_kb(pid, key):
    """A line of /proc/PID/status in kB, such as VmRSS or VmHWM."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == key:
            return int(value.split()[0])
    raise Failure(f"/proc/{pid}/status says nothing of {key}")


def forget_peak(pid):
    """Has VmHWM count from now on (proc(5), clear_refs)."""
    pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")


def cpu_seconds(pid):
    """Processor time of all threads."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wake_ups(pid):
    """How often each of its threads has waited for something, by thread."""
    waited = {}
    for status in pathlib.Path(f"/proc/{pid}/task").glob("*/status"):
        for line in status.read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches"):
                waited[status.parent.name] = int(line.split()[1])
    return waited


def wake_ups_since(before, pid):
    """How often they woke up since; threads may have begun or ended."""
    return sum(count - before.get(thread, 0) for thread, count in wake_ups(pid).items())
