"""The page behind Debian's nginx, by the configuration that docs/page.md shows (S61). Each test is called what it shows."""

import contextlib
import http.client
import pathlib
import re
import shutil
import socket
import subprocess
import threading

from browsing import reset, test
from page import PATIENCE, wait

NAME = "photos.example.org"


def connect(path):
    stream = socket.socket(socket.AF_UNIX)
    stream.settimeout(PATIENCE)
    stream.connect(str(path))
    return stream


@contextlib.contextmanager
def web_server(world):
    """A page at a Unix socket, and nginx before it; where nginx listens, and where the page is asked for a link."""
    directory = world.directory / "behind"
    directory.mkdir()
    for place in (world.directory, directory):
        place.chmod(0o711)
    path, entry, front = directory / "http", directory / "entry", directory / "front"
    # Prompts are shown to one agent.
    world.stop(world.page)
    page = world.start(world.bin / "albumweb", "--listen", f"unix:{path}", "--origin", f"https://{NAME}", "--web-server", "www-data",
                       "--entry", entry, "--state", directory / "state", log="proxy.log")
    wait(lambda: path.exists() and path.stat().st_mode & 0o777 == 0o666 and entry.exists(), "the page")
    shown = re.search(r"```nginx\n(.*?)```", pathlib.Path("docs/page.md").read_text(), re.DOTALL)[1]
    assert "unix:/run/albumweb/http;" in shown, shown
    location = shown.replace("/run/albumweb/http", str(path))
    configuration = directory / "nginx.conf"
    configuration.write_text(
        f"user www-data;\npid {directory}/pid;\ndaemon off;\nerror_log {directory}/errors;\nevents {{}}\n"
        f"http {{ access_log off; server {{ listen unix:{front}; server_name {NAME};\n{location}}} }}\n")
    server = subprocess.Popen(["nginx", "-c", str(configuration)], stderr=subprocess.DEVNULL)

    def listens():
        with contextlib.suppress(OSError):
            connect(front).close()
            return True

    try:
        wait(listens, "nginx")
        yield front, entry
    finally:
        server.terminate()
        server.wait()
        world.end_apps()
        world.stop(page)
        shutil.rmtree(directory)
        world.start_page()


def send(front, method, path, headers, body=None):
    """The answer, of which nothing is read yet."""
    connection = http.client.HTTPConnection(NAME, timeout=PATIENCE)
    connection.sock = connect(front)
    connection.request(method, path, body, headers)
    return connection.getresponse()


@test
def the_page_is_behind_a_web_server(world, _):
    """S61, S62: names and origins are checked there too, the cookie is a secure one, and prompts come at once."""
    reset(world)
    with web_server(world) as (front, entry):
        with connect(entry) as stream:
            link = stream.makefile().readline().strip()
        assert link.startswith(f"https://{NAME}/enter?code="), "another link"
        reply = send(front, "GET", link.removeprefix(f"https://{NAME}"), {})
        cookie = reply.getheader("Set-Cookie")
        assert reply.status == 200 and cookie.startswith("__Host-") and "Secure" in cookie, reply.status
        own = {"Cookie": cookie.split(";")[0]}
        token = re.search(r'data-token="([^"]+)"', send(front, "GET", "/", own).read().decode())[1]
        form = own | {"Content-Type": "application/x-www-form-urlencoded"}
        for origin, status in ((f"https://{NAME}", 303), ("https://evil.example", 403)):
            assert send(front, "POST", "/library/rescan", form | {"Origin": origin}, f"token={token}").status == status, origin
        assert send(front, "GET", "/", own | {"Host": "evil.example"}).status == 421
        events = send(front, "GET", "/events", own)
        assert events.status == 200 and events.getheader("Content-Type") == "text/event-stream"
        heard = threading.Event()

        def listen():
            if any(b"org.example.Wallpapers" in line for line in events):
                heard.set()

        threading.Thread(target=listen, daemon=True).start()

        def asked():
            # Who asks before the page is an agent is told so at once.
            app = world.app("wallpapers", "request", "--level", "readWrite")
            return wait(lambda: heard.is_set() or app.poll() is not None, "an answer") and heard.is_set()

        wait(asked, "the prompt")
