"""Pictures: what they say of themselves, their previews, and copies without the place. T15 to T18."""

import contextlib
import os
import shutil
import subprocess
import time

from .albumd import GET_INFO, GET_STATUS, albumd, message
from .peers import find
from .processes import forget_peak, status_kb
from .session import Failure

PIXELS = 512
# Of a file whose middle nobody reads: its beginning and its end, with a hole between them.
EDGE = 96 << 10
# Then a change would show in the times of a file.
SETTLED_SECONDS = 3
JPEG_BYTES, HEIC_BYTES, MOV_BYTES = 5 << 20, 2 << 20, 40 << 20

TAKEN = ["-DateTimeOriginal=2024:05:01 12:30:15", "-SubSecTimeOriginal=250", "-OffsetTimeOriginal=+02:00",
         "-GPSLatitude=33.859817", "-GPSLatitudeRef=S", "-GPSLongitude=151.211111", "-GPSLongitudeRef=E",
         "-GPSAltitude=58", "-GPSAltitudeRef=0", "-Make=Camera", "-Model=One", "-Orientation#=6", "-ISO=100", "-FNumber=2.8", "-ExposureTime=1/250"]


def readers(session):
    """As many processes as albumd has for pictures: one for each processor but one, at most four."""
    return max(1, min(4, len(os.sched_getaffinity(0)) - 1))


def made(*command):
    """Runs a program that makes a file."""
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise Failure(f"{command[0]}: {result.stderr.strip()[-300:]}")


class Camera:
    """One file of each kind, as a camera writes them: 12 million pixels, when and where it was taken."""

    def __init__(self, session):
        directory = session.path("camera", fast=True)
        self.jpeg, self.heic, self.mov = (directory / f"one.{kind}" for kind in ("jpg", "heic", "mov"))
        # Noise as a sensor has it, so that it is as large as a camera's.
        made("convert", "-size", "1000x750", "-seed", "1", "plasma:red-blue", "-resize", "4000x3000!", "-attenuate", "0.35",
             "+noise", "gaussian", "-quality", "88", self.jpeg)
        small = directory / "small.png"
        made("convert", self.jpeg, "-resize", "1000x750", small)
        made("heif-enc", "-q", "50", small, "-o", self.heic)
        made("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=640x480:rate=30:duration=1", "-pix_fmt", "yuv420p",
             "-c:v", "libx264", "-preset", "ultrafast", "-metadata", "creation_time=2024-05-01T10:30:15Z", "-metadata",
             "com.apple.quicktime.location.ISO6709=-33.8598+151.2111+058.000/", "-movflags", "use_metadata_tags", self.mov)
        made("exiftool", "-q", "-overwrite_original", "-P", *TAKEN, self.jpeg, self.heic)


def camera(session):
    """Those files, made when they are first asked for."""
    if not hasattr(session, "camera"):
        session.camera = Camera(session)
    return session.camera


def hollow(source, target, size):
    """A file as large as a camera's of which the beginning and the end are there, and a hole between them."""
    content = source.read_bytes()
    with open(target, "wb") as file:
        file.write(content[:EDGE])
        file.seek(max(size, len(content)) - len(content[EDGE:][-EDGE:]))
        file.write(content[EDGE:][-EDGE:])


def hollow_film(source, target, size):
    """A film that says at its end what it is, as a camera's does, after frames of which nobody reads any."""
    content = source.read_bytes()
    boxes, at = [], 0
    while at < len(content):
        length = int.from_bytes(content[at:at + 4], "big")
        boxes.append((content[at + 4:at + 8], content[at:at + length]))
        at += length
    before = b"".join(box for name, box in boxes if name == b"ftyp")
    after = b"".join(box for name, box in boxes if name == b"moov")
    with open(target, "wb") as file:
        file.write(before + size.to_bytes(4, "big") + b"mdat")
        file.seek(len(before) + size)
        file.write(after)


class Shots:
    """A library of files as cameras write them: of ten, eight are JPEG, one HEIC and one a film."""

    def __init__(self, session, count):
        one = camera(session)
        self.count = count
        self.root = session.path("shots", fast=True)
        for number in range(count):
            album = self.root / f"{number // 100:04}"
            album.mkdir(exist_ok=True)
            if number % 10 == 8:
                hollow(one.heic, album / f"IMG_{number:06}.HEIC", HEIC_BYTES)
            elif number % 10 == 9:
                hollow_film(one.mov, album / f"MOV_{number:06}.MOV", MOV_BYTES)
            else:
                hollow(one.jpeg, album / f"IMG_{number:06}.JPG", JPEG_BYTES)

    def files(self):
        """Their paths."""
        return sorted(str(path) for path in self.root.glob("*/*"))


