"""Everything about the page, in a real browser and without one. Each test is called what it shows."""

import pathlib
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

from page import APPS, CHROMIUM, Wire, World, wait

TESTS = []


def test(function):
    TESTS.append(function)
    return function


# --- Who may come in, without a browser (S61) ---


@test
def a_code_works_once(world, _):
    """S61: a link lets in once, and tells nobody who guesses."""
    link = world.ctl("page", "--print", check=True).stdout.strip()
    cookie = Wire(link).come_in()
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie, cookie
    started = time.monotonic()
    status, headers, text = Wire(link).send("GET", Wire(link).enter)
    assert status == 403 and "set-cookie" not in headers, status
    assert time.monotonic() - started >= 1, "a wrong code is answered at once"
    assert "A wrong code" in (world.directory / "albumweb.log").read_text()


@test
def guesses_are_slow_and_keep_nobody_out(world, _):
    """S61: whoever guesses waits."""
    wire = Wire(world.link())
    replies = []
    guess = lambda: replies.append(wire.send("GET", "/enter?code=" + "A" * 43)[0])
    threads = [threading.Thread(target=guess) for _ in range(20)]
    for thread in threads:
        thread.start()
    Wire(world.link()).come_in()
    for thread in threads:
        thread.join()
    assert replies == [403] * 20, replies


@test
def another_name_is_refused(world, _):
    """S61: DNS rebinding."""
    wire = Wire(world.link())
    wire.come_in()
    for host in ("evil.example", f"evil.example:{wire.port}", "127.0.0.1", f"127.0.0.1.evil:{wire.port}"):
        assert wire.send("GET", "/", host=host)[0] == 421, host
    assert wire.send("GET", "/", host="")[0] in (400, 421)
    assert wire.send("GET", "/", host=f"localhost:{wire.port}")[0] == 200


@test
def a_form_of_another_page_changes_nothing(world, _):
    """S61: cross-site forms, with and without a token."""
    wire = Wire(world.link())
    wire.come_in()
    path = "/library/rescan"
    good = {"token": wire.token}
    assert wire.post(path, good)[0] == 303
    assert wire.post(path, good, Origin="http://evil.example")[0] == 403
    assert wire.post(path, good, Origin="null")[0] == 403
    assert wire.post(path, good, Origin=f"http://127.0.0.1:{wire.port + 1}")[0] == 403
    assert wire.post(path, good, Origin=None)[0] == 403
    assert wire.post(path, good, **{"Sec-Fetch-Site": "cross-site"})[0] == 403
    assert wire.post(path, {})[0] == 403, "without a token"
    other = Wire(world.link())
    other.come_in()
    assert wire.post(path, {"token": other.token})[0] == 403, "with another session's token"
    assert wire.send("GET", path)[0] == 404, "by GET"


@test
def nobody_frames_the_page_and_nothing_is_kept(world, _):
    """S61: what every answer says to the browser."""
    wire = Wire(world.link())
    for _ in range(2):
        for path in ("/", "/apps", "/enter", "/preview/1", "/static/none"):
            _, headers, text = wire.send("GET", path)
            assert "frame-ancestors 'none'" in headers["content-security-policy"], path
            assert headers["x-frame-options"] == "DENY" and headers["cache-control"] == "no-store", (path, headers)
            assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
        if not wire.cookie:
            wire.enter = urllib.parse.urlsplit(world.link())._replace(scheme="", netloc="").geturl()
            wire.come_in()


@test
def without_a_session_nothing_is_shown(world, _):
    """S61: no page and no preview without a session."""
    asset = world.ctl("assets", "--owner", "--json").stdout.split('"id":"')[1].split('"')[0]
    wire = Wire(world.link())
    for path in ("/", "/photos", f"/preview/{asset}", "/api/days", "/api/albums", "/events", "/log", "/prompt/1", "/sessions"):
        status, _, text = wire.send("GET", path)
        assert status == 401 and asset not in text, path
    assert wire.post("/deleted/purge", {"asset": asset, "sure": "1"})[0] == 401
    wire.come_in()
    status, headers, _ = wire.send("GET", f"/preview/{asset}")
    assert (status, headers["content-type"], headers["cache-control"]) == (200, "image/jpeg", "no-store"), headers


