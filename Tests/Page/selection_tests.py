"""What an app is limited to, changed by the owner (S63, S64, S65). Each test is called what it shows."""

import datetime
import json
import os
import subprocess

from asking_tests import grant, held_for
from browsing import cell, follow, prompted, reset, test, visit, whole
from page import PATIENCE, wait
from picker_tests import count

STICKERS = "org.example.Stickers"
PLACE = f"/apps/{STICKERS}/{os.getuid()}"


def latest(world):
    """Every photo, as the grid shows them."""
    return [asset["id"] for asset in sorted(world.assets(), key=lambda asset: asset["created"], reverse=True)]


def held(world):
    """What was decided about the app, and what is selected for it."""
    about = {key: value for key, value in grant(world, STICKERS).items() if key in ("status", "decided", "expires", "selectionCount")}
    return about, json.loads(world.ctl("selection", STICKERS, "--json", check=True).stdout)


def nothing_is_selected(world):
    """A selection is kept where a decision is forgotten."""
    old = held(world)[1]
    if old["assets"] or old["albums"]:
        world.ctl("selection", STICKERS, "--remove", *old["assets"], *old["albums"], check=True)


def sees(world, program="stickers"):
    """What the app sees; None where it may see nothing."""
    reply = subprocess.run([world.directory / "bin" / program, "assets", "--json"], env=world.environment, capture_output=True,
                           text=True)
    return sorted(json.loads(line)["id"] for line in reply.stdout.splitlines()) if reply.returncode == 0 else None


@test
def nothing_is_decided_before_it_is_known_what_is_selected(world, browser):
    """S64: who looks at what could be selected, and goes back, has changed nothing; then both are decided at once."""
    new, *_, old = latest(world)
    states = {"authorized": [("allow", STICKERS)], "undecided": [],
              "denied, with an old selection": [("limit", STICKERS, old), ("deny", STICKERS)]}
    for state, commands in states.items():
        reset(world)
        nothing_is_selected(world)
        for command in commands:
            world.ctl(*command, check=True)
        before, seen = held(world), sees(world)
        page = visit(world, browser, PLACE)
        card = page.locator(".card", has_text="See photos and add to them")

        def select():
            card.get_by_label("For how long").select_option("One week")
            card.get_by_role("button", name="Select photos").click()
            page.locator(".cell[aria-label*=IMG]").first.wait_for()
            whole(page)
            assert held(world) == before and sees(world) == seen, (state, before, held(world))

        select()
        page.get_by_role("link", name="Back").click()
        page.wait_for_url("**" + PLACE)
        assert held(world) == before and sees(world) == seen, (state, before, held(world))
        select()
        assert page.get_by_label("For how long").input_value() == "week"
        assert page.locator(".count").inner_text() == ("1 selected" if "old" in state else "0 selected")
        cell(page, 1).click()
        if "old" in state:
            count(page, "2 selected")
        moment = datetime.datetime.now(datetime.UTC)
        page.get_by_role("button", name="Done").click()
        page.wait_for_url("**" + PLACE)
        chosen = sorted({new, old} if "old" in state else {new})
        assert sorted(held(world)[1]["assets"]) == chosen, (held(world), chosen)
        assert grant(world, STICKERS)["status"] == "limited" and sees(world) == chosen, (state, held(world), sees(world))
        held_for(world, STICKERS, "One week", moment)
        page.context.close()


def boxes(page, name="asset"):
    """What is ticked, as the form would send it, shown or not."""
    hidden = page.locator(f"input[type=hidden][name={name}]")
    ticked = page.locator(f"input[type=checkbox][name={name}]:checked")
    return {box.get_attribute("value") for box in [*hidden.all(), *ticked.all()]}


def find(page, text):
    """A search without scripts."""
    page.get_by_role("searchbox").fill(text)
    follow(page, page.get_by_role("button", name="Show"))


def sent(page, name="Done"):
    """A click of who has no scripts, until it counts: in the first half second that something is shown none does."""
    def counts():
        follow(page, page.get_by_role("button", name=name))
        return not page.get_by_text("That was too fast").count()

    wait(counts, what="an answer that is not too fast")


@test
def without_scripts_what_is_selected_stays_so(world, browser):
    """S65: also what the page does not show, through searches, for the owner and when the app asks."""
    reset(world)
    everything = latest(world)
    old, (new, other) = everything[-3:], everything[:2]
    world.ctl("limit", STICKERS, *old, check=True)
    page = visit(world, browser, PLACE, java_script_enabled=False)
    follow(page, page.get_by_role("link", name="Change the selection"))
    assert page.locator("input[type=checkbox][name=asset]").count() == 60 and boxes(page) == set(old)
    assert page.locator(".count").inner_text() == "3 selected"
    page.locator(f"input[value='{new}']").check()
    name = next(asset["filename"] for asset in world.assets() if asset["id"] == old[0])
    find(page, name)
    assert page.locator("input[type=checkbox][name=asset]").count() == 1 and boxes(page) == {*old, new}
    assert page.locator(".count").inner_text() == "4 selected"
    sent(page)
    page.wait_for_url("**" + PLACE)
    assert sees(world) == sorted([*old, new])
    # One that is shown is taken out.
    follow(page, page.get_by_role("link", name="Change the selection"))
    find(page, name)
    page.locator(f"input[value='{old[0]}']").uncheck()
    sent(page)
    page.wait_for_url("**" + PLACE)
    assert sees(world) == sorted([*old[1:], new])
    page.goto(page.home)
    app = prompted(world, page, "stickers", "manage")
    follow(page, page.locator(".sheet a.button"))
    page.locator(f"input[value='{other}']").check()
    sent(page)
    assert app.wait(PATIENCE) == 0, app.stdout.read()
    assert sees(world) == sorted([*old[1:], new, other])


