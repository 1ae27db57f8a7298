"""The page for everybody (S65). Each test is called what it shows."""

import os
import re

from browsing import answer, ask, cell, findings, follow, go, pick, reset, test, until, visit, whole
from page import PATIENCE
from place_tests import PLACES


def views(world, page):
    """Every view of the page, one after the other: its name, and the page that shows it."""
    for path in PLACES:
        go(page, path)
        yield path
    world.ctl("allow", "org.example.Wallpapers", check=True)
    go(page, "/apps")
    follow(page, page.locator(".apps a", has_text="org.example.Wallpapers"))
    whole(page)
    yield "an app"
    page.goto(page.home + "/nothing")
    yield "a page that is not there"
    go(page, "/")
    app = ask(world, page, "maps")
    yield "a prompt"
    answer(page, page.locator(".sheet a.button"))
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
    assert app.wait(PATIENCE) == 0
    page.wait_for_url(page.home + "/")
    app = ask(world, page, "wallpapers", "delete", world.assets()[0]["id"])
    whole(page)
    yield "a deletion"
    answer(page, page.get_by_role("button", name="Not now"))
    app.wait(PATIENCE)
    go(page, "/photos")
    page.locator(".cell").first.click()
    page.locator(".large img").wait_for()
    yield "one picture"


@test
def everything_is_well_for_axe_in_light_and_dark(world, browser):
    """S65: no serious finding of axe, on any view; nor on a phone."""
    for scheme, width, height in (("light", 1280, 860), ("dark", 1280, 860), ("light", 360, 640)):
        reset(world)
        page = visit(world, browser, color_scheme=scheme, viewport={"width": width, "height": height})
        for name in views(world, page):
            bad = findings(page)
            assert not bad, (scheme, width, name, bad)
            # What is said of it where it is not seen.
            if name == "the picker":
                assert page.get_by_role("combobox", name="For how long").count() == 1
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
            # The menu and the views are whole: nobody looks for what is beyond an edge.
            cut = page.evaluate("""() => [...document.querySelectorAll('.bar nav, .tabs')]
              .filter((element) => element.scrollWidth > element.clientWidth).map((element) => element.className || 'menu')""")
            assert not cut, (width, name, cut)
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
    assert app.wait(PATIENCE) == 0 and "limited" in app.stdout.read()
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


TABBABLE = """() => [...document.querySelectorAll(".cell[tabindex='0']")].map((element) => {
  const box = element.getBoundingClientRect();
  return box.bottom > 0 && box.top < innerHeight;
})"""


@test
def the_keyboard_comes_into_the_grid_where_that_was_scrolled_to(world, browser):
    """S65: at what is seen; and once it is there it stays. What is read is in its order."""
    page = visit(world, browser, "/photos")
    whole(page)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight * 0.7)")
    until(page, f"() => ({TABBABLE})().join() === 'true'")
    whole(page)
    page.locator(".cell[tabindex='0']").focus()
    index = page.evaluate("document.activeElement.cell.index")
    page.evaluate("scrollTo(0, 0)")
    until(page, "() => [...document.querySelectorAll('.cell')].some(element => element.cell.index === 0)")
    assert page.evaluate("document.activeElement.cell?.index") == index
    order = page.locator(".cell").evaluate_all("cells => cells.map(element => element.cell.index)")
    assert order == sorted(order) and order[-1] == index, order
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.cell?.index") == index + 1
    whole(page)
    order = page.locator(".cell").evaluate_all("cells => cells.map(element => element.cell.index)")
    assert order == sorted(order), order


