"""What does not come to an end is ended: a browser that hangs fails the test that waits for it, and not all of those after it."""

import contextlib
import faulthandler
import os
import pathlib
import signal
import sys
import threading

from page import PATIENCE


@contextlib.contextmanager
def ended(world, seconds):
    """Ends what is within, and tells where it stood: after so many seconds by the end of the browsers and apps that it
    waits for, which fails it; where that does not help, by the end of everything.

    Not by a signal: an exception in the middle of Playwright's loop leaves one that no call comes back from.
    """
    timers = [threading.Timer(seconds, end_browsers, [world]), threading.Timer(seconds + PATIENCE, give_up, [world])]
    for timer in timers:
        timer.daemon = True
        timer.start()
    try:
        yield
    finally:
        for timer in timers:
            timer.cancel()


def end_browsers(world):
    tell("it does not come to an end: its browser is ended, and its apps")
    for process in descendants():
        with contextlib.suppress(OSError):
            if "chrom" in pathlib.Path(f"/proc/{process}/comm").read_text():
                os.kill(process, signal.SIGKILL)
    for app in list(world.apps):
        app.kill()


def give_up(world):
    tell("it still does not")
    # Also where that does not come to an end.
    end = threading.Timer(60, os._exit, [1])
    end.daemon = True
    end.start()
    world.close()
    os._exit(1)


def tell(what):
    print(what, flush=True)
    faulthandler.dump_traceback(sys.stdout)
    sys.stdout.flush()


def descendants():
    """The processes that this one has started, and theirs (proc(5))."""
    children = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parent = int(entry.read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry.parent.name))
    found = [os.getpid()]
    for process in found:
        found += children.get(process, [])
    return found[1:]
