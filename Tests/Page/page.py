"""What the tests of the page stand on: albumd with a library, apps, albumweb, and a browser."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse

import scenes

# How long is waited for what comes (seconds): it ends what never would, and measures nothing. A machine that does other
# things as well takes its time.
PATIENCE = 300

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
APPS = {
    "wallpapers": ("org.example.Wallpapers", "Wallpapers", "壁纸", "Shows your photos as wallpapers and saves new ones.",
                   "将你的照片用作壁纸，并保存新的照片。"),
    "printer": ("org.example.Printer", "Photo Printer", "照片打印", "Prints your photos.", "打印你的照片。"),
    "maps": ("org.example.Maps", "Maps", "地图", "Draws your photos on a map.", "在地图上显示你的照片。"),
    "stickers": ("org.example.Stickers", "Stickers", "贴纸", "Makes stickers from the photos you choose.", "用你选择的照片制作贴纸。"),
    # More than a notification may say, and markup.
    "shouter": ("org.example.Shouter", "Shouter", "喇叭", "<a href='x'>Press & see</a> " + "long " * 60, "大声" * 200),
}


def wait(condition, what="it", seconds=PATIENCE, pause=0.02):
    """Until the condition holds, looked at again after each pause; what it gave."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(pause)
    raise TimeoutError(f"{what} did not come")