def shots(session):
    """That library, made when it is first asked for."""
    if not hasattr(session, "shots"):
        session.shots = Shots(session, int(os.environ.get("SHOTS") or session.number(20000, 60)))
    return session.shots


def await_described(client, every=0.02):
    """Waits until everything was read."""
    while client.call(GET_INFO)["undescribed"] > 0:
        time.sleep(every)


def as_owner(daemon):
    """A connection that sees everything, and so how much is still to be read."""
    client = daemon.connect()
    client.call({"method": "io.albumd.Manager.ActAsOwner"})
    return client


def describe(session):
    """T15: what 20,000 files of cameras say of themselves, with the page cache warm and nothing known of them."""
    tree = shots(session)
    files = session.file("shots.txt", "\n".join(tree.files()).encode())
    count = readers(session)
    if session.wants("c"):
        with session.attempt("c"):
            values = session.run("describe", files, "--processes", count, timeout=600)
            session.record("describe", "c", **values)
    if session.wants("exiftool") and find("exiftool"):
        with session.attempt("exiftool"):
            # It reads some 60 a second: a part of them says as much.
            some = tree.files()[:session.number(1000, 30)]
            listed = session.file("some.txt", "\n".join(some).encode())
            start = time.monotonic()
            subprocess.run(["exiftool", "-fast2", "-j", "-n", "-@", listed], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, check=False)
            session.record("describe", "exiftool", per_s=len(some) / (time.monotonic() - start), files=len(some))
    if session.wants("albumd"):
        with session.attempt("albumd"), albumd(session, tree.root) as daemon, as_owner(daemon) as client:
            left = client.call(GET_INFO)["undescribed"]
            start = time.monotonic()
            await_described(client)
            session.record("describe", "albumd", per_s=left / (time.monotonic() - start), files=left, processes=count)


def beside_describing(session):
    """T18: GetStatus while files are described, and afterwards; and what the daemon grows by."""
    if not session.wants("albumd"):
        return
    tree = shots(session)
    request = session.file("status", message(GET_STATUS))
    asked = session.number(2000, 100)

    def ask(daemon):
        return session.run("reqbench", daemon.socket, "--request-file", request, "--n", asked, "--per-s", 500)
    with session.attempt("albumd"), albumd(session, tree.root) as daemon, as_owner(daemon) as client:
        memory = status_kb(daemon.pid, "VmRSS")
        forget_peak(daemon.pid)
        values = ask(daemon)
        left = client.call(GET_INFO)["undescribed"]
        await_described(client)
        growth = status_kb(daemon.pid, "VmHWM") - memory
        session.record("beside-describing", "albumd", state="describing", left=left, growth_kb=growth, **values)
        # What was noted last is on disk by then.
        time.sleep(session.number(3, 1))
        session.record("beside-describing", "albumd", state="idle", **ask(daemon))


# --- T16

def whole_photos(session, count, name="photos"):
    """A library of whole photographs: each a copy of one, and a file of its own."""
    one = camera(session)
    root = session.path(name, fast=True)
    album = root / "album"
    album.mkdir()
    for number in range(count):
        shutil.copyfile(one.jpeg, album / f"IMG_{number:04}.JPG")
    return root


def ids(client, **parameters):
    """The ids of all assets."""
    client.send({"method": "io.albumd.Library.FetchAssets", "parameters": {"limit": 1000, **parameters}, "more": True})
    found = []
    while True:
        page = client.receive()
        found += [asset["id"] for asset in page["assets"]]
        if "cursor" not in page or not page["cursor"]:
            return found


def thumbnails(session, root):
    """vipsthumbnail over the same files, in as many processes."""
    out = session.path("thumbnails", fast=True)
    count = readers(session)
    files = sorted(str(path) for path in root.rglob("*.JPG"))
    # albumd's processes have one thread each as well.
    environment = {**os.environ, "VIPS_CONCURRENCY": "1"}
    start = time.monotonic()
    running = [subprocess.Popen(["vipsthumbnail", "--size", f"{PIXELS}x{PIXELS}", "-o", f"{out}/%s.jpg", *files[part::count]],
                                env=environment, stderr=subprocess.DEVNULL) for part in range(count)]
    for child in running:
        child.wait()
    seconds = time.monotonic() - start
    if len(list(out.iterdir())) != len(files):
        raise Failure("vipsthumbnail made fewer than it was asked for")
    session.record("previews", "vipsthumbnail", per_s=len(files) / seconds, processes=count)


