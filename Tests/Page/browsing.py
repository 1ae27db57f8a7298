"""What the tests do with a browser: come in, wait until a page is whole, and have an app ask."""

import re
import time

from page import PATIENCE, wait

TESTS = []

# Everything that is in the window is there: named cells, and pictures that have come, or that there are not.
WHOLE = """() => {
  if (document.readyState !== "complete") return false;
  const inWindow = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.bottom > 0 && box.top < innerHeight;
  };
  const cells = [...document.querySelectorAll(".cell")].filter(inWindow).map((element) => element.cell);
  // One that is still to come is not shown, and so is in no window.
  return cells.every((cell) => cell.asset && cell.image.hasAttribute("src") && cell.image.complete)
    && [...document.images].filter((image) => image.hasAttribute("src") && inWindow(image)).every((image) => image.complete);
}"""


def test(function):
    TESTS.append(function)
    return function


def reset(world):
    """Nothing was decided about any app."""
    world.ctl("reset", "--all", "--yes")


def visit(world, browser, path="/", **options):
    """A browser that was let in, on a page that is told what happens."""
    settings = {"viewport": {"width": 1280, "height": 860}, "locale": "en-US"} | options
    context = browser.new_context(**settings)
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    page.failures = []
    page.on("pageerror", lambda error: page.failures.append(str(error)))
    page.on("console", lambda message: page.failures.append(message.text) if message.type == "error" else None)
    page.goto(world.link())
    page.wait_for_url("**/")
    page.home = page.url.rstrip("/")
    if path != "/":
        page.goto(page.home + path)
    if options.get("java_script_enabled", True):
        live(page)
    return page


def until(page, holds, argument=None):
    """Until a function holds, looked at with every frame that is drawn. Playwright's own way needs what the page's policy forbids."""
    page.evaluate("""async (argument) => {
      const holds = %s;
      const end = performance.now() + %d;
      while (!holds(argument)) {
        if (performance.now() > end) throw new Error("it does not come to hold: " + holds);
        await new Promise((resolve) => { requestAnimationFrame(resolve); setTimeout(resolve, 100); });
      }
    }""" % (holds, PATIENCE * 1000), argument)


def live(page):
    """Until the page hears of prompts."""
    page.locator("body[data-live='1']").wait_for()


def whole(page):
    """Until the page shows everything that it has to show."""
    live(page)
    until(page, WHOLE)


def go(page, path):
    """To another place of the page."""
    page.goto(page.home + path)
    whole(page)


def answerable(page):
    """Until answers to the prompt that is shown count."""
    # Until its scripts run, a page does not know that they do not.
    live(page)
    page.locator(".sheet:not(.wait)").wait_for()
    return page.locator(".sheet")


def ask(world, page, program="wallpapers", *arguments):
    """An app that asks, and whose prompt can be answered."""
    while True:
        app = world.app(program, *(arguments or ("request", "--level", "readWrite")))
        wait(lambda: app.poll() is not None or page.locator(".sheet").count(), what="an answer or a prompt")
        if app.poll() is None:
            break
        # Of a user so many prompts are opened within a minute (S13), and tests have more.
        said = app.stdout.read()
        pause = re.search(r"again in (\d+) second", said)
        assert pause, said
        time.sleep(int(pause.group(1)))
    answerable(page)
    return app


def ask_until_heard(world, page, program="wallpapers"):
    """As `ask`, where nobody may be there yet to answer: the app is told so at once, and asks again."""
    def heard():
        app = world.app(program, "request", "--level", "readWrite")
        wait(lambda: app.poll() is not None or page.locator(".sheet").count(), what="an answer or a prompt")
        return app if app.poll() is None else None

    app = wait(heard, "somebody who answers")
    answerable(page)
    return app


def pick(world, page, program="stickers", *arguments):
    """An app that asks, and the grid that answers it."""
    app = ask(world, page, program, *arguments)
    page.locator(".sheet a.button").click()
    page.locator(".cell[aria-label*=IMG]").first.wait_for()
    whole(page)
    return app


def cell(page, number):
    """The cell of that number, from 1."""
    return page.locator(f".grid:not([hidden]) .cell[aria-posinset='{number}']")


def findings(page):
    """What axe has found that is serious."""
    from axe_playwright_python.sync_playwright import Axe

    return [(found["id"], [node["html"][:120] for node in found["nodes"][:3]])
            for found in Axe().run(page).response["violations"] if found["impact"] in ("serious", "critical")]