class World:
    """A directory with everything in it, which is gone afterwards."""

    def __init__(self, binaries, photos=0):
        self.bin = pathlib.Path(binaries).resolve()
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="albumd-page-"))
        self.processes = []
        self.apps = []
        for name in ("photos", "state", "apps.d", "policies.d", "bin", "web", "icons"):
            (self.directory / name).mkdir()
        if photos:
            self.fill(photos)
        user = subprocess.run(["id", "-un"], check=True, capture_output=True, text=True).stdout.strip()
        (self.directory / "albumd.yaml").write_text(
            f"roots: [{{path: {self.directory}/photos}}]\nowners: {{users: [{user}]}}\nstate: {self.directory}/state\n"
            "contentHashes: false\n")
        for program, (app, name, chinese, reason, grund) in APPS.items():
            shutil.copy(self.bin / "albumctl", self.directory / "bin" / program)
            (self.directory / "apps.d" / f"{app}.yaml").write_text(
                f"name: {{en: {name}, zh-Hans: {chinese}}}\nidentity: {{executable: {self.directory}/bin/{program}}}\n"
                f'usage:\n  readWrite: {{en: "{reason}", zh-Hans: "{grund}"}}\n'
                f'  addOnly: {{en: "{reason}", zh-Hans: "{grund}"}}\n'
                + (f'  location: {{en: "{reason}", zh-Hans: "{grund}"}}\n' if program == "maps" else "")
                + f"icon: {self.directory}/icons/{program}.svg\n")
        # An app in Python: an interpreter of its own.
        (self.directory / "bin" / "editor").write_bytes(pathlib.Path("/usr/bin/python3").resolve().read_bytes())
        (self.directory / "bin" / "editor").chmod(0o755)
        (self.directory / "apps.d" / "org.example.Editor.yaml").write_text(
            f"name: {{en: Editor, zh-Hans: 编辑器}}\nidentity: {{executable: {self.directory}/bin/editor}}\n"
            'usage:\n  readWrite: {en: "Edits your photos.", zh-Hans: "编辑你的照片。"}\n')
        for own in ("albumctl.yaml", "albumweb.yaml"):
            text = pathlib.Path("Config/apps.d", own).read_text().replace("/usr/bin/", f"{self.bin}/")
            (self.directory / "apps.d" / own).write_text(text)
        self.environment = {k: v for k, v in os.environ.items()
                            if k not in ("NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "LC_ALL", "LC_MESSAGES", "LANGUAGE")}
        self.environment |= {"ALBUMD_SOCKET": f"{self.directory}/io.albumd", "LANG": "C.UTF-8",
                             "XDG_RUNTIME_DIR": f"{self.directory}/web", "XDG_STATE_HOME": f"{self.directory}/web"}
        self.entry = self.directory / "web" / "albumweb" / "entry"
        self.environment["PYTHONPATH"] = str(pathlib.Path("python").resolve())
        # Nothing is shown on the desktop of whoever runs this.
        self.environment.pop("DBUS_SESSION_BUS_ADDRESS", None)
        self.environment.pop("STATE_DIRECTORY", None)
        self.environment.pop("RUNTIME_DIRECTORY", None)

    def start(self, *command, log):
        process = subprocess.Popen([str(part) for part in command], env=self.environment, stdin=subprocess.DEVNULL,
                                   stdout=open(self.directory / log, "a"), stderr=subprocess.STDOUT)
        self.processes.append(process)
        return process

    def fill(self, photos, small=False):
        scenes.library(self.directory / "photos", photos, small=small)

    def start_daemon(self, patience=PATIENCE, pause=0.02):
        self.daemon = self.start(self.bin / "albumd", "--config", self.directory / "albumd.yaml", "--socket",
                                 self.directory / "io.albumd", log="albumd.log")
        wait(lambda: '"state":"ready"' in self.ctl("info", "--owner", "--json").stdout, "the library", patience, pause)

    def start_page(self, *arguments, port=0):
        self.page = self.start(self.bin / "albumweb", "--listen", f"127.0.0.1:{port}", *arguments, log="albumweb.log")
        wait(self.answers, "the page")

    def answers(self):
        # The socket of one that was stopped may still be there.
        with contextlib.suppress(OSError):
            return self.link()

    def ctl(self, *arguments, check=False):
        return subprocess.run([str(self.bin / "albumctl"), *arguments], env=self.environment, check=check,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL)

    def known_apps(self):
        """Every app, with its access."""
        lines = self.ctl("apps", "--json", check=True).stdout.splitlines()
        return [json.loads(line) for line in lines]

    def assets(self, *arguments):
        """Every asset that an owner sees."""
        return [json.loads(line) for line in self.ctl("assets", "--owner", "--json", *arguments, check=True).stdout.splitlines()]

    def link(self):
        """A link that lets a browser in, as `albumctl page` asks for it."""
        with socket.socket(socket.AF_UNIX) as stream:
            stream.connect(str(self.entry))
            return stream.makefile().readline().strip()

    def app(self, program, *arguments):
        """An app that does something, and waits for what comes of it."""
        app = subprocess.Popen([str(self.directory / "bin" / program), *arguments], env=self.environment, text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.apps.append(app)
        return app

    def end_apps(self):
        """Nobody asks any more."""
        for app in self.apps:
            if app.poll() is None:
                app.kill()
            app.wait()
        self.apps = []

    def stop(self, process):
        process.terminate()
        process.wait(PATIENCE)

    def close(self):
        self.end_apps()
        for process in self.processes:
            if process.poll() is None:
                process.kill()
                process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


class Wire:
    """The page without a browser: what anybody could send."""

    def __init__(self, link):
        address = urllib.parse.urlsplit(link)
        self.host, self.port = address.hostname, address.port
        self.origin = f"http://{address.netloc}"
        self.enter = f"{address.path}?{address.query}"
        self.cookie = None
        self.token = None

    def send(self, method, path, body=None, headers=None, host=None):
        """Status, headers and body."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        if host != "":
            connection.putheader("Host", host or f"{self.host}:{self.port}")
        sent = {"Cookie": self.cookie} if self.cookie else {}
        for name, value in (sent | (headers or {})).items():
            if value is not None:
                connection.putheader(name, value)
        data = body.encode() if body is not None else None
        if data is not None:
            connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data)
        reply = connection.getresponse()
        text = reply.read().decode(errors="replace")
        connection.close()
        return reply.status, dict((k.lower(), v) for k, v in reply.getheaders()), text

    def come_in(self):
        status, headers, _ = self.send("GET", self.enter)
        assert status == 200, status
        self.cookie = headers["set-cookie"].split(";")[0]
        self.token = re.search(r'data-token="([^"]+)"', self.send("GET", "/")[2])[1]
        return headers["set-cookie"]

    def post(self, path, fields, **headers):
        sent = {"Origin": self.origin, "Content-Type": "application/x-www-form-urlencoded"} | headers
        return self.send("POST", path, urllib.parse.urlencode(fields, doseq=True), sent)
