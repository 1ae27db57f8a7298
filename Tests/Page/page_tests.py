"""Everything about the page, in a real browser and without one. Each test is called what it shows."""

import contextlib
import importlib
import os
import pathlib
import socket
import subprocess
import sys
import threading
import time
import traceback
import urllib.parse

from browsing import test, TESTS, visit
from page import CHROMIUM, PATIENCE, wait, Wire, World
from patience import ended
from trouble import wire


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
    # A whole address in the first line takes the place of Host (RFC 9112, section 3.2.2).
    own = f"{wire.host}:{wire.port}"
    for target in ("http://evil.example/", f"http://{own}.evil/", f"http://x@{own}/", "http://evil.example"):
        assert wire.send("GET", target)[0] == 421, target
    assert wire.send("GET", f"http://{own}/", host="evil.example")[0] == 421
    for target in (f"http://{own}/", f"HTTP://{own}/sessions"):
        assert wire.send("GET", target)[0] == 200, target
    assert wire.send("POST", "http://evil.example/library/rescan", "token=" + wire.token, {"Origin": wire.origin})[0] == 421


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
        assert "albumctl page --qr" in text and "sudo albumctl page" in text, text
    assert wire.post("/deleted/purge", {"asset": asset, "sure": "1"})[0] == 401
    wire.come_in()
    status, headers, _ = wire.send("GET", f"/preview/{asset}")
    assert (status, headers["content-type"], headers["cache-control"]) == (200, "image/jpeg", "no-store"), headers


@test
def a_session_that_was_ended_is_none_also_on_an_open_page(world, browser):
    """S61: a session that is ended ends its open pages."""
    owner = Wire(world.link())
    owner.come_in()
    page = visit(world, browser)
    text = owner.send("GET", "/sessions")[2]
    # Of those of one second any may be first.
    row = next(row for row in text.split('<li class="card">')[1:] if "HeadlessChrome" in row)
    name = row.split('name="name" value="')[1].split('"')[0]
    assert owner.post("/sessions/end", {"token": owner.token, "name": name})[0] == 303
    page.get_by_text("You are not signed in here").wait_for()
    page.context.close()


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
               "s.settimeout(300); print(repr(s.recv(999)))")
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
    with socket.create_connection((wire.host, wire.port), timeout=PATIENCE) as stream:
        stream.sendall(f"POST /library/rescan HTTP/1.1\r\nHost: {wire.host}:{wire.port}\r\nOrigin: {wire.origin}\r\n"
                       f"Cookie: {wire.cookie}\r\nContent-Length: 99999999\r\n\r\n".encode())
        try:
            for _ in range(100):
                stream.sendall(b"a" * (1 << 20))
        except OSError:
            pass
        else:
            raise AssertionError("a hundred megabytes were taken")


def main():
    from playwright.sync_api import sync_playwright

    for name in ("access_tests", "browser_tests", "prompt_tests", "picker_tests", "place_tests", "everybody_tests", "desktop_tests", "proxy_tests",
                 "certificate_tests",
                 "policy_tests", "asking_tests", "kind_tests", "owner_tests", "wish_tests", "flag_tests",
                 "selection_tests", "settings_tests", "moment_tests", "line_tests", "large_tests"):
        importlib.import_module(name)
    wanted = sys.argv[2:]
    world = World(sys.argv[1], photos=400)
    failed = []
    try:
        world.start_daemon()
        world.start_page()
        with sync_playwright() as playwright:
            browsers = Browsers(playwright)
            chosen = [function for function in TESTS if not wanted or any(word in function.__name__ for word in wanted)]
            failed = [function for function in chosen if not passes(function, world, browsers)]
            # As for `make unit` (scripts/swift-test).
            if os.environ.get("ONCE_MORE") == "1" and 1 <= len(failed) <= 3:
                print("Once more:", flush=True)
                flaky, failed = failed, [function for function in failed if not passes(function, world, browsers)]
                if not failed:
                    line = "FLAKY, passed the second time: " + ", ".join(function.__name__ for function in flaky)
                    print(line)
                    with pathlib.Path(".build/flaky").open("a") as file:
                        file.write(line + "\n")
            browsers.close()
        if failed:
            print((world.directory / "albumweb.log").read_text()[-3000:])
    finally:
        world.close()
    sys.exit(1 if failed else 0)


class Browsers:
    """A browser for many tests, and another one where that has gone."""

    def __init__(self, playwright):
        self.kind = playwright.chromium
        self.running = None

    def browser(self):
        if not self.running or not self.running.is_connected():
            self.running = self.kind.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        return self.running

    def close(self):
        if self.running and self.running.is_connected():
            self.running.close()


def quiet(world):
    """Until nobody is asked: whoever comes next is shown what was asked last, else."""
    with contextlib.suppress(OSError):
        wait(lambda: 'data-prompt="' not in wire(world).send("GET", "/")[2], "the end of what was asked")


def passes(function, world, browsers):
    """Whether a test does, and can be ended."""
    name = function.__name__.replace("_", " ")
    started = time.monotonic()
    try:
        with ended(world, getattr(function, "most", 2 * PATIENCE)):
            browser = browsers.browser()
            try:
                function(world, browser)
            finally:
                world.end_apps()
                try:
                    for context in list(browser.contexts):
                        context.close()
                finally:
                    # Of a browser that was ended as well: whoever comes next is asked nothing else.
                    quiet(world)
        print(f"ok    {name} ({time.monotonic() - started:.1f} s)", flush=True)
        return True
    except Exception as error:
        # Playwright's errors have all that the browser has said beneath them.
        print(f"FAILED {name}: {type(error).__name__}: {error}"[:2000], flush=True)
        print("".join(traceback.format_tb(error.__traceback__)), flush=True)
        return False


main()
