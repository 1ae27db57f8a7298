"""When a click counts, and what is decided by one (S15, S62, S64). Each test is called what it shows."""

import signal
import threading
import time

from asking_tests import grant
from browsing import ask, reset, test, until, visit
from page import PATIENCE, wait, Wire
from selection_tests import held, latest, nothing_is_selected, PLACE, STICKERS

# As the page waits itself before what is sent counts, in seconds.
SETTLING = 0.5


def within(act):
    """What an act came to within the time in which nothing counts, and before which it begins it anew: on a machine that is slow
    once more."""
    while True:
        before, reply = act()
        if time.monotonic() - before < SETTLING:
            return reply


@test
def of_settings_the_first_half_second_does_not_count(world, _):
    """S15, S64: an app may open them beneath a click that is under way; past the scripts too."""
    reset(world)
    nothing_is_selected(world)
    world.ctl("deny", STICKERS, check=True)
    photo = latest(world)[0]
    wire = Wire(world.link())
    wire.come_in()
    changes = {
        f"{PLACE}/set": ({"level": "readWrite", "status": "authorized", "duration": "always"}, PLACE),
        f"{PLACE}/location": ({"location": "1"}, PLACE),
        f"{PLACE}/reset": ({"level": "readWrite"}, PLACE),
        f"{PLACE}/select": ({"level": "readWrite", "asset": photo}, f"{PLACE}/select?level=readWrite"),
    }
    before = held(world)
    for path, (fields, shown) in changes.items():
        fields = {"token": wire.token} | fields

        def at_once():
            began = time.monotonic()
            assert wire.send("GET", shown)[0] == 200
            reply = wire.post(path, fields)
            if reply[0] != 409:
                # Whatever it was that came too late: it is denied again.
                reset(world)
                nothing_is_selected(world)
                world.ctl("deny", STICKERS, check=True)
            return began, reply

        status, _, text = within(at_once)
        assert status == 409 and "too fast" in text, (path, status)
    assert held(world)[1] == before[1] and grant(world, STICKERS)["status"] == "denied"
    # From what was shown it can be sent again, without being shown once more.
    path, (fields, _) = next(iter(changes.items()))
    wait(lambda: wire.post(path, {"token": wire.token} | fields)[0] == 303, what="what counts")
    assert grant(world, STICKERS)["status"] == "authorized"


ALLOW = "main form:has([value=readWrite]) button[value=authorized]"
# Whether what is sent the moment that scripts run is stopped.
HASTY = """
  addEventListener("submit", (event) => setTimeout(() => { window.wasStopped = event.defaultPrevented; }), true);
  addEventListener("DOMContentLoaded", () => document.querySelector("%s")?.click());
""" % ALLOW


@test
def a_click_on_settings_that_have_just_come_is_none(world, browser):
    """S15, S64: nor where another window was over them until now."""
    reset(world)
    world.ctl("deny", STICKERS, check=True)
    page = visit(world, browser)
    page.add_init_script(HASTY)
    page.goto(page.home + PLACE)
    until(page, "() => window.wasStopped !== undefined")
    assert page.evaluate("window.wasStopped") and grant(world, STICKERS)["status"] == "denied"
    button = page.locator(ALLOW)
    until(page, "() => !document.body.matches('.early')")
    for event in ("focus", "pageshow", "resize"):
        assert page.evaluate("""([event, allow]) => {
          window.wasStopped = undefined;
          dispatchEvent(new Event(event));
          document.querySelector(allow).click();
          return new Promise((resolve) => setTimeout(() => resolve(window.wasStopped), 10));
        }""", [event, ALLOW]), event
    assert grant(world, STICKERS)["status"] == "denied"
    # Who reads first is heard.
    with page.expect_navigation():
        button.click()
    assert grant(world, STICKERS)["status"] == "authorized"
    assert not page.failures, page.failures


@test
def what_no_page_offers_is_no_duration(world, _):
    """S64: it does not become one for good."""
    reset(world)
    nothing_is_selected(world)
    world.ctl("deny", STICKERS, check=True)
    before = held(world)
    wire = Wire(world.link())
    wire.come_in()
    for duration in ("hours", "untilExit", "-1"):
        for path, fields in (
                ("set", {"level": "readWrite", "status": "authorized"}), ("set", {"level": "readWrite", "status": "limited"}),
                ("select", {"level": "readWrite", "asset": latest(world)[0]})):
            status = wire.post(f"{PLACE}/{path}", {"token": wire.token, "duration": duration} | fields)[0]
            assert status == 400, (path, duration, status)
    assert held(world) == before
    assert wire.post(f"{PLACE}/set", {"token": wire.token, "level": "readWrite", "status": "authorized", "duration": "hour"})[0] == 303
    assert "expires" in grant(world, STICKERS)


@test
def the_half_second_begins_when_the_question_is_there(world, browser):
    """S62: not when it was begun to be made, which may take as long as the daemon does."""
    reset(world)
    world.ctl("allow", "org.example.Printer", check=True)
    page = visit(world, browser)
    wire = Wire(world.link())
    wire.come_in()
    apps = []

    def late():
        app = ask(world, page, "printer", "delete", world.assets("--limit", "1")[0]["id"])
        apps.append(app)
        prompt = page.locator(".sheet").get_attribute("data-prompt")
        shown = []
        reader = threading.Thread(target=lambda: shown.append(wire.send("GET", f"/prompt/{prompt}")))
        world.daemon.send_signal(signal.SIGSTOP)
        try:
            reader.start()
            # What is asked of the daemon for it waits for longer than the half second.
            reader.join(2 * SETTLING)
            assert not shown, shown
            began = time.monotonic()
        finally:
            world.daemon.send_signal(signal.SIGCONT)
        reader.join(PATIENCE)
        assert shown[0][0] == 200, shown
        reply = wire.post(f"/prompt/{prompt}", {"token": wire.token, "decision": "deny"})
        if reply[0] != 409:
            page.locator(".sheet").wait_for(state="detached")
        return began, reply

    status, _, text = within(late)
    assert status == 409 and "too fast" in text, (status, text)
    assert apps[-1].poll() is None
