"""The grid of a library of 100,000 photos (S63). What it costs is measured by large.py; here it is whether it is right."""

import contextlib
import datetime
import os
import random

import scenes
from browsing import answer, ask, cell, reset, test, until, visit, whole
from page import PATIENCE, World
from picker_tests import count, done, seen

COUNT = 100_000

# What is in the window: the names and days of its pictures, in their order, and whether each has come.
IN_WINDOW = """() => [...document.querySelectorAll(".grid:not([hidden]) .cell")].filter((element) => {
  const box = element.getBoundingClientRect();
  return box.bottom > 0 && box.top < innerHeight;
}).map(({ cell }) => cell).sort((one, other) => one.index - other.index)
  .map(({ index, asset, image }) => ({ index, id: asset.id, name: asset.name, day: asset.day, side: image.naturalWidth }))"""


@contextlib.contextmanager
def large(binaries):
    """A world of its own, with that many photos; each is known by its name, and its day by its file."""
    world = World(binaries)
    try:
        # Of a few kilobytes each: how large a picture is makes no difference to what is shown where.
        scenes.library(world.directory / "photos", COUNT, scenes=12, size=(160, 120))
        world.start_daemon(2 * PATIENCE, pause=1)
        world.start_page()
        yield world
    finally:
        world.close()


def days_of_files(world):
    """The day of each photo, by its name."""
    days = {}
    for folder, _, names in os.walk(world.directory / "photos"):
        for name in names:
            moment = os.stat(os.path.join(folder, name)).st_mtime
            days[name] = datetime.datetime.fromtimestamp(moment).date().isoformat()
    return days


def shown(page, days):
    """What is in the window, all of it with its picture, and each in the day of its file."""
    whole(page)
    cells = page.evaluate(IN_WINDOW)
    assert cells and all(cell["side"] > 0 for cell in cells), cells
    wrong = [cell for cell in cells if days[cell["name"]] != cell["day"]]
    assert not wrong, wrong
    # Nothing between them is left out, and the latest are first.
    first = cells[0]["index"]
    assert [cell["index"] for cell in cells] == list(range(first, first + len(cells))), cells
    assert [cell["day"] for cell in cells] == sorted((cell["day"] for cell in cells), reverse=True), cells
    return cells


@test
def of_a_hundred_thousand_photos_each_is_where_it_belongs(world, browser):
    """S63: the first screen, after a jump to an old year, and at the end; and what is selected there is what the app sees."""
    with large(world.bin) as world:
        days = days_of_files(world)
        assert len(days) == COUNT
        reset(world)
        page = visit(world, browser)
        app = ask(world, page, "stickers")
        answer(page, page.locator(".sheet a.button"))
        page.locator(".cell[aria-label*=IMG]").first.wait_for()
        first = shown(page, days)
        assert first[0]["index"] == 0 and first[0]["day"] == max(days.values()), first
        assert cell(page, 1).get_attribute("aria-setsize") == str(COUNT)
        # To an old year, by the bar.
        bar = page.locator(".years:visible")
        year = sorted(bar.locator("span").all_inner_texts())[1]
        label = bar.locator("span", has_text=year).bounding_box()
        x, y = label["x"] + label["width"] / 2, label["y"] + label["height"] / 2 + 4
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.up()
        until(page, "year => [...document.querySelectorAll('.day')].some(day => day.dataset.day.startsWith(year))", year)
        old = shown(page, days)
        assert {cell["day"][:4] for cell in old} == {year}, old
        page.locator(f".cell[aria-posinset='{old[len(old) // 2]['index'] + 1}']").click()
        count(page, "1 selected")
        # To the end, and a whole day there.
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        until(page, "last => [...document.querySelectorAll('.cell')].some(({ cell }) => cell.index === last)", COUNT - 1)
        last = shown(page, days)
        begin = min(days.values())
        assert last[-1]["index"] == COUNT - 1 and last[-1]["day"] == begin, last
        page.locator(f".day[data-day='{begin}'] button").click()
        count(page, f"{1 + list(days.values()).count(begin)} selected")
        done(page, app)
        ids = set(seen(world))
        named = {asset["filename"] for asset in world.assets() if asset["id"] in ids}
        assert named == {old[len(old) // 2]["name"]} | {name for name, day in days.items() if day == begin}, named
        assert not page.failures, page.failures


@test
def a_day_of_any_number_of_photos_is_read_in_parts(world, browser):
    """S63: the server tells no more than so many at a time, however many a day has; and the grid has all of them."""
    many, most, day = 2300, 1000, "2026-11-20"
    world = World(world.bin)
    try:
        place = world.directory / "photos" / "Wedding"
        place.mkdir()
        scenes.scene(random.Random(1), world.directory / "scene.jpg", (160, 120))
        picture = (world.directory / "scene.jpg").read_bytes()
        noon = datetime.datetime.fromisoformat(f"{day}T12:00:00").timestamp()
        for number in range(many):
            path = place / f"IMG_{number:05}.jpg"
            path.write_bytes(picture + b"%d" % number)
            os.utime(path, (noon - number, noon - number))
        # One of the day before, which comes with nothing else.
        (place / "before.jpg").write_bytes(picture)
        os.utime(place / "before.jpg", (noon - 86400, noon - 86400))
        world.start_daemon(2 * PATIENCE, pause=0.2)
        world.start_page()
        page = visit(world, browser, "/photos")

        def told(query):
            return [asset["name"] for asset in page.evaluate("path => fetch(path).then((answer) => answer.json())", f"/api/assets?{query}")]

        one = f"from={day}&to={day}"
        parts = [told(f"{one}&skip={skip}") for skip in (0, most, 2 * most, 3 * most)]
        assert [len(part) for part in parts] == [most, most, many - 2 * most, 0], [len(part) for part in parts]
        assert sum(parts, []) == [f"IMG_{number:05}.jpg" for number in range(many)]
        assert len(told("from=1970-01-01&to=2199-01-01")) == most
        assert told(one) == parts[0] == told(f"{one}&skip=-1") == told(f"{one}&skip=x")
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        until(page, "last => [...document.querySelectorAll('.cell')].some(({ cell }) => cell.index === last)", many)
        whole(page)
        last = page.evaluate(IN_WINDOW)
        assert last[-1]["name"] == "before.jpg", last[-3:]
        assert all(cell["name"] == f"IMG_{cell['index']:05}.jpg" for cell in last[:-1]), last
        app = ask(world, page, "stickers")
        answer(page, page.locator(".sheet a.button"))
        page.locator(".cell[aria-label*=IMG]").first.wait_for()
        whole(page)
        page.locator(f".day[data-day='{day}'] button").click()
        count(page, f"{many} selected")
        done(page, app)
        assert len(seen(world)) == many
        assert not page.failures, page.failures
    finally:
        world.close()


# To make and to read so many takes its time where others work as well.
of_a_hundred_thousand_photos_each_is_where_it_belongs.most = 4 * PATIENCE
