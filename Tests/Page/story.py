"""The page's story, with screenshots: an app asks, twelve photos of last summer are picked out of 10,000, and what it did is found.

    story.py BIN FOLDER
"""

import pathlib
import sys

from browsing import answerable, until, whole
from page import CHROMIUM, World


def main():
    from playwright.sync_api import sync_playwright

    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    world = World(sys.argv[1], photos=10_000)
    looks = [("desktop", {"width": 1280, "height": 820}, "light", "en-US", 1), ("desktop-dark", {"width": 1280, "height": 820}, "dark", "en-US", 1),
             ("phone", {"width": 360, "height": 780}, "light", "en-US", 2), ("phone-zh", {"width": 360, "height": 780}, "dark", "zh-CN", 2)]
    try:
        world.start_daemon()
        world.start_page()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for name, size, scheme, language, scale in looks:
                world.ctl("reset", "--all", "--yes")
                tell(world, browser, folder, name, viewport=size, color_scheme=scheme, locale=language,
                     device_scale_factor=scale, has_touch=scale > 1)
            browser.close()
    finally:
        world.close()


def tell(world, browser, folder, name, **options):
    """One look of it."""
    context = browser.new_context(**options)
    page = context.new_page()
    number = 0

    def shot(title):
        nonlocal number
        number += 1
        whole(page)
        # What moves has come to its place.
        page.evaluate("Promise.all(document.getAnimations().map(animation => animation.finished))")
        page.screenshot(path=folder / f"{name}-{number}-{title}.png")
        print(folder / f"{name}-{number}-{title}.png", flush=True)

    page.goto(world.link())
    page.wait_for_url("**/")
    home = page.url.rstrip("/")
    shot("home")
    app = world.app("wallpapers", "request", "--level", "readWrite")
    answerable(page)
    shot("prompt")
    page.locator(".sheet a.button").click()
    page.locator(".cell[aria-label*=IMG]").first.wait_for()
    page.locator("[type=search]").fill("2026-07")
    until(page, "() => [...document.querySelectorAll('.day')].length && [...document.querySelectorAll('.day')].every(day => day.dataset.day.startsWith('2026-07'))")
    whole(page)
    # As a person does it: what is not in the window is scrolled to first.
    for place in range(2, 14):
        photo = page.locator(f".cell[aria-posinset='{place}']")
        if options["has_touch"]:
            photo.tap()
        else:
            photo.click()
    page.locator(".done .count", has_text="12").wait_for()
    shot("picker")
    page.locator(".done button.main").click()
    assert app.wait(60) == 0
    page.wait_for_url("**/")
    world.app("wallpapers", "assets").wait(10)
    page.goto(home + "/photos")
    page.locator(".cell[aria-label*=IMG]").first.wait_for()
    shot("photos")
    page.goto(home + "/apps")
    shot("apps")
    page.locator(".apps a", has_text="org.example.Wallpapers").click()
    page.wait_for_load_state()
    shot("app")
    page.goto(home + "/library")
    shot("library")
    page.goto(home + "/log")
    shot("log")
    # A deletion, with what would go.
    world.ctl("allow", "org.example.Printer", check=True)
    assets = [line.split('"id":"')[1].split('"')[0] for line in world.ctl("assets", "--owner", "--json").stdout.splitlines()[:5]]
    app = world.app("printer", "delete", *assets)
    answerable(page)
    shot("deletion")
    app.kill()
    context.close()


main()