@test
def without_scripts_a_folder_brings_what_lies_in_it(world, browser):
    """S63, S65: which is shown before it is granted, and of which an album can be taken out again."""
    albums = [json.loads(line) for line in world.ctl("albums", "--owner", "--json", check=True).stdout.splitlines()]
    walks, ridge = (next(album for album in albums if album["title"] == title) for title in ("Walks", "Ridge"))
    for takes_ridge in (True, False):
        world.ctl("reset", STICKERS, check=True)
        nothing_is_selected(world)
        page = visit(world, browser, PLACE, java_script_enabled=False)
        follow(page, page.locator(".card", has_text="See photos and add").get_by_role("button", name="Select photos"))
        page.get_by_label("Walks").check()
        follow(page, page.get_by_role("button", name="Done"))
        assert page.get_by_text("Walks: also the albums in it (1)").count() == 1
        assert boxes(page, "album") == {walks["id"], ridge["id"]} and sees(world) is None
        inside = walks["assetCount"] + ridge["assetCount"]
        assert page.locator(".count").inner_text().endswith(f"and 2 albums with {inside}"), page.locator(".count").inner_text()
        page.get_by_label("Ridge").set_checked(takes_ridge)
        sent(page)
        page.wait_for_url("**" + PLACE)
        chosen = json.loads(world.ctl("selection", STICKERS, "--json", check=True).stdout)["albums"]
        assert set(chosen) == ({walks["id"], ridge["id"]} if takes_ridge else {walks["id"]}), chosen
        page.context.close()


@test
def without_scripts_nothing_selected_is_told_and_may_be_meant(world, browser):
    """S63, S65: for the owner, and when the app asks."""
    reset(world)
    nothing_is_selected(world)
    page = visit(world, browser, PLACE, java_script_enabled=False)
    follow(page, page.locator(".card", has_text="See photos and add").get_by_role("button", name="Select photos"))
    follow(page, page.get_by_role("button", name="Done"))
    assert "the app will see nothing" in page.locator(".said").inner_text() and sees(world) is None
    sent(page, "Allow with nothing selected")
    page.wait_for_url("**" + PLACE)
    assert sees(world) == [] and grant(world, STICKERS)["status"] == "limited"
    reset(world)
    page.goto(page.home)
    app = prompted(world, page, "stickers", "request", "--level", "readWrite")
    follow(page, page.locator(".sheet a.button"))
    follow(page, page.get_by_role("button", name="Done"))
    assert "the app will see nothing" in page.locator(".said").inner_text() and app.poll() is None
    sent(page, "Allow with nothing selected")
    assert app.wait(PATIENCE) == 0 and sees(world) == []


@test
def albums_that_are_selected_are_told_and_shown(world, browser):
    """S63, S64: among what is selected, where each can be taken out; and on the app's page in pictures."""
    reset(world)
    albums = [json.loads(line) for line in world.ctl("albums", "--owner", "--json", check=True).stdout.splitlines()]
    garden, town = (next(album for album in albums if album["title"] == title) for title in ("Garden", "Town"))
    world.ctl("limit", STICKERS, garden["id"], town["id"], check=True)
    page = visit(world, browser, PLACE)
    pictures = page.locator(".strip img").evaluate_all("all => all.map((one) => one.getAttribute('src').split('/')[2].split('?')[0])")
    inside = {asset["id"] for asset in world.assets() if {garden["id"], town["id"]} & set(asset["albums"])}
    assert len(pictures) == 24 and set(pictures) <= inside, pictures
    page.get_by_role("link", name="Change the selection").click()
    page.locator(".cell[aria-label*=IMG]").first.wait_for()
    page.get_by_role("button", name="Selected").click()
    lines = page.locator(".albumlist:visible .albumline")
    assert [line.split() for line in lines.all_inner_texts()] == [["Garden", str(garden["assetCount"])], ["Town", str(town["assetCount"])]]
    lines.nth(0).get_by_role("checkbox").uncheck()
    count(page, f"0 selected, and an album with {town['assetCount']}")
    page.get_by_role("button", name="Done").click()
    page.wait_for_url("**" + PLACE)
    assert held(world)[1] == {"assets": [], "albums": [town["id"]]}
    assert not page.failures, page.failures


@test
def without_scripts_older_photos_are_reached(world, browser):
    """S63, S65: sixty by sixty, with what was ticked; and where they are only looked at."""
    reset(world)
    everything = latest(world)
    world.ctl("limit", STICKERS, everything[-1], check=True)
    page = visit(world, browser, PLACE, java_script_enabled=False)
    follow(page, page.get_by_role("link", name="Change the selection"))
    shown = lambda: {box.get_attribute("value") for box in page.locator("input[type=checkbox][name=asset]").all()}
    seen = shown()
    page.locator(f"input[value='{everything[0]}']").check()
    follow(page, page.get_by_role("button", name="Older"))
    assert len(shown()) == 60 and not seen & shown() and boxes(page) == {everything[0], everything[-1]}
    new = sorted(shown())[0]
    page.locator(f"input[value='{new}']").check()
    sent(page)
    page.wait_for_url("**" + PLACE)
    assert sees(world) == sorted([everything[0], new, everything[-1]])
    albums = [json.loads(line) for line in world.ctl("albums", "--owner", "--json", check=True).stdout.splitlines()]
    album = max(albums, key=lambda album: album["assetCount"])
    page.goto(page.home + f"/photos?album={album['id']}")
    left = album["assetCount"]
    while True:
        left -= page.locator(".plaingrid li").count()
        if not page.get_by_role("link", name="Older").count():
            break
        follow(page, page.get_by_role("link", name="Older"))
    assert left == 0, left
