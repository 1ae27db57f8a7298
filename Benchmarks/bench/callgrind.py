"""Instructions of a process, as valgrind's callgrind counts them: the same on every machine of a kind.

What the kernel does for a process is not among them.
"""

import contextlib
import os
import pathlib
import re
import subprocess

from .processes import process
from .session import PROGRAMS, Failure


def command(out):
    """What a program is started with, so that its instructions are counted; callgrind writes files named `out`."""
    return ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}.%p", "--"]


def environment():
    """Hashes are seeded anew in each process otherwise, and other look-ups collide."""
    return {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1", "LD_PRELOAD": str(PROGRAMS / "openat2")}


def readable(session, binary):
    """A program without its debug information, of which valgrind 3.19 does not know the newest form."""
    directory = session.directory / "readable"
    directory.mkdir(exist_ok=True)
    copy = directory / pathlib.Path(binary).name
    subprocess.run(["strip", "--strip-debug", "-o", copy, binary], check=True)
    return copy


def launcher(session, binary, out):
    """A program that is `binary` under callgrind."""
    directory = session.directory / "counted"
    directory.mkdir(exist_ok=True)
    script = directory / pathlib.Path(binary).name
    words = " ".join(f"'{word}'" for word in [*command(out), readable(session, binary)])
    variables = " ".join(f"{name}='{environment()[name]}'" for name in ("SWIFT_DETERMINISTIC_HASHING", "LD_PRELOAD"))
    script.write_text(f"#!/bin/sh\n{variables} exec {words} \"$@\"\n")
    script.chmod(0o755)
    return script


@contextlib.contextmanager
def counted(session, binary, *arguments, out):
    """The process of `binary` under callgrind."""
    with process([launcher(session, binary, out), *arguments], session.directory / "counted.log") as child:
        yield child


def control(pid, *arguments):
    """Has callgrind do something in a process that runs."""
    result = subprocess.run(["callgrind_control", *arguments, str(pid)], capture_output=True, text=True, check=False)
    if result.returncode != 0 or "Error" in result.stdout + result.stderr:
        raise Failure(f"callgrind_control: {result.stdout} {result.stderr}")


def total(path):
    """How many instructions one of callgrind's files tells of."""
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if found := re.match(r"(?:summary|totals): (\d+)", line):
                return int(found[1])
    raise Failure(f"{path} has no total")


def files(pid, out):
    """What callgrind has written of a process, in order."""
    directory, name = os.path.split(out)
    # The last is open, and empty, as long as the process runs.
    written = [path for path in pathlib.Path(directory).glob(f"{name}.{pid}*") if path.stat().st_size]
    return sorted(written, key=lambda path: path.stat().st_mtime_ns)


def during(pid, out, work, name):
    """How many instructions the process takes while `work` is done, in all its threads; its file says `name`."""
    control(pid, "--zero")
    before = set(files(pid, out))
    work()
    control(pid, f"--dump={name}")
    new = [path for path in files(pid, out) if path not in before]
    if not new:
        raise Failure("callgrind wrote nothing")
    return total(new[-1])


def whole(session, binary, *arguments, out):
    """How many instructions a program takes from its start to its end."""
    result = subprocess.run([launcher(session, binary, out), *arguments], capture_output=True, text=True, check=False,
                            timeout=600)
    if result.returncode != 0:
        raise Failure(f"{binary}: {result.stderr.strip() or result.returncode}")
    # A helper that a program forks has a file of its own.
    written = sorted(pathlib.Path(out).parent.glob(f"{pathlib.Path(out).name}.*"), key=lambda path: path.stat().st_mtime_ns)
    return total(written[-1])
