"""What a prompt says, and what is held of its answer (S62, S64). Each test is called what it shows."""

import datetime
import json
import os
import subprocess

from browsing import answer, answerable, ask, cell, go, pick, reset, test, visit
from page import PATIENCE, wait

NOBODY = 65534
HOURS = {"One hour": 1, "One day": 24, "One week": 168, "Thirty days": 720}
SWITCH = "Also where the photos were taken"


def grant(world, app, level="readWrite", uid=None):
    """What is held about an app."""
    uid = os.getuid() if uid is None else uid
    return next((grant for known in world.known_apps() if known["id"] == app and known["uid"] == uid
                 for grant in known["grants"] if grant["accessLevel"] == level), {"status": "unknown"})


def whoami(world, program):
    """How the daemon sees an app."""
    command = [world.directory / "bin" / program, "whoami", "--json"]
    return json.loads(subprocess.run(command, env=world.environment, check=True, capture_output=True, text=True).stdout)["identity"]


def says(page, *parts):
    """The prompt says all of these."""
    text = page.locator(".sheet").inner_text()
    for part in parts:
        assert part in text, (part, text)
    return text


@test
def a_prompt_says_who_asks_for_what_and_how_that_is_known(world, browser):
    """S62: name, id, user, evidence, reason, level and the switch for places."""
    reset(world)
    page = visit(world, browser)
    me = subprocess.run(["id", "-un"], check=True, capture_output=True, text=True).stdout.strip()
    known = whoami(world, "maps")
    assert known["evidence"] == f"executable {world.directory}/bin/maps", known
    app = ask(world, page, "maps")
    assert page.locator(".sheet h2").inner_text() == "Maps wants to see your photos and videos, and add to them."
    assert page.locator(".sheet blockquote").inner_text() == "Draws your photos on a map."
    says(page, "org.example.Maps", me, known["evidence"])
    assert page.get_by_role("checkbox", name=SWITCH).is_visible()
    # A program file is never proof (S36).
    assert not known["verified"]
    says(page, "not verified", f"NOT VERIFIED: any program that {me} runs could pass itself off as this app.")
    app.kill()
    page.locator(".sheet").wait_for(state="detached")
    # The other level sees nothing, and so learns nothing of places.
    ask(world, page, "maps", "request", "--level", "addOnly")
    assert page.locator(".sheet h2").inner_text() == "Maps wants to add photos and videos, without seeing any."
    assert page.get_by_role("checkbox", name=SWITCH).count() == 0
    says(page, known["evidence"])


@test
def how_an_app_is_known_is_said_in_the_persons_language(world, browser):
    """S62, S64: of what the evidence is, and its name as it is."""
    reset(world)
    page = visit(world, browser, locale="zh-CN")
    ask(world, page, "maps")
    says(page, f"识别依据：程序文件 {world.directory}/bin/maps")


@test
def another_users_app_is_shown_as_that_users(world, browser):
    """S62: whose app it is, and who could have forged it; what is answered is held for that user alone."""
    reset(world)
    page = visit(world, browser)
    for path in (world.directory, world.directory / "bin"):
        path.chmod(0o711)
    app = subprocess.Popen(
        ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups", world.directory / "bin" / "printer",
         "request", "--level", "readWrite"], env=world.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    world.apps.append(app)
    answerable(page)
    assert "· nobody ·" in page.locator(".sheet .id").inner_text()
    says(page, "any program that nobody runs could pass itself off as this app", f"executable {world.directory}/bin/printer")
    answer(page, page.get_by_role("button", name="Allow all photos"))
    assert app.wait(PATIENCE) == 0
    assert grant(world, "org.example.Printer", uid=NOBODY)["status"] == "authorized"
    assert grant(world, "org.example.Printer")["status"] != "authorized"


def held_for(world, app, label, before):
    """An answer is held until as long after it was given as was chosen."""
    held = grant(world, app)
    if label == "Always":
        assert "expires" not in held and not held.get("untilExit"), held
        return
    after = datetime.datetime.now(datetime.UTC)
    ends = datetime.datetime.fromisoformat(held["expires"]) - datetime.timedelta(hours=HOURS[label])
    slack = datetime.timedelta(seconds=1)
    assert before - slack <= ends <= after + slack, (label, held, before, after)
    # And albumctl says so.
    row = next(line for line in world.ctl("apps", check=True).stdout.splitlines() if app in line and "readWrite" in line)
    assert datetime.datetime.fromisoformat(held["expires"]).astimezone().strftime("%Y-%m-%d %H:%M") in row, row


@test
def an_answer_is_held_for_as_long_as_was_chosen(world, browser):
    """S62, S64: in the prompt, in the grid, and on the app's page."""
    page = visit(world, browser)
    now = lambda: datetime.datetime.now(datetime.UTC)
    for label in ("Always", *HOURS):
        reset(world)
        app = ask(world, page, "printer")
        page.get_by_label("For how long").select_option(label)
        before = now()
        answer(page, page.get_by_role("button", name="Allow all photos"))
        assert app.wait(PATIENCE) == 0
        held_for(world, "org.example.Printer", label, before)
    reset(world)
    app = pick(world, page)
    page.get_by_label("For how long").select_option("One week")
    cell(page, 1).click()
    before = now()
    page.get_by_role("button", name="Done").click()
    assert app.wait(PATIENCE) == 0
    page.wait_for_url(page.home + "/")
    assert grant(world, "org.example.Stickers")["status"] == "limited"
    held_for(world, "org.example.Stickers", "One week", before)
    go(page, f"/apps/org.example.Stickers/{os.getuid()}")
    for label in ("One day", "Always"):
        card = page.locator(".card", has_text="See photos and add to them")
        card.get_by_label("For how long").select_option(label)
        before = now()
        with page.expect_navigation():
            card.get_by_role("button", name="Allow all photos").click()
        held_for(world, "org.example.Stickers", label, before)
        until = grant(world, "org.example.Stickers").get("expires", "")
        assert ("until" in card.inner_text().lower()) == bool(until), card.inner_text()


STAYS = """
import signal
from albumd import PhotoLibrary
with PhotoLibrary() as library:
    print(library.request_authorization("readWrite"), flush=True)
    signal.pause()
"""


@test
def an_answer_until_the_app_exits_ends_with_it(world, browser):
    """S62, S15: and is none before."""
    reset(world)
    page = visit(world, browser)
    app = ask(world, page, "editor", "-c", STAYS)
    page.get_by_label("For how long").select_option("Until the app exits")
    answer(page, page.get_by_role("button", name="Allow all photos"))
    assert app.stdout.readline(), "nobody answered"
    held = grant(world, "org.example.Editor")
    assert held["status"] == "authorized" and held["untilExit"], held
    app.kill()
    wait(lambda: grant(world, "org.example.Editor")["status"] == "notDetermined", what="the end of the grant")