@test
def months_are_gone_through_by_keyboard(world, browser):
    """S65: the bar over years, which says where one is."""
    page = visit(world, browser, "/photos")
    whole(page)
    days = page.evaluate("fetch('/api/days').then(answer => answer.json())")
    months = list(dict.fromkeys(day["day"][:7] for day in days))
    bar = page.get_by_role("slider", name="Months")
    bar.focus()

    def at():
        text = page.evaluate("new Date(document.querySelector('.years').getAttribute('aria-valuetext') + ' 15 12:00 UTC').toISOString()")
        assert int(bar.get_attribute("aria-valuenow")) == months.index(text[:7])
        return text[:7]

    assert at() == months[0] and bar.get_attribute("aria-valuemax") == str(len(months) - 1)
    for month in months[1:4]:
        page.keyboard.press("ArrowDown")
        assert at() == month
    page.keyboard.press("ArrowUp")
    assert at() == months[2]
    page.keyboard.press("Home")
    assert at() == months[0]
    page.keyboard.press("PageDown")
    year, month = months[0].split("-")
    assert at() == next(name for name in months if name <= f"{int(year) - 1}-{month}")
    until(page, "month => [...document.querySelectorAll('.day')].some(day => day.dataset.day.startsWith(month))", at())
    page.keyboard.press("End")
    assert at() == months[-1]
    until(page, "month => [...document.querySelectorAll('.day')].some(day => day.dataset.day.startsWith(month))", months[-1])
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


SIGN = "element => getComputedStyle(element, '::before').content"


@test
def a_refusal_has_a_warning_sign(world, browser):
    """S65: not by colour alone: in the log, and where an app's access is."""
    reset(world)
    world.ctl("deny", "org.example.Printer", check=True)
    assert world.app("printer", "assets").wait(PATIENCE) != 0
    page = visit(world, browser, "/log?app=org.example.Printer&kind=refused")
    assert "⚠" in page.locator("#lines li.bad > :last-child").first.evaluate(SIGN)
    go(page, f"/apps/org.example.Printer/{os.getuid()}")
    assert "⚠" in page.locator(".status", has_text="May not see photos").evaluate(SIGN)
    page.get_by_role("button", name="Allow all photos").click()
    assert "⚠" not in page.locator(".status", has_text="Sees all photos").evaluate(SIGN)


@test
def what_was_allowed_is_green(world, browser):
    """S65: in light and dark."""
    reset(world)
    world.ctl("allow", "org.example.Printer", check=True)
    for scheme in ("light", "dark"):
        page = visit(world, browser, f"/apps/org.example.Printer/{os.getuid()}", color_scheme=scheme)
        colour = page.locator(".status", has_text="Sees all photos").evaluate("element => getComputedStyle(element).color")
        red, green, blue = map(int, re.findall(r"\d+", colour)[:3])
        assert green > red + 40 and green > blue, colour


@test
def an_app_is_one_click_from_what_it_did(world, browser):
    """S64: from a line of the log to what that app may do, and there to change it."""
    reset(world)
    world.ctl("allow", "org.example.Printer", check=True)
    assert world.app("printer", "assets").wait(PATIENCE) == 0
    page = visit(world, browser, "/log?app=org.example.Printer&kind=fetch")
    page.locator("#lines li a").first.click()
    page.wait_for_url(f"**/apps/org.example.Printer/{os.getuid()}")
    page.get_by_role("button", name="Don't allow").first.wait_for()


@test
def what_moves_is_not_laid_out_again(world, browser):
    """S65: what moves is drawn by the compositor alone, so that it is smooth also where much is on the page."""
    reset(world)
    page = visit(world, browser)
    pick(world, page)
    cell(page, 1).click()
    moving = page.evaluate("""() => [...document.querySelectorAll('*')].flatMap((element) => {
      const { transitionProperty, transitionDuration, animationName } = getComputedStyle(element);
      const times = transitionDuration.split(',');
      const named = transitionProperty.split(',').filter((_, at) => parseFloat(times[at % times.length]) > 0);
      return [...named.map((name) => name.trim()), ...(animationName === 'none' ? [] : ['animation'])];
    })""")
    assert set(moving) and set(moving) <= {"scale", "translate", "rotate", "transform", "opacity"}, set(moving)