@test
def a_session_that_was_ended_is_none_also_on_an_open_page(world, browser):
    """S61: a session that is ended ends its open pages."""
    owner = Wire(world.link())
    owner.come_in()
    context = browser.new_context(viewport={"width": 900, "height": 700})
    page = context.new_page()
    page.goto(world.link())
    page.wait_for_url("**/")
    page.wait_for_timeout(500)
    text = owner.send("GET", "/sessions")[2]
    # Of those of one second any may be first.
    row = next(row for row in text.split('<li class="card">')[1:] if "HeadlessChrome" in row)
    name = row.split('name="name" value="')[1].split('"')[0]
    time.sleep(0.3)
    assert owner.post("/sessions/end", {"token": owner.token, "name": name})[0] == 303
    page.get_by_text("You are not signed in here").wait_for()
    context.close()


@test
def another_user_is_told_no_link(world, _):
    """S61: another local user at the socket."""
    entry = world.entry
    assert entry.stat().st_mode & 0o777 == 0o600 and entry.parent.stat().st_mode & 0o777 == 0o700
    # Also where directories would let them in.
    for path in (world.directory, entry.parent.parent, entry.parent):
        path.chmod(0o711)
    entry.chmod(0o666)
    program = ("import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); "
               "s.settimeout(5); print(repr(s.recv(999)))")
    reply = subprocess.run(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "/usr/bin/python3", "-c", program, str(entry)],
                           capture_output=True, text=True)
    entry.chmod(0o600)
    assert reply.stdout.strip() == "b''", reply
    assert "Somebody else" in (world.directory / "albumweb.log").read_text()


@test
def the_page_listens_for_this_computer_only(world, _):
    """S61: loopback addresses only."""
    for address in ("0.0.0.0:0", "[::]:0", "192.0.2.1:0", "localhost:0"):
        reply = subprocess.run([world.bin / "albumweb", "--listen", address], env=world.environment, capture_output=True, text=True)
        assert reply.returncode != 0 and "loopback" in reply.stderr, reply


@test
def too_much_is_refused(world, _):
    """S61: limits of headers and bodies."""
    wire = Wire(world.link())
    wire.come_in()
    assert wire.send("GET", "/", headers={"X-Long": "x" * 9000})[0] in (400, 431)
    with socket.create_connection((wire.host, wire.port), timeout=20) as stream:
        stream.sendall(f"POST /library/rescan HTTP/1.1\r\nHost: {wire.host}:{wire.port}\r\nOrigin: {wire.origin}\r\n"
                       f"Cookie: {wire.cookie}\r\nContent-Length: 99999999\r\n\r\n".encode())
        try:
            for _ in range(100):
                stream.sendall(b"a" * (1 << 20))
        except OSError:
            pass
        else:
            raise AssertionError("a hundred megabytes were taken")


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
    asking = ("import socket, sys; s = socket.socket(); s.connect((sys.argv[1], int(sys.argv[2]))); s.settimeout(10)\n"
              "try: s.sendall(sys.argv[3].encode()); print(repr(s.recv(99)))\nexcept ConnectionError: print('sent away')")
    reply = as_nobody(asking, wire.host, wire.port, request).communicate(timeout=20)[0].strip()
    assert reply in ("b''", "sent away"), reply
    # A socket that nobody has any more is root's in the kernel's table: what was sent by it must not be done.
    code = urllib.parse.parse_qs(urllib.parse.urlsplit(world.link()).query)["code"][0]
    entering = f"GET /enter?code={code} HTTP/1.1\r\nHost: {wire.host}:{wire.port}\r\n\r\n"
    closing = ("import socket, sys\nfor _ in range(200):\n  s = socket.socket(); s.connect((sys.argv[1], int(sys.argv[2])))\n"
               "  try: s.sendall(sys.argv[3].encode())\n  except ConnectionError: pass\n  s.close()")
    assert as_nobody(closing, wire.host, wire.port, entering).communicate(timeout=60)[0] == ""
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
             "  if number == 2000: print('begun', flush=True)\n  if len(held) > 3000: held.pop(0).close()\n")
    started = as_nobody(flood, wire.host, wire.port)
    assert started.stdout.readline() == "begun\n"
    slowest = 0
    while started.poll() is None:
        began = time.monotonic()
        assert wire.send("GET", "/sessions")[0] == 200
        slowest = max(slowest, time.monotonic() - began)
    assert started.stdout.read() == ""
    assert slowest < 5, slowest


