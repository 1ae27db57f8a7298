"""One run of the benchmarks: what it was asked for, its temporary directories, and where its results go."""

import contextlib
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = HERE / "bin"
# What a library of a million files takes on a tmpfs, and some more.
TREE_BYTES = 8 << 30
# For ten thousand subscribers, for each of whom albumd holds two.
WANTED_DESCRIPTORS = 32768


class Failure(Exception):
    """A measurement could not be made."""


class Session:
    """What all drivers share. REPS, PIN, QUICK, ONLY, PHOTOS and BENCH_DIR are read from the environment."""

    def __init__(self, binaries, results):
        self.binaries = pathlib.Path(binaries).resolve()
        self.quick = os.environ.get("QUICK", "") not in ("", "0")
        self.repeats = int(os.environ.get("REPS", "1" if self.quick else "5"))
        self.only = re.compile(os.environ.get("ONLY", ""))
        self.photos = os.environ.get("PHOTOS")
        self.repeat = 0
        self.target = ""
        self.failed = []
        # Libraries by their number of assets, since a large one takes long to make.
        self.libraries = {}
        self._results = open(results, "a", encoding="utf-8")
        self._cleanup = contextlib.ExitStack()
        self._pin()
        self._raise_descriptors()
        self.directory = self._temporary(None)
        # Files are made on a tmpfs: a disk makes anything from 2,000 to 16,000 a second, at random.
        self.fast_directory = self._temporary(self._fast_place())

    def _pin(self):
        pin = os.environ.get("PIN")
        self.cpus = f"pin{pin}" if pin else "free"
        if pin:
            os.sched_setaffinity(0, {int(pin)})

    @staticmethod
    def _raise_descriptors():
        # For this process and for those that it starts.
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        if most < WANTED_DESCRIPTORS:
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (WANTED_DESCRIPTORS, WANTED_DESCRIPTORS))
                return
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

    def _fast_place(self):
        place = os.environ.get("BENCH_DIR")
        if place:
            return place
        shared = "/dev/shm"
        if os.path.isdir(shared) and shutil.disk_usage(shared).free > (1 << 30 if self.quick else TREE_BYTES):
            return shared
        print("run: /dev/shm is too small; the files are made on a disk (BENCH_DIR)", file=sys.stderr)
        return None

    def _temporary(self, place):
        directory = pathlib.Path(tempfile.mkdtemp(prefix="albumd-bench.", dir=place))
        # Other users take part in some measurements; so does polkitd, which is one.
        directory.chmod(0o755)
        self._cleanup.callback(shutil.rmtree, directory, ignore_errors=True)
        return directory

    def keep(self, context):
        """Enters a context that ends with the session."""
        return self._cleanup.enter_context(context)

    def close(self):
        self._cleanup.close()
        self._results.close()

    def number(self, full, quick):
        """How many of something, by mode."""
        return quick if self.quick else full

    def wants(self, peer):
        """Whether ONLY, a pattern, lets the peer take part."""
        return self.only.search(peer) is not None

    def path(self, name, fast=False):
        """A new, empty directory, which goes away with the session."""
        parent = self.fast_directory if fast else self.directory
        path = pathlib.Path(tempfile.mkdtemp(prefix=name + ".", dir=parent))
        path.chmod(0o755)
        return path

    def file(self, name, content):
        """A file with this content."""
        path = self.directory / name
        path.write_bytes(content)
        return path

    def record(self, bench, peer, **values):
        """Writes one measurement down."""
        self.write({"bench": bench, "peer": peer, "cpus": self.cpus, "repeat": self.repeat, **values})

    def write(self, line):
        """Writes one line of the results."""
        self._results.write(json.dumps(line) + "\n")
        self._results.flush()

    def report(self, peer, problem):
        """A peer that could not be measured: said at once, and at the end of the run."""
        self.failed.append(f"{self.target} {peer}: {problem}")
        print(f"  {peer}: {problem}", file=sys.stderr)

    def run(self, program, *arguments, timeout=120):
        """What one of the C programs measured."""
        command = [str(PROGRAMS / program), *map(str, arguments)]
        result = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
        if result.returncode != 0:
            raise Failure(f"{program}: {result.stderr.strip() or result.returncode}")
        return json.loads(result.stdout)

    @contextlib.contextmanager
    def attempt(self, peer):
        """A measurement of one peer; a failure is reported, and the others are still measured."""
        try:
            yield
        except (Failure, OSError, subprocess.SubprocessError) as problem:
            self.report(peer, problem)
