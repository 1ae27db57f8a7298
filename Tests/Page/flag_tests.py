"""Favourites and hidden photos on the page (S106). Each test is called what it shows."""

import contextlib

from browsing import findings, go, test, until, visit, whole
from page import wait


@contextlib.contextmanager
def marked(world, favorites, hidden):
    """Some are, and afterwards none is."""
    world.ctl("favorite", "--owner", *favorites, check=True)
    world.ctl("hide", "--owner", *hidden, check=True)
    try:
        yield
    finally:
        world.ctl("hide", "--remove", "--owner", *hidden, check=True)
        world.ctl("favorite", "--remove", "--owner", *favorites, check=True)
        wait(lambda: len(world.assets()) == len(world.assets("--hidden")), what="the library as it was")


def shown(page):
    """The ids of what is in the grid, which is short."""
    whole(page)
    return set(page.locator(".cell:visible").evaluate_all("cells => cells.map(({ cell }) => cell.asset.id)"))


@test
def favourites_are_marked_and_looked_at_alone(world, browser):
    """S106: a heart, which is said to who hears the page, and a place of their own, also in the list of albums."""
    ids = [asset["id"] for asset in world.assets()[-9:]]
    with marked(world, ids[:2], ids[4:5]):
        page = visit(world, browser, "/photos", viewport={"width": 360, "height": 740})
        page.locator(".cell[aria-label*=IMG]").first.wait_for()
        whole(page)
        hearts = page.locator(".cell:visible:has(.heart:visible)")
        assert set(hearts.evaluate_all("cells => cells.map(({ cell }) => cell.asset.id)")) == set(ids[:2])
        assert all("favorite" in label.split(", ") for label in hearts.evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))"))
        assert page.locator(".cell[aria-label*=favorite]").count() == 2
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it is wider than the window"
        places = page.get_by_role("navigation", name="Photos")
        assert places.locator("[aria-current=page]").inner_text() == "All photos"
        assert not findings(page), findings(page)
        places.get_by_role("link", name="Favorites").click()
        page.get_by_role("heading", name="Favorites").wait_for()
        assert shown(page) == set(ids[:2])
        assert places.locator("[aria-current=page]").inner_text() == "Favorites"
        assert not findings(page), findings(page)
        go(page, "/library")
        line = page.locator(".albums li", has=page.get_by_role("link", name="Favorites"))
        assert line.locator("span").inner_text() == "2"
        line.get_by_role("link").click()
        page.get_by_role("heading", name="Favorites").wait_for()
        assert shown(page) == set(ids[:2])
        assert not page.failures, page.failures


@test
def hidden_photos_are_shown_where_they_are_asked_for(world, browser):
    """S106: and nowhere else; a search among them finds them; in Chinese; without scripts."""
    ids = [asset["id"] for asset in world.assets()[-9:]]
    with marked(world, ids[:1], ids[4:6]):
        page = visit(world, browser, "/photos", locale="zh-CN", viewport={"width": 360, "height": 740})
        page.locator(".cell[aria-label*=IMG]").first.wait_for()
        assert not shown(page) & set(ids[4:6])
        page.get_by_role("link", name="已隐藏").click()
        page.get_by_role("heading", name="已隐藏").wait_for()
        assert shown(page) == set(ids[4:6])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it is wider than the window"
        assert not findings(page), findings(page)
        name = page.locator(".cell").first.evaluate("({ cell }) => cell.asset.name")
        page.locator("[type=search]").fill(name)
        until(page, "() => document.querySelectorAll('.cell').length === 1")
        assert len(shown(page)) == 1
        page.locator("[type=search]").fill("nothing is called so")
        until(page, "() => document.querySelectorAll('.cell').length === 0")
        plain = visit(world, browser, "/photos", java_script_enabled=False)
        inside = lambda: {source.split("/")[2].split("?")[0] for source in plain.locator("noscript img").evaluate_all(
            "all => all.map((one) => one.getAttribute('src'))")}
        assert inside() and not inside() & set(ids[4:6])
        plain.get_by_role("link", name="Hidden").click()
        plain.get_by_role("heading", name="Hidden").wait_for()
        assert inside() == set(ids[4:6])
        assert not page.failures, page.failures