@test
def connections_are_bounded_and_none_lasts_without_a_request(world, _):
    """S61: ten thousand of the owner's own, slow headers and bodies without an end."""
    wire = Wire(world.link())
    wire.come_in()
    host = f"Host: {wire.host}:{wire.port}\r\n"

    def dribble(head, drop, reply):
        """Sends a byte after the other until the page ends it."""
        with socket.create_connection((wire.host, wire.port), timeout=60) as stream:
            began = time.monotonic()
            stream.sendall(head.encode())
            stream.settimeout(0.2)
            text = b""
            while time.monotonic() - began < 60:
                try:
                    stream.sendall(drop)
                    part = stream.recv(4096)
                    if not part:
                        break
                    text += part
                except TimeoutError:
                    continue
                except OSError:
                    break
            reply.append((time.monotonic() - began, text))

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
        assert reply and reply[0][0] < 25, (name, reply)
    assert b" 408 " in replies["body"][0][1], replies["body"]
    # Answered at once, and not waited for.
    for name in ("body of a stranger", "body of a GET"):
        assert replies[name][0][0] < 5, (name, replies[name])

    held = []
    for _ in range(10_000):
        stream = socket.socket()
        stream.settimeout(20)
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
            stream = socket.create_connection((wire.host, wire.port), timeout=20)
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
def the_link_is_on_no_command_line_and_in_no_log(world, browser):
    """S61: the desktop opens a file that only the owner reads, and nothing is printed where no terminal is."""
    desktop = pathlib.Path("Config/albumweb.desktop").read_text()
    command = next(line for line in desktop.splitlines() if line.startswith("Exec=")).split()[1:]
    opener = world.directory / "opener"
    opener.mkdir(exist_ok=True)
    (opener / "xdg-open").write_text('#!/bin/sh\ntr "\\0" "\\n" < /proc/$$/cmdline > "$0.said.new"; mv "$0.said.new" "$0.said"\n')
    (opener / "xdg-open").chmod(0o755)
    said = opener / "xdg-open.said"
    said.unlink(missing_ok=True)
    environment = world.environment | {"DISPLAY": ":7", "PATH": f"{opener}:{world.environment['PATH']}"}
    reply = subprocess.run([str(world.bin / "albumctl"), *command], env=environment, capture_output=True, text=True, timeout=30)
    assert (reply.returncode, reply.stdout, reply.stderr) == (0, "", ""), reply
    arguments = wait(lambda: said.exists() and said.read_text(), what="the browser").split()
    file = pathlib.Path(arguments[-1])
    assert file.is_absolute() and file.stat().st_mode & 0o777 == 0o600 and file.parent.stat().st_mode & 0o777 == 0o700
    code = file.read_text().split("code=")[1].split('"')[0]
    assert len(code) == 43 and code not in " ".join(arguments)
    for log in world.directory.glob("*.log"):
        assert code not in log.read_text(), log
    context = browser.new_context()
    page = context.new_page()
    page.goto(file.as_uri())
    page.wait_for_url("http://127.0.0.1:*/")
    context.close()
    # Without a browser it says what to do, and not the link.
    reply = subprocess.run([str(world.bin / "albumctl"), *command], env=environment | {"PATH": "/nonexistent"}, capture_output=True, text=True, timeout=30)
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
               "s.connect(sys.argv[1]); s.settimeout(10)\n"
               "try: s.sendall(b'GET / HTTP/1.1\\r\\nHost: photos.example.org\\r\\n\\r\\n'); print(s.recv(12))\n"
               "except ConnectionError: print(b'')")
    ask = lambda uid: subprocess.run(["/usr/bin/python3", "-c", program, path, str(uid)], capture_output=True, text=True, timeout=30).stdout.strip()
    assert ask(65534) == "b'HTTP/1.1 401'", ask(65534)
    assert ask(1) == "b''", ask(1)
    world.stop(page)


# --- Prompts (S62) ---


def visit(world, browser, path="/", **options):
    """A browser that was let in."""
    settings = {"viewport": {"width": 1280, "height": 860}, "locale": "en-US"} | options
    context = browser.new_context(**settings)
    context.set_default_timeout(10_000)
    page = context.new_page()
    page.failures = []
    page.on("pageerror", lambda error: page.failures.append(str(error)))
    page.on("console", lambda message: page.failures.append(message.text) if message.type == "error" else None)
    page.goto(world.link())
    page.wait_for_url("**/")
    if path != "/":
        page.goto(page.url.rstrip("/") + path)
    page.wait_for_load_state("networkidle") if path == "none" else page.wait_for_timeout(150)
    return page


def reset(world):
    world.ctl("reset", "--all", "--yes")


