"""The page with a certificate of its own, where other computers reach it (S61). Each test is called what it shows."""

import contextlib
import http.client
import os
import shutil
import socket
import ssl
import subprocess

from browsing import answer, ask_until_heard, live, reset, test
from page import CHROMIUM, PATIENCE, wait

NAME = "photos.example.org"


def certify(directory):
    """A certificate of its own making for NAME, and its key, at their places at once; its serial number."""
    key, chain = directory / "key.pem", directory / "chain.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", f"{key}.new", "-out", f"{chain}.new"],
                   check=True, capture_output=True)
    for path in (key, chain):
        os.rename(f"{path}.new", path)
    return subprocess.run(["openssl", "x509", "-in", str(chain), "-noout", "-fingerprint", "-sha256"], check=True,
                          capture_output=True, text=True).stdout.split("=")[1].strip()


def connect(port):
    """TLS by its name, and what was shown."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    stream = context.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE), server_hostname=NAME)
    return stream, ssl.DER_cert_to_PEM_cert(stream.getpeercert(True))


def shown(port):
    """The fingerprint of the certificate that whoever connects is shown."""
    stream, text = connect(port)
    stream.close()
    return subprocess.run(["openssl", "x509", "-noout", "-fingerprint", "-sha256"], input=text, check=True, capture_output=True,
                          text=True).stdout.split("=")[1].strip()


def get(port, path="/", host=NAME):
    connection = http.client.HTTPConnection(NAME, timeout=PATIENCE)
    connection.sock = connect(port)[0]
    connection.request("GET", path, headers={"Host": f"{host}:{port}"})
    reply = connection.getresponse()
    reply.read()
    return reply


@contextlib.contextmanager
def certified(world):
    """A page at every address of this computer; its port, its directory, and where it is asked for a link."""
    directory = world.directory / "certified"
    directory.mkdir()
    certify(directory)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    entry = directory / "entry"
    world.stop(world.page)
    page = world.start(world.bin / "albumweb", "--listen", f"0.0.0.0:{port}", "--origin", f"https://{NAME}:{port}", "--certificate",
                       directory / "chain.pem", "--key", directory / "key.pem", "--entry", entry, "--state", directory / "state",
                       log="certified.log")
    try:
        wait(entry.exists, "the page")
        yield port, directory, entry
    finally:
        world.end_apps()
        world.stop(page)
        shutil.rmtree(directory)
        world.start_page()


@test
def another_computer_comes_by_the_certificate(world, browser):
    """S61: with a certificate the page is at the network's addresses; a phone is let in by its link and answers a prompt."""
    reset(world)
    with certified(world) as (port, _, entry):
        with socket.socket(socket.AF_UNIX) as stream:
            stream.connect(str(entry))
            link = stream.makefile().readline().strip()
        assert link.startswith(f"https://{NAME}:{port}/enter?code="), link
        phone = browser.browser_type.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", f"--host-resolver-rules=MAP {NAME} 127.0.0.1"])
        context = phone.new_context(ignore_https_errors=True, viewport={"width": 360, "height": 740})
        page = context.new_page()
        page.goto(link)
        page.wait_for_url("**/")
        live(page)
        (cookie,) = context.cookies()
        assert cookie["name"].startswith("__Host-") and cookie["secure"] and cookie["httpOnly"], cookie["name"]
        app = ask_until_heard(world, page)
        answer(page, page.get_by_role("button", name="Don't allow"))
        assert app.wait(PATIENCE) == 3
        phone.close()
        # Nobody else: without a session, by another name, without TLS.
        assert get(port).status == 401 and get(port, "/preview/1").status == 401
        assert get(port, host="evil.example").status == 421
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as plain:
            plain.sendall(f"GET / HTTP/1.1\r\nHost: {NAME}:{port}\r\n\r\n".encode())
            assert b"HTTP/1" not in plain.recv(4096), "an answer without TLS"


@test
def who_says_nothing_is_sent_away(world, _):
    """S61: a connection that never comes to TLS is closed, and others are served meanwhile."""
    with certified(world) as (port, _, _):
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as silent:
            assert get(port).status == 401
            assert silent.recv(1) == b""


@test
def a_renewed_certificate_is_shown_without_a_restart(world, _):
    """S61: and one that is no pair leaves the one before."""
    with certified(world) as (port, directory, _):
        first = shown(port)
        second = certify(directory)
        assert second != first
        wait(lambda: shown(port) == second, "the new certificate")
        (directory / "chain.new").write_text("no certificate\n")
        os.rename(directory / "chain.new", directory / "chain.pem")
        wait(lambda: "still the one before" in (world.directory / "certified.log").read_text() or not shown(port), "a warning", pause=0.2)
        assert shown(port) == second


@test
def a_certificate_that_is_none_is_told_at_once(world, _):
    """S61: what, where, and what to do; nothing is listened at."""
    directory = world.directory / "uncertified"
    directory.mkdir()
    certify(directory)
    other = directory / "other"
    other.mkdir()
    certify(other)
    chain, key = directory / "chain.pem", directory / "key.pem"
    for said, arguments in (
        ("--certificate and --key belong together", ["--certificate", chain]),
        ("needs --origin", ["--certificate", chain, "--key", key]),
        ("needs --origin", ["--certificate", chain, "--key", key, "--origin", f"http://{NAME}"]),
        ("no certificates that can be read", ["--certificate", directory / "none", "--key", key, "--origin", f"https://{NAME}"]),
        ("no key", ["--certificate", chain, "--key", other / "key.pem", "--origin", f"https://{NAME}"]),
        ("no key", ["--certificate", chain, "--key", chain, "--origin", f"https://{NAME}"]),
        ("see --certificate", []),
        ("at a Unix socket", ["--certificate", chain, "--key", key, "--origin", f"https://{NAME}", "--listen", f"unix:{directory}/http"]),
    ):
        listen = [] if "--listen" in arguments else ["--listen", "0.0.0.0:0"]
        done = subprocess.run([str(part) for part in (world.bin / "albumweb", *listen, *arguments)], env=world.environment,
                              capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 64 and said in done.stderr, (said, done.returncode, done.stderr)
