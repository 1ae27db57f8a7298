"""Who may come in, and what they may take: other users, sessions, connections and links (S60, S61)."""

import contextlib
import http.server
import os
import pathlib
import re
import signal
import socket
import subprocess
import threading
import time
import urllib.parse

from browsing import reset, test
from page import PATIENCE, Wire, wait


def as_nobody(program, *arguments, **options):
    """A program of another user of this computer."""
    command = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "/usr/bin/python3", "-c", program]
    return subprocess.Popen([*command, *map(str, arguments)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


@test
def another_user_is_sent_away_before_anything_is_read(world, _):
    """S61: another local user at the port, with a session's cookie, and with a connection that he has closed again."""
    reset(world)
    wire = Wire(world.link())
    wire.come_in()
    before = wire.send("GET", "/sessions")[2].count('name="name"')
    request = (f"GET / HTTP/1.1\r\nHost: {wire.host}:{wire.port}\r\nCookie: {wire.cookie}\r\n\r\n")
    asking = ("import socket, sys; s = socket.socket(); s.connect((sys.argv[1], int(sys.argv[2]))); s.settimeout(300)\n"
              "try: s.sendall(sys.argv[3].encode()); print(repr(s.recv(99)))\nexcept ConnectionError: print('sent away')")
    reply = as_nobody(asking, wire.host, wire.port, request).communicate(timeout=PATIENCE)[0].strip()
    assert reply in ("b''", "sent away"), reply
    # A socket that nobody has any more is root's in the kernel's table: what was sent by it must not be done.
    code = urllib.parse.parse_qs(urllib.parse.urlsplit(world.link()).query)["code"][0]
    entering = f"GET /enter?code={code} HTTP/1.1\r\nHost: {wire.host}:{wire.port}\r\n\r\n"
    closing = ("import socket, sys\nfor _ in range(200):\n  s = socket.socket(); s.connect((sys.argv[1], int(sys.argv[2])))\n"
               "  try: s.sendall(sys.argv[3].encode())\n  except ConnectionError: pass\n  s.close()")
    assert as_nobody(closing, wire.host, wire.port, entering).communicate(timeout=PATIENCE)[0] == ""
    assert wire.send("GET", "/sessions")[2].count('name="name"') == before, "a closed connection let somebody in"
    assert "another user" in (world.directory / "albumweb.log").read_text()


@test
def ten_thousand_connections_of_another_user_keep_nobody_out(world, _):
    """S61: connections of others take no place."""
    wire = Wire(world.link())
    wire.come_in()
    flood = ("import resource, socket, sys\nresource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))\nheld = []\n"
             "for number in range(10000):\n  s = socket.socket(); held.append(s)\n"
             "  try: s.connect((sys.argv[1], int(sys.argv[2])))\n  except OSError: pass\n"
             "  if number in (2000, 9999): print('held', flush=True)\n  if len(held) > 3000: held.pop(0).close()\n"
             "sys.stdin.read()\n")
    started = as_nobody(flood, wire.host, wire.port, stdin=subprocess.PIPE)
    for _ in range(2):
        assert started.stdout.readline() == "held\n"
        for _ in range(20):
            assert wire.send("GET", "/sessions")[0] == 200
    # All this while it holds on to its connections: who is kept out by them would be for ever.
    assert started.poll() is None
    assert started.communicate(timeout=PATIENCE)[0] == "" and started.returncode == 0


@test
def connections_are_bounded_and_none_lasts_without_a_request(world, _):
    """S61: ten thousand of the owner's own, slow headers and bodies without an end."""
    wire = Wire(world.link())
    wire.come_in()
    host = f"Host: {wire.host}:{wire.port}\r\n"

    def dribble(head, drop, reply):
        """Sends a byte after the other until the page ends it."""
        with socket.create_connection((wire.host, wire.port), timeout=PATIENCE) as stream:
            began = time.monotonic()
            stream.sendall(head.encode())
            stream.settimeout(0.2)
            text, is_ended = b"", False
            while time.monotonic() - began < PATIENCE and not is_ended:
                try:
                    stream.sendall(drop)
                    part = stream.recv(4096)
                    text += part
                    is_ended = not part
                except TimeoutError:
                    continue
                except OSError:
                    is_ended = True
            reply.append((is_ended, text))

    slow = {
        "headers": (f"GET / HTTP/1.1\r\n{host}X-Long: ", b"a"),
        "nothing": ("", b""),
        "body": (f"POST /library/rescan HTTP/1.1\r\n{host}Origin: {wire.origin}\r\nCookie: {wire.cookie}\r\nContent-Length: 4000\r\n\r\n", b"a"),
        "body of a stranger": (f"POST /enter HTTP/1.1\r\n{host}Origin: {wire.origin}\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
        "body of a GET": (f"GET /sessions HTTP/1.1\r\n{host}Cookie: {wire.cookie}\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
    }
    replies = {name: [] for name in slow}
    threads = [threading.Thread(target=dribble, args=(*slow[name], replies[name])) for name in slow]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name, reply in replies.items():
        assert reply and reply[0][0], (name, reply)
    assert b" 408 " in replies["body"][0][1], replies["body"]
    # Answered at once, and not waited for: then they would be told that it took too long.
    for name in ("body of a stranger", "body of a GET"):
        assert b" 408 " not in replies[name][0][1], (name, replies[name])

    held = []
    for _ in range(10_000):
        stream = socket.socket()
        stream.settimeout(PATIENCE)
        stream.connect((wire.host, wire.port))
        held.append(stream)
        if len(held) > 500:
            held.pop(0).close()
    # Those that have a place are still open; of the last 500 most were sent away.
    page = pathlib.Path(f"/proc/{world.page.pid}/fd")
    wait(lambda: len(list(page.iterdir())) < 200, what="the bound of connections")
    for stream in held:
        stream.close()
    wait(lambda: comes_through(wire), what="a place for the owner")


@test
def who_holds_on_to_connections_without_a_session_keeps_nobody_out(world, _):
    """S61: a program of the same user that has no session takes every place, again and again; what it writes is few lines."""
    wire = Wire(world.link())
    wire.come_in()
    log = world.directory / "albumweb.log"
    before = log.stat().st_size
    ends = threading.Event()

    def hold():
        held = []
        while not ends.is_set():
            stream = socket.socket()
            held.append(stream)
            # Who makes room for others is told so when it writes.
            with contextlib.suppress(OSError):
                stream.connect((wire.host, wire.port))
                stream.sendall(b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n" if len(held) % 2 else b"GET / HT")
            if len(held) > 300:
                held.pop(0).close()
        for stream in held:
            stream.close()

    holder = threading.Thread(target=hold)
    holder.start()
    started = time.monotonic()
    try:
        # Where the machine is late, as many as have places may come before the head of a request is read.
        kept_out = sum(not comes_through(wire) for _ in range(100))
        assert kept_out <= 5, kept_out
    finally:
        ends.set()
        holder.join()
    assert "has too many connections" in log.read_text()[before:], "the places were not taken"
    assert log.stat().st_size - before < 400 * (2 + 4 * (time.monotonic() - started)), "a line for each"


def comes_through(wire):
    try:
        return wire.send("GET", "/sessions")[0] == 200
    except OSError:
        return False


@test
def live_pages_end_with_their_session_alone(world, _):
    """S61: of two sessions with live pages, one is ended."""
    reset(world)
    sessions = [Wire(world.link()) for _ in range(2)]
    streams = []
    for number, wire in enumerate(sessions):
        wire.enter = urllib.parse.urlsplit(world.link())._replace(scheme="", netloc="").geturl()
        status, headers, _ = wire.send("GET", wire.enter, headers={"User-Agent": f"Browser {number}"})
        wire.cookie = headers["set-cookie"].split(";")[0]
        wire.token = wire.send("GET", "/")[2].split('data-token="')[1].split('"')[0]
        for _ in range(2):
            stream = socket.create_connection((wire.host, wire.port), timeout=PATIENCE)
            stream.sendall(f"GET /events HTTP/1.1\r\nHost: {wire.host}:{wire.port}\r\nCookie: {wire.cookie}\r\n\r\n".encode())
            reader = stream.makefile("rb")
            assert b" 200 " in reader.readline()
            until(reader, b"event: prompt")
            streams.append((stream, reader))
    text = sessions[0].send("GET", "/sessions")[2]
    row = next(row for row in text.split('<li class="card">')[1:] if "Browser 1" in row)
    name = row.split('name="name" value="')[1].split('"')[0]
    assert sessions[0].post("/sessions/end", {"token": sessions[0].token, "name": name})[0] == 303
    for _, reader in streams[2:]:
        until(reader, b"event: ended")
        reader.read()
    for path in ("/", "/events"):
        assert sessions[1].send("GET", path)[0] == 401, path
    # The other session's pages go on.
    app = wait_prompt(world, sessions[0])
    for _, reader in streams[:2]:
        until(reader, b"org.example.Wallpapers")
    app.kill()
    for stream, reader in streams:
        reader.close()
        stream.close()


def until(reader, text):
    """Reads lines until one holds the text."""
    while line := reader.readline():
        if text in line:
            return line
    raise AssertionError(f"{text} did not come")


def wait_prompt(world, wire):
    """An app asks until the page is there to be asked; it goes on waiting."""
    for _ in range(100):
        app = world.app("wallpapers", "request", "--level", "readWrite")
        while app.poll() is None:
            if 'data-prompt="' in wire.send("GET", "/")[2]:
                return app
    raise AssertionError("nobody asked")


@test
def sessions_outlive_the_page_and_its_file_lets_nobody_in(world, _):
    """S60, S61: restarted, the page knows who was let in; who reads its file does not get in."""
    wire = Wire(world.link())
    wire.come_in()
    file = world.directory / "web" / "albumweb" / "sessions"
    wait(lambda: file.exists() and file.stat().st_size, what="the file of sessions")
    assert file.stat().st_mode & 0o777 == 0o600
    text = file.read_text()
    assert wire.cookie.split("=")[1] not in text and wire.token not in text
    for word in text.split():
        assert wire.send("GET", "/", headers={"Cookie": f"albumd={word}"})[0] == 401
    world.stop(world.page)
    world.start_page()
    again = Wire(world.link())
    again.cookie, again.token = wire.cookie, wire.token
    assert again.send("GET", "/sessions")[0] == 200
    assert again.post("/library/rescan", {"token": again.token})[0] == 303, "the token is another one"


@test
def it_ends_well_in_the_middle_of_what_is_asked(world, _):
    """S60: told to end while others connect, ask and hang up, it ends at once and with success."""
    for number in (signal.SIGTERM, signal.SIGINT):
        where = Wire(world.link())
        is_over = threading.Event()

        def hang_up():
            while not is_over.is_set():
                with contextlib.suppress(OSError), socket.create_connection((where.host, where.port), 5) as connection:
                    connection.sendall(f"GET / HTTP/1.1\r\nHost: {where.host}:{where.port}\r\n\r\n".encode())
        askers = [threading.Thread(target=hang_up) for _ in range(3)]
        for asker in askers:
            asker.start()
        assert where.send("GET", "/")[0] == 401
        world.page.send_signal(number)
        try:
            assert world.page.wait(PATIENCE) == 0
        finally:
            is_over.set()
            for asker in askers:
                asker.join()
            world.start_page()


@contextlib.contextmanager
def listening(heard):
    """Another program at another port: what browsers send it."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            heard.append(str(self.headers))
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"hi")

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def desktop_command(*addresses):
    """What the desktop starts, without the program: with the addresses that it is to open (Desktop Entry Specification, %u)."""
    desktop = pathlib.Path("Config/albumweb.desktop").read_text()
    words = next(line for line in desktop.splitlines() if line.startswith("Exec=")).split()[1:]
    assert words[-1] == "%u", words
    return words[:-1] + list(addresses)


@test
def the_link_is_on_no_command_line_and_in_no_log(world, browser):
    """S61: the desktop opens a file that only the owner reads, and nothing is printed where no terminal is."""
    command = desktop_command()
    opener = world.directory / "opener"
    opener.mkdir(exist_ok=True)
    (opener / "xdg-open").write_text('#!/bin/sh\ntr "\\0" "\\n" < /proc/$$/cmdline > "$0.said.new"; mv "$0.said.new" "$0.said"\n')
    (opener / "xdg-open").chmod(0o755)
    said = opener / "xdg-open.said"
    said.unlink(missing_ok=True)
    environment = world.environment | {"DISPLAY": ":7", "PATH": f"{opener}:{world.environment['PATH']}"}
    reply = subprocess.run([str(world.bin / "albumctl"), *command], env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert (reply.returncode, reply.stdout, reply.stderr) == (0, "", ""), reply
    arguments = wait(lambda: said.exists() and said.read_text(), what="the browser").split()
    file = pathlib.Path(arguments[-1])
    assert file.is_absolute() and file.stat().st_mode & 0o777 == 0o600 and file.parent.stat().st_mode & 0o777 == 0o700
    code = file.read_text().split("code=")[1].split('"')[0]
    assert len(code) == 43 and code not in " ".join(arguments)
    for log in world.directory.glob("*.log"):
        assert code not in log.read_text(), log
    context = browser.new_context()
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    page.goto(file.as_uri())
    # By the name that nobody guesses: to no other is its cookie sent.
    page.wait_for_url(re.compile(r"http://[a-z2-7]{26}\.localhost:\d+/$"))
    page.get_by_role("heading").first.wait_for()
    assert [cookie["domain"] for cookie in context.cookies()] == [urllib.parse.urlsplit(page.url).hostname], context.cookies()
    heard = []
    with listening(heard) as port:
        for host in ("127.0.0.1", "localhost", "x.localhost"):
            page.goto(f"http://{host}:{port}/")
        page.reload()
    assert len(heard) >= 4 and not any("cookie" in request.lower() for request in heard), heard
    context.close()
    # Without a browser it says what to do, and not the link.
    reply = subprocess.run([str(world.bin / "albumctl"), *command], env=environment | {"PATH": "/nonexistent"}, capture_output=True, text=True, timeout=PATIENCE)
    assert reply.returncode != 0 and reply.stdout == "" and "albumctl page" in reply.stderr and "code=" not in reply.stderr, reply


@test
def behind_a_web_server_its_user_comes_in_and_nobody_else(world, _):
    """S61: a page at a Unix socket, by the peer's user."""
    path = world.directory / "http"
    world.directory.chmod(0o711)
    page = world.start(world.bin / "albumweb", "--listen", f"unix:{path}", "--origin", "https://photos.example.org",
                       "--web-server", "nobody", "--entry", world.directory / "entry2", "--state", world.directory / "state2", log="behind.log")
    wait(lambda: path.exists() and path.stat().st_mode & 0o777 == 0o666, what="the socket")
    program = ("import os, socket, sys; os.setgroups([]); os.setuid(int(sys.argv[2])); s = socket.socket(socket.AF_UNIX)\n"
               "s.connect(sys.argv[1]); s.settimeout(300)\n"
               "try: s.sendall(b'GET / HTTP/1.1\\r\\nHost: photos.example.org\\r\\n\\r\\n'); print(s.recv(12))\n"
               "except ConnectionError: print(b'')")
    ask = lambda uid: subprocess.run(["/usr/bin/python3", "-c", program, path, str(uid)], capture_output=True, text=True, timeout=PATIENCE).stdout.strip()
    assert ask(65534) == "b'HTTP/1.1 401'", ask(65534)
    assert ask(1) == "b''", ask(1)
    world.stop(page)


@test
def who_asked_while_nobody_was_there_is_shown(world, _):
    """S12, S62: told so, or waiting until it gave up."""
    reset(world)
    world.stop(world.page)
    refused = world.app("printer", "request", "--level", "readWrite")
    said = refused.communicate(timeout=PATIENCE)[0]
    assert refused.returncode == 4 and "albumctl agent" in said and "albumctl page" in said, (refused.returncode, said)
    asked = lambda: "noAgent" in world.ctl("log", "--app", "org.example.Stickers", "--json").stdout

    def gives_up():
        # Connected and waiting: then it goes.
        app = world.app("stickers", "request", "--level", "readWrite", "--wait")
        wait(lambda: len(list(pathlib.Path(f"/proc/{app.pid}/fd").iterdir())) > 3, what="the app's connection")
        wait(lambda: pathlib.Path(f"/proc/{app.pid}/wchan").read_text() != "0", what="the app's waiting")
        app.kill()
        app.wait()
        return asked()

    wait(gives_up, what="a request that nobody saw")
    world.start_page()
    wire = Wire(world.link())
    wire.come_in()
    text = wire.send("GET", "/")[2].split("Asked while nobody was there")[1].split("</section>")[0]
    assert "org.example.Printer" in text and "org.example.Stickers" in text, text


@test
def the_desktop_starts_a_page_that_does_not_run(world, _):
    """S61: by the user's unit; and where there is none, it is said where the page would be."""
    world.stop(world.page)
    directory = world.directory / "unit"
    directory.mkdir()
    opened, started = directory / "opened", directory / "started"
    (directory / "xdg-open").write_text(f'#!/bin/sh\ncp "$1" "{opened}.new"; mv "{opened}.new" "{opened}"\n')
    (directory / "systemctl").write_text(
        f'#!/bin/sh\necho "$@" > "{started}.asked"\n[ -e "{directory}/unit" ] || exit 5\n'
        f'"{world.bin}/albumweb" --listen 127.0.0.1:0 >> "{world.directory}/albumweb.log" 2>&1 &\necho $! > "{started}"\n')
    for program in ("xdg-open", "systemctl"):
        (directory / program).chmod(0o755)
    environment = world.environment | {"PATH": f"{directory}:{world.environment['PATH']}"}

    def opens():
        opened.unlink(missing_ok=True)
        reply = subprocess.run([str(world.bin / "albumctl"), *desktop_command()], env=environment, capture_output=True, text=True,
                               timeout=PATIENCE)
        return reply, wait(lambda: opened.exists() and opened.read_text(), what="the browser")

    try:
        reply, page = opens()
        assert reply.returncode != 0 and "not running" in reply.stderr, reply
        assert "The page is not running" in page and "url=" not in page, page
        (directory / "unit").touch()
        reply, page = opens()
        assert reply.returncode == 0 and "/enter?code=" in page, (reply, page)
        asked = pathlib.Path(f"{started}.asked").read_text().split()
        assert asked[0] == "--user" and asked[-2:] == ["start", "albumweb.service"], asked
    finally:
        if started.exists():
            process = int(started.read_text())
            os.kill(process, signal.SIGTERM)
            wait(lambda: not pathlib.Path(f"/proc/{process}/cmdline").exists() or not pathlib.Path(f"/proc/{process}/cmdline").read_bytes(),
                 what="its end")
        world.start_page()
