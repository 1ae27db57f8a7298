"""What the tests do with a browser: come in, wait until a page is whole, and have an app ask."""

import re
import time

from page import PATIENCE, wait
from trouble import Failures

TESTS = []

# Everything that is in the window is there: named cells, and pictures that have come. One that is broken has not, but of
# what cannot be read now there may be none. `whole.missing` says what is not there.
WHOLE = """function whole() {
  if (document.readyState !== "complete") return !(whole.missing = ["the document"]);
  const inWindow = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.bottom > 0 && box.top < innerHeight;
  };
  const cells = [...document.querySelectorAll(".cell")].filter(inWindow).map((element) => element.cell);
  const images = [...document.images].filter((image) => image.hasAttribute("src") && inWindow(image));
  const isBroken = (image) => image.complete && !image.naturalWidth;
  const missing = [
    ...cells.filter((cell) => !cell.asset).map((cell) => "what is at " + cell.index),
    ...cells.filter((cell) => cell.asset && !cell.image.hasAttribute("src")).map((cell) => "a question for " + cell.asset.name),
    // One that is still to come is not shown, and so is in no window.
    ...[...cells.filter((cell) => cell.image.hasAttribute("src") && !cell.asset?.offline).map((cell) => cell.image), ...images]
      .filter((image) => !image.complete || isBroken(image)).map((image) => (isBroken(image) ? "broken: " : "on its way: ") + image.src),
  ];
  whole.missing = [...new Set(missing)];
  return !missing.length;
}"""

# What is said for some seconds, and what a click on the question came to: told to whoever listens, so that neither is missed.
WATCHED = """
  addEventListener("DOMContentLoaded", () => {
    const note = document.getElementById("note");
    if (!note) return;
    new MutationObserver(() => {
      if (note.textContent) console.debug("note: " + note.textContent + (document.getElementById("choose")?.inert ? " (inert)" : ""));
    }).observe(note, { childList: true, characterData: true, subtree: true });
  });
  addEventListener("click", (event) => {
    if (event.target.closest?.("#sheet")) setTimeout(() => { window.hasCounted = !event.defaultPrevented; });
  }, true);
"""


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
    # Where there are no scripts, that adds none.
    context.add_init_script(WATCHED)
    page = context.new_page()
    page.failures = Failures(world, page)
    page.notes = []
    page.on("console", lambda message: page.notes.append(message.text) if message.text.startswith("note: ") else None)
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
        if (performance.now() > end) throw new Error(holds.missing ? "missing: " + holds.missing : "it does not come to hold: " + holds);
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


def answer(page, target):
    """A click on an answer that counts: whatever moves the question begins its half second anew (S62)."""
    while True:
        answerable(page)
        page.evaluate("() => { window.hasCounted = null; }")
        target.click()
        if has_counted(page):
            return


def prompted(world, page, program, *arguments):
    """An app that has asked, as a page without scripts shows it.

    Such a page is an agent from a moment after it was sent on: an app that asks before that is told that nobody is there, or
    that too much is asked (`rest`), and asks again.
    """
    app = None

    def is_asked():
        nonlocal app
        if app and app.poll() is not None:
            rest(app)
            app = None
        app = app or world.app(program, *arguments)
        page.reload()
        return page.locator(".sheet").count()

    wait(is_asked, what="the prompt")
    return app


def has_counted(page):
    from playwright.sync_api import Error

    try:
        return page.evaluate("() => new Promise((resolve) => { setTimeout(() => resolve(window.hasCounted !== false)); })")
    except Error:
        # It has led to another page.
        return True


def follow(page, target):
    """A click that leads to another page, until that is there."""
    with page.expect_navigation():
        target.click()


def noted(page, text):
    """Until that was said, which it is for some seconds only."""
    end = time.monotonic() + PATIENCE
    while not any(text in note for note in page.notes):
        if time.monotonic() > end:
            raise TimeoutError(f"{text} was not said: {page.notes}")
        page.wait_for_timeout(20)
    return next(note for note in page.notes if text in note)


def ask(world, page, program="wallpapers", *arguments):
    """An app that asks, and whose prompt can be answered."""
    # What was answered before may still be shown.
    page.locator(".sheet").wait_for(state="detached")
    while True:
        app = world.app(program, *(arguments or ("request", "--level", "readWrite")))
        wait(lambda: app.poll() is not None or page.locator(".sheet").count(), what="an answer or a prompt")
        if app.poll() is None:
            break
        said = rest(app)
        assert said is None, said
    answerable(page)
    return app


def rest(app):
    """Of a user so many prompts are opened within a minute (S13), and tests have more: until an app that was told so may ask
    again. Else what it was told."""
    said = app.stdout.read()
    pause = re.search(r"again in (\d+) second|retryAfterSeconds (\d+)", said)
    if not pause:
        return said
    time.sleep(int(pause[1] or pause[2]))
    return None


def ask_until_heard(world, page, program="wallpapers"):
    """As `ask`, where nobody may be there yet to answer: the app is told so at once, and asks again."""
    page.locator(".sheet").wait_for(state="detached")

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
    answer(page, page.locator(".sheet a.button"))
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