def previews(session):
    """T16: previews of 512 pixels that are not kept yet, and one that is."""
    count = session.number(200, 6)
    root = whole_photos(session, count)
    if session.wants("vipsthumbnail") and find("vipsthumbnail"):
        with session.attempt("vipsthumbnail"):
            thumbnails(session, root)
    if not session.wants("albumd"):
        return
    with session.attempt("albumd"), albumd(session, root, apps=("reqbench",), location=True) as daemon:
        with as_owner(daemon) as client:
            # What is read behind everything else is not measured here.
            await_described(client)
        with daemon.connect() as client:
            assets = ids(client)
            start = time.monotonic()
            client.send({"method": "io.albumd.Library.PreparePreviews", "parameters": {"ids": assets, "pixels": PIXELS},
                         "more": True})
            while client.receive()["completed"] < len(assets):
                pass
            session.record("previews", "albumd", per_s=len(assets) / (time.monotonic() - start))
        asked = session.number(5000, 200)
        for bench, method, more in (("OpenPreview", "OpenPreview", {"pixels": PIXELS}), ("OpenAsset", "OpenAsset", {})):
            call = {"method": f"io.albumd.Library.{method}", "parameters": {"id": assets[0], **more}}
            request = session.file(bench, message(call))
            values = session.run("reqbench", daemon.socket, "--request-file", request, "--n", asked, "--pid", daemon.pid)
            session.record("cached-preview", "albumd", state=bench, **values)


# --- T17

@contextlib.contextmanager
def reflinks(session):
    """A directory on a file system that shares what is copied (xfs)."""
    image, place = session.directory / "xfs.img", session.path("xfs")
    with open(image, "wb") as file:
        file.truncate(3 << 30)
    made("mkfs.xfs", "-q", "-f", "-m", "reflink=1", image)
    made("mount", "-o", "loop", image, place)
    try:
        yield place
    finally:
        made("umount", "-l", place)
        image.unlink()


def without_location(session, where, place):
    """OpenAsset for an app that may not know where, on one file system: files of which nothing is known, and again."""
    one = camera(session)
    count = session.number(100, 4)
    root = place / "library"
    (root / "asked").mkdir(parents=True)
    (root / "behind").mkdir()
    padded = one.jpeg.read_bytes()
    padded += bytes(max(0, JPEG_BYTES - len(padded)))
    # Asked for, and the oldest, so that they are read last.
    for number in range(count):
        path = root / "asked" / f"IMG_{number:04}.JPG"
        path.write_bytes(padded)
        os.utime(path, (1_000_000_000 + number, 1_000_000_000 + number))
    small = session.path("small") / "one.jpg"
    made("convert", "-size", "320x240", "plasma:", small)
    content = small.read_bytes()
    # What keeps albumd at reading others meanwhile: none of those that are asked for was read before.
    for number in range(session.number(20000, 500)):
        path = root / "behind" / f"IMG_{number:06}.JPG"
        path.write_bytes(content)
    # What changed a moment ago may change once more in the same moment, and is read again.
    time.sleep(SETTLED_SECONDS)
    if session.wants("c"):
        with session.attempt("c"):
            values = session.run("copyfile", root / "asked" / "IMG_0000.JPG", place, "--n", count)
            session.record(f"without-location-{where}", "c", **values)
    if session.wants("albumd"):
        # Copies that are too large for memory are made beside the index: on the library's file system here.
        with session.attempt("albumd"), albumd(session, root, place / "state") as daemon:
            with daemon.connect() as client:
                assets = ids(client, createdBefore="2002-01-01T00:00:00Z")[:count]
            if len(assets) != count:
                raise Failure(f"{len(assets)} of {count} photographs are there")
            calls = [message({"method": "io.albumd.Library.OpenAsset", "parameters": {"id": asset}}) for asset in assets]
            each = session.file("each", b"".join(calls))
            values = session.run("reqbench", daemon.socket, "--each-file", each, "--pid", daemon.pid)
            session.record(f"without-location-{where}", "albumd", state="first", **values)
            with as_owner(daemon) as client:
                await_described(client)
            request = session.file("again", calls[0])
            values = session.run("reqbench", daemon.socket, "--request-file", request, "--n", session.number(500, 20),
                                 "--warm", 20, "--pid", daemon.pid)
            session.record(f"without-location-{where}", "albumd", state="again", **values)
    shutil.rmtree(root)
    shutil.rmtree(place / "state", ignore_errors=True)


def copies(session):
    """T17: on a file system that shares what is copied, and on one that does not."""
    without_location(session, "copied", session.path("copied", fast=True))
    if os.getuid() != 0 or not find("mkfs.xfs"):
        return session.report("albumd", "a file system with reflinks needs root and xfsprogs")
    with session.attempt("xfs"), reflinks(session) as place:
        without_location(session, "shared", place)
    return None