@test
def a_prompt_appears_and_is_answered(world, browser):
    """S60, S62: a prompt of a real process, on two open pages."""
    reset(world)
    page = visit(world, browser)
    other = visit(world, browser, "/log")
    app = world.app("wallpapers", "request", "--level", "readWrite")
    page.locator(".sheet").wait_for()
    other.locator(".sheet").wait_for()
    text = page.locator(".sheet").inner_text()
    for part in ("Wallpapers", "org.example.Wallpapers", "Shows your photos as wallpapers", "Allow all photos", "Don't allow", "Not now"):
        assert part in text, (part, text)
    page.wait_for_timeout(600)
    page.get_by_role("button", name="Allow all photos").click()
    assert app.wait(10) == 0 and "authorized" in app.stdout.read()
    page.locator(".sheet").wait_for(state="detached")
    other.locator(".sheet").wait_for(state="detached")
    assert not page.failures and not other.failures, (page.failures, other.failures)
    page.context.close()
    other.context.close()


@test
def the_first_half_second_does_not_count(world, browser):
    """S62: no click-jacking by timing, neither by the page nor past it."""
    reset(world)
    page = visit(world, browser)
    app = world.app("wallpapers", "request", "--level", "readWrite")
    page.locator(".sheet").wait_for()
    # Faster than any person.
    page.evaluate("document.querySelector('.sheet button[value=allow]').click()")
    page.wait_for_timeout(200)
    assert app.poll() is None and page.locator(".sheet").count() == 1
    # A script that sends the form past the page is told the same by the server.
    other = Wire(world.link())
    other.come_in()
    prompt = page.locator(".sheet").get_attribute("data-prompt")
    status, _, text = other.post(f"/prompt/{prompt}", {"token": other.token, "decision": "allow"})
    assert status == 409 and app.poll() is None, (status, text)
    page.wait_for_timeout(700)
    page.get_by_role("button", name="Not now").click()
    app.wait(10)
    page.context.close()


@test
def a_prompt_leaves_when_the_app_goes_and_typing_is_not_disturbed(world, browser):
    """S62: withdrawn, and never in the way of what is typed."""
    reset(world)
    page = visit(world, browser, "/photos")
    page.locator("[type=search]").focus()
    app = world.app("printer", "request", "--level", "readWrite")
    page.locator(".sheet").wait_for()
    page.keyboard.type("lake")
    assert page.locator("[type=search]").input_value() == "lake"
    app.kill()
    page.locator(".sheet").wait_for(state="detached")
    page.get_by_text("the app does not wait any more").wait_for()
    page.context.close()


@test
def without_scripts_a_prompt_is_answered_too(world, browser):
    """S65: everything but what is live works without scripts."""
    reset(world)
    page = visit(world, browser, java_script_enabled=False)
    app = world.app("printer", "request", "--level", "readWrite")
    for _ in range(50):
        page.reload()
        if page.locator(".sheet").count():
            break
        time.sleep(0.1)
    time.sleep(0.6)
    page.get_by_role("link", name="Select photos").click()
    page.locator("noscript").first.wait_for(state="attached")
    page.locator("input[name=asset]").first.check()
    page.get_by_role("button", name="Done").click()
    assert app.wait(10) == 0 and "limited" in app.stdout.read()
    page.context.close()


@test
def the_daemon_comes_back_and_asks_here_again(world, browser):
    """S60: the page outlives the daemon."""
    reset(world)
    page = visit(world, browser)
    world.stop(world.daemon)
    world.start_daemon()
    time.sleep(0.5)
    app = wait_request(world, page)
    page.get_by_role("button", name="Don't allow").click()
    assert app.wait(10) == 3
    page.context.close()


def wait_request(world, page, program="wallpapers"):
    """An app asks until somebody is there to answer."""
    for _ in range(40):
        app = world.app(program, "request", "--level", "readWrite")
        try:
            page.locator(".sheet").wait_for(timeout=1500)
            page.wait_for_timeout(600)
            return app
        except Exception:
            app.kill()
    raise AssertionError("the page is no agent any more")


# --- Pictures (S63) ---


