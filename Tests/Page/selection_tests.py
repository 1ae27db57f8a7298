"""What an app is limited to, changed by the owner (S63, S64, S65). Each test is called what it shows."""

import datetime
import json
import os
import subprocess

from asking_tests import grant, held_for
from browsing import cell, go, reset, test, visit, whole
from picker_tests import count

STICKERS = "org.example.Stickers"
PLACE = f"/apps/{STICKERS}/{os.getuid()}"


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
    old = world.assets()[-1]["id"]
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
        new = world.assets()[0]["id"]
        # The latest is the grid's first.
        chosen = sorted({new, old} if "old" in state else {new})
        assert sorted(held(world)[1]["assets"]) == chosen, (held(world), chosen)
        assert grant(world, STICKERS)["status"] == "limited" and sees(world) == chosen, (state, held(world), sees(world))
        held_for(world, STICKERS, "One week", moment)
        page.context.close()
