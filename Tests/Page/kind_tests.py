"""Kinds of pictures in the grid, and what is added to an album later (S63). Each test is called what it shows."""

import contextlib
import json
import os
import shutil
import subprocess

from browsing import answer, ask, cell, go, pick, reset, test, until, visit, whole
from page import PATIENCE, wait
from picker_tests import count, done, seen
from place_tests import away


def film(path, seconds, rate):
    """A film of so many seconds."""
    subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", f"testsrc=size=320x240:rate={rate}:duration={seconds}",
                    "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", path], check=True)


def picture(path, kind="jpg"):
    subprocess.run(["convert", "-size", "640x480", "gradient:navy-orange", f"{kind}:{path}"], check=True)


@contextlib.contextmanager
def album(world, name):
    """An album of its own, which is gone afterwards for whoever comes next."""
    place = world.directory / "photos" / name
    place.mkdir()
    try:
        yield place
    finally:
        known = album_id(world, name)
        shutil.rmtree(place)
        wait(lambda: not album_id(world, name) and not any(known in asset["albums"] for asset in world.assets()),
             what="the library as it was")


def album_id(world, name):
    albums = [json.loads(line) for line in world.ctl("albums", "--owner", "--json", check=True).stdout.splitlines()]
    return next((album["id"] for album in albums if album["title"] == name), None)


@test
def what_is_no_plain_photo_is_marked(world, browser):
    """S63: RAW, a live photo, and a video with its length, for the eye and for who hears the page."""
    # Made aside: each comes into the album as a whole.
    aside = world.directory / "aside"
    aside.mkdir()
    # Digital negatives are TIFF files.
    picture(aside / "raw.DNG", "tif")
    picture(aside / "pentax.pef", "tif")
    picture(aside / "live.jpg")
    picture(aside / "plain.jpg")
    film(aside / "live.mov", 2, 10)
    film(aside / "short.mp4", 5, 2)
    film(aside / "long.mp4", 75, 1)
    with album(world, "Kinds") as place:
        for file in aside.iterdir():
            file.rename(place / file.name)
        aside.rmdir()
        kinds = wait(lambda: album_id(world, "Kinds"), what="the album")

        def described():
            """What films say of themselves follows their coming (S50)."""
            inside = world.assets("--album", kinds)
            films = [asset for asset in inside if asset["mediaType"] != "image"]
            return len(inside) == 6 and len(films) == 3 and all("durationSeconds" in asset for asset in films)

        wait(described, what="what is told of the films")
        page = visit(world, browser, f"/photos?album={kinds}")
        page.locator(".cell").nth(5).wait_for()
        whole(page)
        marks = dict(page.locator(".cell").evaluate_all(
            "cells => cells.map(({ cell }) => [cell.asset.name, cell.mark.checkVisibility() ? cell.mark.innerText : ''])"))
        assert marks == {"raw.DNG": "RAW", "pentax.pef": "RAW", "live.jpg": "◉", "plain.jpg": "", "short.mp4": "▶ 0:05", "long.mp4": "▶ 1:15"}, marks
        spoken = {label.split(",")[0]: label for label in page.locator(".cell").evaluate_all(
            "cells => cells.map((cell) => cell.getAttribute('aria-label'))")}
        assert spoken["raw.DNG"].endswith(", RAW") and spoken["live.jpg"].endswith(", live photo"), spoken
        assert spoken["long.mp4"].endswith(", video 1:15") and spoken["plain.jpg"].count(",") == 1, spoken
        assert not page.failures, page.failures


@test
def what_comes_into_a_selected_album_later_is_selected_too(world, browser):
    """S63: which is said where albums are selected; what comes into another is not."""
    reset(world)
    with album(world, "Later") as later, album(world, "Elsewhere") as elsewhere:
        picture(later / "first.jpg")
        picture(elsewhere / "other.jpg")
        wait(lambda: album_id(world, "Later") and album_id(world, "Elsewhere") and len(world.assets("--name", "first")) == 1,
             what="the albums")
        page = visit(world, browser)
        app = pick(world, page)
        page.get_by_role("button", name="Albums").click()
        assert page.get_by_text("What is added to an album later is selected too.").is_visible()
        page.get_by_label("Later").check()
        count(page, "0 selected, and an album with 1")
        done(page, app)
        first = seen(world)
        assert first == [world.assets("--name", "first")[0]["id"]], first
        for place in (elsewhere, later):
            picture(world.directory / "second.jpg")
            (world.directory / "second.jpg").rename(place / "second.jpg")
        wait(lambda: len(world.assets("--name", "second")) == 2, what="the new photos")
        new = next(asset["id"] for asset in world.assets("--name", "second") if album_id(world, "Later") in asset["albums"])
        assert sorted(seen(world)) == sorted([*first, new]), seen(world)


@test
def what_cannot_be_read_now_is_marked(world, browser):
    """S63: for the eye and for who hears the page."""
    reset(world)
    with away(world):
        page = visit(world, browser, "/photos")
        page.locator(".cell[aria-label*=IMG]").first.wait_for()
        whole(page)
        marks = page.locator(".cell").evaluate_all("cells => cells.map(({ cell }) => cell.mark.checkVisibility() && cell.mark.innerText)")
        assert set(marks) == {"⚠"}, marks
        first = page.locator(".cell").first
        assert first.get_attribute("aria-label").endswith(", cannot be read now") and first.get_attribute("title") == "cannot be read now"
    page.reload()
    whole(page)
    assert page.locator(".cell").first.evaluate("({ cell }) => cell.mark.hidden")