@test
def photos_are_picked_by_click_shift_keyboard_and_day(world, browser):
    """S63: selecting."""
    reset(world)
    page = visit(world, browser)
    app = world.app("stickers", "request", "--level", "readWrite")
    page.locator(".sheet").wait_for()
    page.wait_for_timeout(600)
    page.get_by_role("link", name="Select photos").click()
    cells = page.locator(".cell[aria-label*=IMG]")
    cells.first.wait_for()
    ordered = lambda number: page.locator(f".cell[aria-posinset='{number}']")
    count = page.locator(".count")
    ordered(1).click()
    assert count.inner_text() == "1 selected", count.inner_text()
    ordered(6).click(modifiers=["Shift"])
    assert count.inner_text() == "6 selected", count.inner_text()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    assert count.inner_text() == "7 selected", count.inner_text()
    page.keyboard.press("Space")
    assert count.inner_text() == "6 selected", count.inner_text()
    ordered(1).click()
    assert count.inner_text() == "5 selected", count.inner_text()
    page.get_by_role("button", name="Selected").click()
    page.locator(".cell:visible").nth(4).wait_for()
    assert page.locator(".cell:visible").count() == 5
    page.get_by_role("button", name="Done").click()
    assert app.wait(10) == 0 and "limited" in app.stdout.read()
    assert "5 of 5" in subprocess.run([world.directory / "bin" / "stickers", "assets"], env=world.environment, capture_output=True, text=True).stdout
    assert not page.failures, page.failures
    page.context.close()


@test
def a_folder_brings_what_lies_in_it(world, browser):
    """S63: whole albums, deeper ones included."""
    reset(world)
    page = visit(world, browser)
    app = world.app("stickers", "request", "--level", "readWrite")
    page.locator(".sheet").wait_for()
    page.wait_for_timeout(600)
    page.get_by_role("link", name="Select photos").click()
    page.get_by_role("button", name="Albums").click()
    page.get_by_label("Walks").check()
    assert page.get_by_label("Ridge").is_checked()
    assert "2 albums" in page.locator(".count").inner_text(), page.locator(".count").inner_text()
    page.get_by_role("button", name="Done").click()
    assert app.wait(10) == 0
    page.context.close()


@test
def nothing_selected_is_told_first(world, browser):
    """S63: what is not selected is told before it is granted."""
    reset(world)
    page = visit(world, browser)
    app = world.app("stickers", "request", "--level", "readWrite")
    page.locator(".sheet").wait_for()
    page.wait_for_timeout(600)
    page.get_by_role("link", name="Select photos").click()
    page.locator(".cell[aria-label*=IMG]").first.wait_for()
    page.get_by_role("button", name="Done").click()
    page.get_by_text("the app will see nothing").wait_for()
    assert app.poll() is None
    app.kill()
    page.context.close()


@test
def a_pick_keeps_to_its_limit(world, browser):
    """S63: limits as the app asked."""
    reset(world)
    page = visit(world, browser)
    (world.directory / "picked").mkdir()
    app = world.app("printer", "pick", "--limit", "2", "-o", str(world.directory / "picked"))
    page.locator(".sheet").wait_for()
    page.wait_for_timeout(600)
    page.get_by_role("link", name="Pick photos").click()
    page.locator(".cell[aria-label*=IMG]").first.wait_for()
    for number in (1, 2, 3):
        page.locator(f".cell[aria-posinset='{number}']").click()
    assert page.locator(".count").inner_text() == "2 selected"
    page.locator("#note", has_text="At most 2").wait_for()
    page.get_by_role("button", name="Done").click()
    assert app.wait(10) == 0, app.stdout.read()
    page.context.close()


# --- The other pages (S64) and how they are used (S65) ---

PAGES = ["/", "/photos", "/apps", "/log", "/deleted", "/library", "/sessions"]


@test
def an_app_is_seen_changed_and_forgotten(world, browser):
    """S64: an app and its access."""
    reset(world)
    world.ctl("allow", "org.example.Wallpapers", check=True)
    page = visit(world, browser, "/apps")
    page.get_by_role("link", name="Wallpapers").click()
    page.get_by_text("Sees all photos").wait_for()
    card = page.locator(".card", has_text="See photos and add to them")
    card.get_by_role("button", name="Don't allow").click()
    card.get_by_text("May not see photos").wait_for()
    card.get_by_role("button", name="Forget the decision").click()
    card.get_by_text("Nothing was decided yet").wait_for()
    assert not page.failures, page.failures
    page.context.close()


