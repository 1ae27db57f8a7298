"""What an app may say of a pick: what is shown, what is picked at first, how many there must be (S105). Each test is called
what it shows."""

import json

from browsing import cell, findings, follow, pick, prompted, reset, test, until, visit, whole
from kind_tests import album, album_id, film, picture
from page import PATIENCE, wait
from picker_tests import count

PRINTER = "org.example.Printer"


def sees_everything(world):
    world.ctl("allow", PRINTER, check=True)


def picked(app):
    """The ids of what the app got, or the names where it may not see it, in the order of picking."""
    assert app.wait(PATIENCE) == 0, app.stdout.read()
    items = [json.loads(line) for line in app.stdout.read().splitlines()]
    return [item.get("id", item["filename"]) for item in items]


@test
def a_pick_begins_with_what_its_app_has_picked(world, browser):
    """S105: in its order, however long ago those were taken; what is taken away is not handed over."""
    reset(world)
    sees_everything(world)
    assets = world.assets()
    old = [assets[0]["id"], assets[2]["id"], assets[1]["id"]]
    page = visit(world, browser)
    app = pick(world, page, "printer", "pick", "--json", *(f"--preselect={id}" for id in [*old, "no-such-id"]))
    count(page, "3 selected")
    page.get_by_role("button", name="Selected", exact=True).click()
    page.locator(".cell[aria-selected=true]:visible").nth(2).wait_for()
    shown = page.locator(".cell:visible").evaluate_all(
        "cells => cells.map(({ cell }) => cell).sort((one, other) => one.index - other.index).map((cell) => cell.asset.id)")
    assert shown == old, shown
    cell(page, 2).click()
    count(page, "2 selected")
    page.get_by_role("button", name="Done").click()
    assert picked(app) == [old[0], old[2]]
    assert not page.failures, page.failures


@test
def fewer_than_the_minimum_are_not_taken(world, browser):
    """S105: the button says why it does nothing, to the eye and to who hears the page; also without scripts."""
    reset(world)
    page = visit(world, browser, viewport={"width": 360, "height": 740})
    app = pick(world, page, "printer", "pick", "--json", "--minimum", "2", "--limit", "3")
    page.get_by_role("heading", name="2 to 3").wait_for()
    main = page.get_by_role("button", name="Done")
    cell(page, 1).click()
    count(page, "1 selected · at least 2")
    assert main.get_attribute("aria-disabled") == "true"
    described = page.evaluate("document.getElementById(document.querySelector('.done .main').getAttribute('aria-describedby')).textContent")
    assert described == "At least 2 must be selected.", described
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it is wider than the window"
    assert not findings(page), findings(page)
    main.click(force=True)
    page.locator(".said", has_text="At least 2 must be selected.").wait_for()
    assert app.poll() is None
    cell(page, 2).click()
    count(page, "2 selected")
    until(page, "() => document.querySelector('.count').textContent === '2 selected'")
    assert main.get_attribute("aria-disabled") == "false" and main.get_attribute("aria-describedby") is None
    main.click()
    assert len(picked(app)) == 2
    # In Chinese, and without scripts: the answer is refused where it comes in.
    plain = visit(world, browser, java_script_enabled=False, locale="zh-CN")
    app = prompted(world, plain, "printer", "pick", "--json", "--minimum", "2")
    follow(plain, plain.locator(".sheet a.button"))
    plain.get_by_role("heading", name="至少 2 张").wait_for()
    grid = plain.url

    def sent(number):
        plain.goto(grid)
        for box in plain.locator("input[name=asset]").all()[:number]:
            box.check()
        follow(plain, plain.locator(".done .main"))

    sent(1)
    plain.get_by_text("至少要选择 2 张。").wait_for()
    assert app.poll() is None

    def taken():
        sent(2)
        # It may have been too fast to have been read.
        return plain.url != grid and not plain.url.endswith("/prompt/" + grid.split("/")[-2])

    wait(taken, what="an answer that is not too fast")
    assert len(picked(app)) == 2


@test
def a_pick_shows_what_its_app_asks_for(world, browser):
    """S105: the filter, in the grid and in what a search finds there."""
    reset(world)
    aside = world.directory / "aside"
    aside.mkdir()
    film(aside / "IMG_film.mp4", 2, 10)
    film(aside / "IMG_walk.mp4", 2, 10)
    picture(aside / "IMG_plain.jpg")
    with album(world, "Films") as place:
        for file in aside.iterdir():
            file.rename(place / file.name)
        aside.rmdir()
        films = wait(lambda: album_id(world, "Films"), what="the album")
        wait(lambda: len(world.assets("--album", films, "--type", "video")) == 2, what="the films")
        page = visit(world, browser)
        app = pick(world, page, "printer", "pick", "--json", "--filter",
                   '{"all": [{"none": [{"mediaTypes": ["image"]}]}, {"none": [{"subtypes": ["screenshot"]}]}]}')
        names = lambda: sorted(page.locator(".cell:visible").evaluate_all("cells => cells.map(({ cell }) => cell.asset.name)"))
        assert names() == ["IMG_film.mp4", "IMG_walk.mp4"], names()
        page.locator("[type=search]").fill("IMG")
        whole(page)
        assert names() == ["IMG_film.mp4", "IMG_walk.mp4"], names()
        page.locator("[type=search]").fill("walk")
        until(page, "() => document.querySelectorAll('.cell').length === 1")
        whole(page)
        cell(page, 1).click()
        page.get_by_role("button", name="Done").click()
        assert len(picked(app)) == 1
    assert not page.failures, page.failures