def configure(world, text):
    """The daemon, with another configuration of its root."""
    world.stop(world.daemon)
    file = world.directory / "albumd.yaml"
    first, rest = file.read_text().split("\n", 1)
    file.write_text(f"roots: [{{path: {world.directory}/photos{text}}}]\n{rest}")
    world.start_daemon()


@test
def what_of_a_selection_an_app_never_sees_is_told(world, browser):
    """S63, S19: a photo of a shared album, or that album, where it is selected and when it was already."""
    reset(world)
    configure(world, ", shared: [Town]")
    try:
        town = album_id(world, "Town")
        ours = next(asset for asset in world.assets() if town in asset["albums"])
        other = next(asset["id"] for asset in world.assets() if town not in asset["albums"])
        world.ctl("limit", "org.example.Stickers", other, check=True)
        page = visit(world, browser, f"/apps/org.example.Stickers/{os.getuid()}/select")
        told = page.locator(".unseen", has_text="never see a shared album, whatever is selected: Town")

        def pick_one():
            page.get_by_role("searchbox").fill(ours["filename"])
            until(page, "id => [...document.querySelectorAll('.cell')].map(({ cell }) => cell.asset?.id).join() === id", ours["id"])
            page.locator(".cell").click()

        page.get_by_role("button", name="Albums").wait_for()
        assert not told.is_visible()
        pick_one()
        told.wait_for()
        pick_one()
        told.wait_for(state="hidden")
        pick_one()
        page.get_by_role("button", name="Done").click()
        page.wait_for_url(f"**/apps/org.example.Stickers/{os.getuid()}")
        assert seen(world) == [other]
        go(page, f"/apps/org.example.Stickers/{os.getuid()}/select")
        told.wait_for()
        pick_one()
        told.wait_for(state="hidden")
        page.get_by_role("button", name="Albums").click()
        page.get_by_label("Town").check()
        told.wait_for()
        assert not page.failures, page.failures
    finally:
        configure(world, "")


@test
def of_many_albums_it_is_told_how_many_photos_they_have_at_least(world, browser):
    """S63: more than can be counted at once."""
    reset(world)
    many = world.directory / "photos" / "Many"
    with album(world, "Many"):
        picture = next((world.directory / "photos" / "Garden").iterdir()).read_bytes()
        for number in range(110):
            (many / f"{number:03}").mkdir()
            (many / f"{number:03}" / f"IMG_many{number}.jpg").write_bytes(picture)
        wait(lambda: len(world.assets("--name", "many")) == 110, what="the photos")
        page = visit(world, browser)
        app = pick(world, page)
        page.get_by_role("button", name="Albums").click()
        page.locator(".albumlist:visible").get_by_label("Many").check()
        # The folder itself has none.
        count(page, "0 selected, and 111 albums with 99+")
        done(page, app)
        assert len(seen(world)) == 110


@test
def a_pick_of_videos_shows_videos_alone(world, browser):
    """S63: kinds as the app asked, also for a search and without scripts."""
    reset(world)
    film(world.directory / "film.mp4", 2, 2)
    (world.directory / "films").mkdir()
    with album(world, "Films") as place:
        (world.directory / "film.mp4").rename(place / "film.mp4")
        picture(place / "still.jpg")
        wait(lambda: len(world.assets("--name", "film.mp4")) == 1 and world.assets("--name", "still"), what="the film")
        page = visit(world, browser)
        app = ask(world, page, "printer", "pick", "--type", "video", "-o", str(world.directory / "films"))
        answer(page, page.locator(".sheet a.button"))
        page.locator(".cell[aria-label*=film]").wait_for()
        whole(page)
        names = lambda: page.locator(".cell").evaluate_all("cells => cells.map(({ cell }) => cell.asset.name)")
        assert names() == ["film.mp4"], names()
        page.get_by_role("searchbox").fill("still")
        page.get_by_text("Nothing here.").wait_for()
        assert names() == []
        plain = visit(world, browser, page.url.removeprefix(page.home), java_script_enabled=False)
        assert [name.split()[0] for name in plain.locator(".plaingrid li").all_inner_texts()] == ["film.mp4"]
        page.get_by_role("searchbox").fill("")
        page.locator(".cell[aria-label*=film]").click()
        page.get_by_role("button", name="Done").click()
        assert app.wait(PATIENCE) == 0, app.stdout.read()
        assert [file.name for file in (world.directory / "films").iterdir()] == ["film.mp4"]


@test
def of_what_is_picked_the_app_is_given_what_the_owner_says(world, browser):
    """S23, S63: an app that asks for access to it; of what it does not see, some is allowed, in the grid of these alone."""
    reset(world)
    ids = [asset["id"] for asset in sorted(world.assets(), key=lambda asset: asset["created"], reverse=True)]
    world.ctl("limit", "org.example.Stickers", ids[-1], check=True)
    page = visit(world, browser)
    app = pick(world, page, "stickers", "pick", "--request-access", "--json")
    for number in (1, 2, 3):
        cell(page, number).click()
    page.get_by_role("button", name="Done").click()
    page.wait_for_url(page.home + "/")
    answer(page, page.locator(".sheet a.button"))
    page.locator(".cell[aria-label*=IMG]").nth(2).wait_for()
    whole(page)
    asked = page.locator(".cell").evaluate_all("cells => cells.map(({ cell }) => cell.asset.id)")
    assert asked == ids[:3], asked
    cell(page, 2).click()
    page.get_by_role("button", name="Done").click()
    assert app.wait(PATIENCE) == 0, app.stdout.read()
    assert sorted(seen(world)) == sorted([ids[1], ids[-1]]), seen(world)
