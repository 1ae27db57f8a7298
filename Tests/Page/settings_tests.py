"""From an app to its settings (S15): what it is told, and where the desktop leads with that. Each test is called what it
shows."""

import contextlib
import json
import shutil
import subprocess
import urllib.parse

from access_tests import desktop_command
from browsing import reset, test
from desktop import Opener
from page import PATIENCE, wait

APP = "org.example.Wallpapers"


def address(world):
    """Where an app that was refused is led; None where it is not."""
    reply = json.loads(world.app("wallpapers", "assets", "--json").communicate(timeout=PATIENCE)[0])
    return reply["parameters"]["guide"].get("settingsAddress")


@contextlib.contextmanager
def opening(world):
    """A desktop that starts what opens an address, and what it then opens itself."""
    directory = world.directory / "opening"
    opener = Opener(directory)

    def follow(*addresses):
        done = subprocess.Popen(
            [str(world.bin / "albumctl"), *desktop_command(*addresses)], env=world.environment | {"PATH": opener.path})
        link = opener.link()
        assert done.wait(PATIENCE) == 0
        return link

    try:
        yield follow
    finally:
        shutil.rmtree(directory)


@test
def a_refused_app_leads_to_its_settings(world, browser):
    """S15, S61: the guide says what the desktop opens, and that opens the app's page; the app learns nothing else of the page."""
    reset(world)
    world.ctl("deny", APP, check=True)
    told = wait(lambda: address(world), "a page")
    assert told == f"albumd:settings/{APP}", told
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    with opening(world) as follow:
        page.goto(follow(told))
        page.wait_for_url(f"**/apps/{APP}/*")
        page.get_by_role("heading", name="Wallpapers").first.wait_for()
        # Who is in already comes there too.
        page.goto(follow(told))
        page.wait_for_url(f"**/apps/{APP}/*")
        page.goto(follow("albumd:settings"))
        page.wait_for_url("**/apps")
        # An app that nobody knows is no way to anywhere else.
        page.goto(follow("albumd:settings/%2F%2Fevil.example"))
        page.wait_for_url("**/apps/**")
        assert urllib.parse.urlsplit(page.url).hostname.endswith(".localhost"), page.url
    context.close()


@test
def what_else_a_link_says_is_not_opened(world, _):
    """S15: a web page may have the desktop open any address of the scheme."""
    for wrong in ("albumd:page", "albumd:settings/../sessions", "albumd:settings/a&next=/sessions", "albumd:settings/a/b",
                  "https://evil.example", "--entry=/tmp/x"):
        done = subprocess.run([str(world.bin / "albumctl"), *desktop_command(wrong)], env=world.environment | {"PATH": "/nonexistent"},
                              capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 2 and "albumd:settings" in done.stderr, (wrong, done)


@test
def without_the_page_an_app_is_led_to_none(world, _):
    """S15: the address is told for as long as the page is there, and again when the daemon is back."""
    reset(world)
    world.ctl("deny", APP, check=True)
    wait(lambda: address(world), "a page")
    world.stop(world.page)
    wait(lambda: address(world) is None, "the page's end")
    world.start_page()
    wait(lambda: address(world), "a page")
    world.stop(world.daemon)
    world.start_daemon()
    wait(lambda: address(world), "the page with the next daemon")


@test
def behind_a_web_server_its_address_is_told(world, _):
    """S15: with a certificate the page's own address may be known; a place where the desktop's albumctl does not look is none."""
    reset(world)
    world.ctl("deny", APP, check=True)
    world.stop(world.page)
    socket = world.directory / "web" / "http"
    try:
        page = world.start(world.bin / "albumweb", "--listen", f"unix:{socket}", "--origin", "https://photos.example.org",
                           log="albumweb.log")
        told = wait(lambda: address(world), "a page")
        assert told.startswith(f"https://photos.example.org/apps/{APP}/"), told
        world.stop(page)
        wait(lambda: address(world) is None, "the page's end")
        page = world.start(world.bin / "albumweb", "--listen", "127.0.0.1:0", "--entry", world.directory / "web" / "elsewhere",
                           log="albumweb.log")
        wait((world.directory / "web" / "elsewhere").exists, "the page")
        assert address(world) is None
        world.stop(page)
    finally:
        world.start_page()
