"""The page for everybody (S65). Each test is called what it shows."""

from browsing import ask, cell, findings, go, pick, reset, test, until, visit, whole
from place_tests import PLACES


def views(world, page):
    """Every view of the page, one after the other: its name, and the page that shows it."""
    for path in PLACES:
        go(page, path)
        yield path
    world.ctl("allow", "org.example.Wallpapers", check=True)
    go(page, "/apps")
    page.locator(".apps a", has_text="org.example.Wallpapers").click()
    whole(page)
    yield "an app"
    page.goto(page.home + "/nothing")
    yield "a page that is not there"
    go(page, "/")
    app = ask(world, page, "maps")
    yield "a prompt"
    page.locator(".sheet a.button").click()
    page.locator(".cell[aria-label*=IMG]").first.wait_for()
    whole(page)
    cell(page, 1).click()
    yield "the picker"
    page.get_by_role("button", name="Albums").click()
    yield "albums"
    page.get_by_label("Garden").check()
    page.get_by_role("button", name="Selected").click()
    whole(page)
    yield "what is selected"
    page.get_by_role("button", name="Done").click()
    assert app.wait(10) == 0
    page.wait_for_url(page.home + "/")
    app = ask(world, page, "wallpapers", "delete", world.assets()[0]["id"])
    whole(page)
    yield "a deletion"
    page.get_by_role("button", name="Not now").click()
    app.wait(10)
    go(page, "/photos")
    page.locator(".cell").first.click()
    page.locator(".large img").wait_for()
    yield "one picture"


@test
def everything_is_well_for_axe_in_light_and_dark(world, browser):
    """S65: no serious finding of axe, on any view."""
    for scheme in ("light", "dark"):
        reset(world)
        page = visit(world, browser, color_scheme=scheme)
        for name in views(world, page):
            bad = findings(page)
            assert not bad, (scheme, name, bad)
        page.context.close()


@test
def nothing_is_wider_than_a_small_phone_nor_lost_at_200_percent(world, browser):
    """S65: 360 pixels, and a window of 1280 at 200 %, which is one of 640 points."""
    for width, height, scale in ((360, 640, 2), (640, 400, 2)):
        reset(world)
        page = visit(world, browser, viewport={"width": width, "height": height}, device_scale_factor=scale)
        for name in views(world, page):
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, (width, name, wide)
            # Every button can be brought into the window, and has a place there that is its own.
            hidden = page.evaluate("""() => [...document.querySelectorAll('.sheet button, .sheet a, .done button, .done a, .tabs button')]
              .filter((element) => element.checkVisibility())
              .filter((element) => {
                element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
                const box = element.getBoundingClientRect();
                const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
                return !(at && (element.contains(at) || at.contains(element)));
              }).map((element) => element.textContent)""")
            assert not hidden, (width, name, hidden)
        page.context.close()


@test
def the_keyboard_is_enough(world, browser):
    """S65: by keyboard alone, from the prompt to what was picked, and through the menu."""
    reset(world)
    page = visit(world, browser)

    def tab_to(condition, most=40):
        for _ in range(most):
            if page.evaluate(f"(element => {condition})(document.activeElement)"):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not come to {condition}")

    app = ask(world, page, "stickers")
    # Tab goes round within the question.
    tab_to("element.value === 'deny'")
    tab_to("element.matches('.sheet a.button')")
    page.keyboard.press("Enter")
    page.locator(".cell[aria-label*=IMG]").first.wait_for()
    whole(page)
    tab_to("element.matches('.cell')")
    page.keyboard.press("Space")
    page.keyboard.press("Shift+ArrowRight")
    page.locator(".count", has_text="2 selected").wait_for()
    page.keyboard.press("End")
    page.keyboard.press("Space")
    page.locator(".count", has_text="3 selected").wait_for()
    tab_to("element.matches('.done button.main')")
    page.keyboard.press("Enter")
    assert app.wait(10) == 0 and "limited" in app.stdout.read()
    page.wait_for_url(page.home + "/")
    # The menu, and past it.
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('.skip')")
    tab_to("element.getAttribute('href') === '/photos'")
    page.keyboard.press("Enter")
    page.wait_for_url("**/photos")
    whole(page)
    tab_to("element.matches('.cell')")
    page.keyboard.press("Enter")
    first = page.locator(".large p").inner_text()
    page.keyboard.press("ArrowRight")
    until(page, "text => document.querySelector('.large p').textContent !== text", first)
    page.keyboard.press("Escape")
    page.locator(".large").wait_for(state="detached")
    assert page.evaluate("document.activeElement.matches('.cell')")
    assert not page.failures, page.failures


@test
def nothing_moves_where_motion_is_not_wanted(world, browser):
    """S65: reduced motion."""
    reset(world)
    page = visit(world, browser, reduced_motion="reduce")
    app = pick(world, page)
    moving = page.evaluate("[...document.querySelectorAll('*')].filter(element => { const style = getComputedStyle(element); "
                           "return style.transitionDuration.split(',').some(time => parseFloat(time) > 0) || style.animationName !== 'none'; }).length")
    assert moving == 0
    app.kill()