@test
def what_was_deleted_returns(world, browser):
    """S64: deletion with pictures, and back."""
    reset(world)
    world.ctl("allow", "org.example.Printer", check=True)
    page = visit(world, browser)
    asset = world.ctl("assets", "--owner", "--json").stdout.split('"id":"')[1].split('"')[0]
    app = world.app("printer", "delete", asset)
    page.locator(".sheet").wait_for()
    page.locator(".sheet img").first.wait_for()
    page.wait_for_timeout(600)
    page.get_by_role("button", name="Delete").click()
    assert app.wait(10) == 0, app.stdout.read()
    page.goto(page.url.rstrip("/") + "/deleted")
    page.locator("input[name=asset]").first.check()
    page.get_by_role("button", name="Remove for good").click()
    page.get_by_text("Nothing brings it back").wait_for()
    page.get_by_role("link", name="Back").click()
    page.locator("input[name=asset]").first.check()
    page.get_by_role("button", name="Restore").click()
    page.get_by_text("Nothing that was deleted is kept").wait_for()
    page.context.close()


@test
def everything_is_well_for_axe_in_light_and_dark(world, browser):
    """S65: no serious finding of axe."""
    from axe_playwright_python.sync_playwright import Axe

    reset(world)
    for scheme in ("light", "dark"):
        page = visit(world, browser, color_scheme=scheme)
        home = page.url.rstrip("/")
        app = world.app("wallpapers", "request", "--level", "readWrite")
        page.locator(".sheet").wait_for()
        page.wait_for_timeout(600)
        paths = ["the prompt"] + PAGES
        for path in paths:
            if path != "the prompt":
                page.goto(home + path)
                page.wait_for_timeout(400)
            bad = [(v["id"], [n["html"][:120] for n in v["nodes"][:3]]) for v in Axe().run(page).response["violations"]
                   if v["impact"] in ("serious", "critical")]
            assert not bad, (scheme, path, bad)
            if path == "the prompt":
                page.get_by_role("link", name="Select photos").click()
                page.locator(".cell[aria-label*=IMG]").first.wait_for()
                bad = [(v["id"], [n["html"][:120] for n in v["nodes"][:3]]) for v in Axe().run(page).response["violations"]
                       if v["impact"] in ("serious", "critical")]
                assert not bad, (scheme, "the picker", bad)
                app.kill()
        page.context.close()


@test
def nothing_is_wider_than_a_small_phone_nor_lost_at_200_percent(world, browser):
    """S65: 360 pixels, and 200 %."""
    reset(world)
    for width, scale in ((360, 2), (640, 1)):
        page = visit(world, browser, viewport={"width": width, "height": 740}, device_scale_factor=scale)
        home = page.url.rstrip("/")
        app = world.app("wallpapers", "request", "--level", "readWrite")
        page.locator(".sheet").wait_for()
        for path in ["the prompt"] + PAGES:
            if path != "the prompt":
                page.goto(home + path)
                page.wait_for_timeout(300)
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, (width, path, wide)
            if path == "the prompt":
                app.kill()
        page.context.close()


@test
def the_keyboard_is_enough(world, browser):
    """S65: by keyboard alone."""
    reset(world)
    page = visit(world, browser)
    app = world.app("wallpapers", "request", "--level", "readWrite")
    page.locator(".sheet").wait_for()
    page.wait_for_timeout(600)
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.value") == "deny":
            break
    page.keyboard.press("Enter")
    assert app.wait(10) == 3
    page.context.close()


@test
def it_speaks_chinese(world, browser):
    """S64: English and Simplified Chinese."""
    reset(world)
    page = visit(world, browser, locale="zh-CN")
    page.get_by_role("heading", name="照片权限").wait_for()
    for path in PAGES:
        page.goto(page.url.rstrip("/") if path == "/" else urllib.parse.urljoin(page.url, path))
        assert page.locator("html").get_attribute("lang") == "zh-Hans"
    page.context.close()


def main():
    from playwright.sync_api import sync_playwright

    wanted = sys.argv[2:]
    world = World(sys.argv[1], photos=400)
    failed = 0
    try:
        world.start_daemon()
        world.start_page()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for function in TESTS:
                if wanted and not any(word in function.__name__ for word in wanted):
                    continue
                name = function.__name__.replace("_", " ")
                started = time.monotonic()
                try:
                    function(world, browser)
                    print(f"ok    {name} ({time.monotonic() - started:.1f} s)", flush=True)
                except Exception as error:
                    failed += 1
                    print(f"FAILED {name}: {type(error).__name__}: {error}", flush=True)
                world.end_apps()
                for context in list(browser.contexts):
                    context.close()
            browser.close()
        if failed:
            print((world.directory / "albumweb.log").read_text()[-3000:])
    finally:
        world.close()
    sys.exit(1 if failed else 0)


main()
