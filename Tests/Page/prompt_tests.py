"""Prompts on the page (S62). Each test is called what it shows."""

import os
import re
import subprocess

from browsing import answer, answerable, ask, ask_until_heard, cell, follow, live, noted, pick, prompted, reset, test, until, visit, whole
from page import PATIENCE, wait, Wire


@test
def a_prompt_appears_and_is_answered(world, browser):
    """S60, S62: a prompt of a real process, on two open pages."""
    reset(world)
    page = visit(world, browser)
    other = visit(world, browser, "/log")
    app = ask(world, page)
    other.locator(".sheet").wait_for()
    text = page.locator(".sheet").inner_text()
    for part in ("Wallpapers", "org.example.Wallpapers", "Shows your photos as wallpapers", "Allow all photos", "Don't allow", "Not now"):
        assert part in text, (part, text)
    answer(page, page.get_by_role("button", name="Allow all photos"))
    assert app.wait(PATIENCE) == 0 and "authorized" in app.stdout.read()
    page.locator(".sheet").wait_for(state="detached")
    other.locator(".sheet").wait_for(state="detached")
    assert not page.failures and not other.failures, (page.failures, other.failures)


@test
def of_two_pages_the_first_answer_counts(world, browser):
    """S62: a picker that is open elsewhere is told that its prompt was answered."""
    reset(world)
    page, other = visit(world, browser), visit(world, browser)
    app = ask(world, page)
    answer(other, other.locator(".sheet a.button"))
    cell(other, 1).click()
    answer(page, page.get_by_role("button", name="Don't allow"))
    assert app.wait(PATIENCE) == 3
    other.locator(".ended", has_text="answered").wait_for()
    assert other.locator("#choose[inert]").count() == 1
    follow(other, other.locator(".ended a"))
    assert other.url == other.home + "/", other.url


@test
def eight_tabs_of_one_browser_hear_by_one_stream(world, browser):
    """S62: a browser opens six connections at most, and every tab shows its pictures and the prompt nevertheless."""
    reset(world)
    first = visit(world, browser)
    tabs = [first] + [first.context.new_page() for _ in range(7)]
    for tab in tabs[1:]:
        tab.goto(first.home + ("/log" if tab is tabs[1] else "/photos"))
        live(tab)
    whole(tabs[-1])
    app = ask(world, first)
    for tab in tabs:
        tab.locator(".sheet").wait_for()
    # Whoever listened for all is gone: another does. And one that was passed over before.
    tabs.pop().close()
    tabs[2].reload()
    live(tabs[2])
    answer(tabs[4], tabs[4].locator(".sheet").get_by_role("button", name="Don't allow"))
    assert app.wait(PATIENCE) == 3
    for tab in tabs:
        tab.locator(".sheet").wait_for(state="detached")
    # What is noted is told to the log, which has no stream of prompts.
    tabs[1].locator("#lines", has_text="not allowed").wait_for()
    app = ask(world, tabs[0], "stickers")
    for tab in tabs:
        tab.locator(".sheet").wait_for()
    app.kill()


@test
def the_first_half_second_does_not_count(world, browser):
    """S62: no click-jacking by timing, neither by the page nor past it."""
    reset(world)
    page = visit(world, browser)
    # A script that sends the form past the page, which has not shown the question to it.
    other = Wire(world.link())
    other.come_in()
    page.locator(".sheet").wait_for(state="detached")
    page.evaluate("""() => {
      // Faster than any person: the moment that it is there.
      new MutationObserver((_, observer) => {
        const button = document.querySelector(".sheet button[value=allow]");
        if (!button) return;
        observer.disconnect();
        window.wasWaiting = Boolean(button.closest(".wait"));
        button.click();
      }).observe(document.getElementById("sheet"), { childList: true });
    }""")
    app = world.app("wallpapers", "request", "--level", "readWrite")
    page.locator(".sheet").wait_for()
    assert page.evaluate("[window.wasWaiting, window.hasCounted]") == [True, False]
    # It is told the same by the server.
    prompt = page.locator(".sheet").get_attribute("data-prompt")
    status, _, text = other.post(f"/prompt/{prompt}", {"token": other.token, "decision": "allow"})
    assert status == 409 and app.poll() is None, (status, text)
    # From the click on it is half a second again.
    answerable(page)
    assert app.poll() is None
    answer(page, page.get_by_role("button", name="Not now"))
    app.wait(PATIENCE)


@test
def a_prompt_leaves_when_the_app_goes_and_typing_is_not_disturbed(world, browser):
    """S62: withdrawn, and never in the way of what is typed."""
    reset(world)
    page = visit(world, browser, "/photos")
    page.locator("[type=search]").focus()
    app = ask(world, page, "printer")
    page.keyboard.type("lake")
    assert page.locator("[type=search]").input_value() == "lake"
    app.kill()
    page.locator(".sheet").wait_for(state="detached")
    noted(page, "the app does not wait any more")


@test
def the_place_is_given_only_by_the_switch(world, browser):
    """S55, S62: the switch is off until the person sets it, in the prompt and in the grid."""
    places = lambda: [grant.get("location") for app in world.known_apps() if app["id"] == "org.example.Maps"
                      for grant in app["grants"] if grant["accessLevel"] == "readWrite"]
    page = visit(world, browser)
    switch = page.get_by_label("Also where the photos were taken")
    for is_set in (False, True):
        reset(world)
        app = ask(world, page, "maps")
        assert not switch.is_checked() and "Draws your photos on a map" in page.locator(".sheet").inner_text()
        switch.set_checked(is_set)
        answer(page, page.get_by_role("button", name="Allow all photos"))
        assert app.wait(PATIENCE) == 0 and places() == [is_set], places()
    for is_set in (False, True):
        reset(world)
        app = pick(world, page, "maps")
        assert not switch.is_checked()
        switch.set_checked(is_set)
        cell(page, 1).click()
        page.get_by_role("button", name="Done").click()
        assert app.wait(PATIENCE) == 0 and places() == [is_set], places()
        page.wait_for_url(page.home + "/")


@test
def without_scripts_a_prompt_is_answered_too(world, browser):
    """S65: everything but what is live works without scripts."""
    reset(world)
    page = visit(world, browser, java_script_enabled=False)
    app = prompted(world, page, "printer", "request", "--level", "readWrite")
    follow(page, page.get_by_role("link", name="Select photos"))
    grid = page.url

    def answered():
        page.goto(grid)
        page.locator("input[name=asset]").first.check()
        follow(page, page.get_by_role("button", name="Done"))
        return not page.get_by_text("That was too fast").count()

    wait(answered, what="an answer that is not too fast")
    assert app.wait(PATIENCE) == 0 and "limited" in app.stdout.read()


@test
def the_daemon_comes_back_and_asks_here_again(world, browser):
    """S60: the page outlives the daemon, and what was asked before is no more."""
    reset(world)
    page = visit(world, browser)
    ask(world, page, "printer")
    world.stop(world.daemon)
    page.locator(".sheet").wait_for(state="detached")
    world.end_apps()
    world.start_daemon()
    app = ask_until_heard(world, page)
    answer(page, page.get_by_role("button", name="Don't allow"))
    assert app.wait(PATIENCE) == 3


@test
def a_prompt_is_over_a_photo_that_is_shown_large(world, browser):
    """S62, S65: over everything and with the keyboard, which it gives back; what lies beneath is for nobody meanwhile."""
    reset(world)
    page = visit(world, browser, "/photos")
    whole(page)
    page.locator(".cell").first.click()
    page.locator("dialog[open]").wait_for()
    app = ask(world, page)
    assert page.locator("dialog[open]").count() == 0
    assert page.evaluate("() => document.querySelector('.sheet[aria-modal=true]').contains(document.activeElement)")
    assert page.locator("main[inert], .bar[inert]").count() == 2
    answer(page, page.locator(".sheet").get_by_role("button", name="Don't allow"))
    assert app.wait(PATIENCE) == 3
    page.locator(".sheet").wait_for(state="detached")
    assert page.locator("[inert]").count() == 0
    until(page, "() => document.activeElement.matches('.cell')")


@test
def an_answer_that_was_not_taken_is_told(world, browser):
    """S62: whatever stands between, such as a web server whose page is away."""
    reset(world)
    page = visit(world, browser)
    app = ask(world, page)
    page.route("**/prompt/*", lambda route: route.fulfill(status=502, body="<h1>502 Bad Gateway</h1>"))
    answer(page, page.get_by_role("button", name="Don't allow"))
    page.locator(".said", has_text="Something went wrong").wait_for()
    page.unroute("**/prompt/*")
    answer(page, page.get_by_role("button", name="Don't allow"))
    assert app.wait(PATIENCE) == 3


@test
def a_refusal_on_the_way_ends_no_page(world, browser):
    """S62: the stream is asked for again, and nothing that was done is lost, unless the session has ended."""
    page = visit(world, browser, "/photos")
    page.evaluate("() => { window.isKept = true; }")
    refused = []

    def refuse(route):
        refused.append(route)
        route.fulfill(status=502, body="<h1>502 Bad Gateway</h1>")

    page.route("**/events", refuse)
    world.stop(world.page)
    world.start_page(port=page.home.rsplit(":", 1)[1])
    while len(refused) < 3:
        page.wait_for_timeout(20)
    assert page.get_by_text("Not connected").is_visible()
    page.unroute("**/events")
    live(page)
    assert page.evaluate("() => window.isKept === true")


@test
def open_pages_say_when_the_daemon_is_away(world, browser):
    """S60: whoever waits before the page knows why nothing comes, and when it does again."""
    page = visit(world, browser, "/apps")
    world.stop(world.daemon)
    page.locator("#away", has_text="albumd").wait_for()
    world.start_daemon()
    page.locator("#away").wait_for(state="hidden")


@test
def the_page_says_when_it_hears_nothing(world, browser):
    """S62: nobody waits before a page that is cut off."""
    page = visit(world, browser)
    world.stop(world.page)
    page.locator("body[data-live='0']").wait_for()
    assert page.get_by_text("Not connected").is_visible()
    world.start_page(port=page.home.rsplit(":", 1)[1])
    page.locator("body[data-live='1']").wait_for()
    assert not page.get_by_text("Not connected").is_visible()
    # Its session was kept.
    reset(world)
    app = ask_until_heard(world, page)
    answer(page, page.get_by_role("button", name="Not now"))
    app.wait(PATIENCE)


EDITOR = """
import pathlib, sys
from albumd import PhotoLibrary
with PhotoLibrary() as library:
    library.replace(sys.argv[1], pathlib.Path(sys.argv[2]))
"""


@test
def both_pictures_are_shown_before_one_takes_the_others_place(world, browser):
    """S33, S62: what was shown is what is written, whatever the app does with its file meanwhile."""
    reset(world)
    world.ctl("allow", "org.example.Editor", check=True)
    red, blue = (subprocess.run(["convert", "-size", "1200x800", f"xc:{colour}", "jpg:-"], check=True, capture_output=True).stdout
                 for colour in ("red", "blue"))
    new = world.directory / "new.jpg"
    asset = world.assets("--name", "IMG_00020")[0]
    content = lambda: subprocess.run([world.bin / "albumctl", "open", "--owner", asset["id"]], env=world.environment,
                                     check=True, capture_output=True).stdout
    before = content()
    page = visit(world, browser)
    middle = """image => image.decode().then(() => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      return [image.naturalWidth, [...context.getImageData(image.naturalWidth / 2, image.naturalHeight / 2, 1, 1).data.slice(0, 3)]];
    })"""
    for agrees in (False, True):
        new.write_bytes(red)
        app = ask(world, page, "editor", "-c", EDITOR, asset["id"], str(new))
        now, instead = page.locator(".swap img").all()
        assert now.evaluate(middle)[0] > 300
        width, (r, g, b) = instead.evaluate(middle)
        assert width == 1024 and r > 200 and g < 60 and b < 60, (width, r, g, b)
        # The very file, after it was shown.
        with new.open("r+b") as file:
            file.write(blue)
            file.truncate(len(blue))
        answer(page, page.locator(".sheet button[value=%s]" % ("allow" if agrees else "deny")))
        assert (app.wait(PATIENCE) == 0) == agrees, app.stdout.read()
        assert content() == (red if agrees else before)
    assert not page.failures, page.failures


@test
def an_answer_that_does_not_arrive_is_told(world, browser):
    """S62: as what it is, and can be given again."""
    reset(world)
    page = visit(world, browser)
    app = ask(world, page, "printer")
    page.route("**/prompt/*", lambda route: route.abort())
    answer(page, page.get_by_role("button", name="Don't allow"))
    page.locator(".sheet .said", has_text="Something went wrong").wait_for()
    assert app.poll() is None
    page.unroute("**/prompt/*")
    answer(page, page.locator(".sheet").get_by_role("button", name="Don't allow"))
    assert app.wait(PATIENCE) == 3


# What the page is answered reaches it only when it is released.
HELD = """() => {
  const ask = window.fetch;
  window.fetch = async (...all) => {
    const reply = await ask(...all);
    await new Promise((resolve) => { window.release = resolve; });
    return reply;
  };
}"""


@test
def an_answer_of_which_nothing_is_heard_for_long_takes_no_other_question_away(world, browser):
    """S62: what is asked next stays, also where it was shown before the page heard what became of the last answer."""
    reset(world)
    page = visit(world, browser)
    page.evaluate(HELD)
    app = ask(world, page)
    answer(page, page.get_by_role("button", name="Don't allow"))
    assert app.wait(PATIENCE) == 3
    ask(world, page, "printer")
    until(page, "() => window.release")
    page.evaluate("""async () => {
      window.release();
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    }""")
    assert page.locator(".sheet h2", has_text="Photo Printer").count() == 1
    assert not page.failures, page.failures


@test
def what_is_asked_of_a_question_that_has_gone_is_gone(world, browser):
    """S62: which is no failure of a page; that of one that stands would be."""
    reset(world)
    world.ctl("allow", "org.example.Wallpapers", check=True)
    page = visit(world, browser)
    about = [asset["id"] for asset in world.assets()[:2]]
    app = ask(world, page, "wallpapers", "delete", *about)
    prompt = page.locator(".sheet").get_attribute("data-prompt")
    get = "address => fetch(address).then((answer) => answer.status)"
    places = [f"/api/days?prompt={prompt}", f"/api/assets?prompt={prompt}&from=2000-01-01&to=2100-01-01", f"/prompt/{prompt}/assets",
              f"/prompt/{prompt}"]
    assert [page.evaluate(get, place) for place in places] == [200] * 4
    # There is none, and that is a failure.
    assert page.evaluate(get, f"/preview/prompt/{prompt}") == 404
    wait(lambda: page.evaluate("0") == 0 and page.failures, what="the failure")
    assert len(page.failures) == 1 and "404" in page.failures[0] and page.failures[0].endswith(f"/preview/prompt/{prompt}"), page.failures
    page.failures.clear()
    app.kill()
    page.locator(".sheet").wait_for(state="detached")
    assert [page.evaluate(get, place) for place in [*places, f"/preview/prompt/{prompt}"]] == [410] * 5
    # By then it has told of those before.
    page.evaluate("console.error('the last')")
    wait(lambda: page.evaluate("0") == 0 and page.failures, what="the last")
    assert len(page.failures) == 1 and "the last" in page.failures[0], page.failures


@test
def what_would_go_has_a_name_and_a_date(world, browser):
    """S62, S65: of what an app wants to delete or overwrite, also where there is no picture of it."""
    reset(world)
    world.ctl("allow", "org.example.Printer", check=True)
    world.ctl("allow", "org.example.Editor", check=True)
    asset = world.assets("--name", "IMG_00021")[0]
    page = visit(world, browser)
    page.route("**/preview/**", lambda route: route.fulfill(status=200, content_type="text/plain", body=""))
    app = ask(world, page, "printer", "delete", asset["id"])
    named = page.locator(".sheet .strip img")
    assert re.fullmatch(rf"{re.escape(asset['filename'])}, \d{{4}}-\d\d-\d\d \d\d:\d\d", named.get_attribute("alt")), named.get_attribute("alt")
    name = named.get_attribute("alt")
    answer(page, page.get_by_role("button", name="Don't allow"))
    assert app.wait(PATIENCE) != 0
    new = world.directory / "instead.jpg"
    subprocess.run(["convert", "-size", "64x64", "xc:green", f"jpg:{new}"], check=True)
    app = ask(world, page, "editor", "-c", EDITOR, asset["id"], str(new))
    assert name in page.locator(".swap figcaption").first.inner_text()
    answer(page, page.locator(".sheet button[value=deny]"))
    assert app.wait(PATIENCE) != 0


@test
def without_scripts_what_is_asked_is_on_every_page(world, browser):
    """S62, S65: also where something did not work; and what was answered too fast is answered again from there."""
    reset(world)
    page = visit(world, browser, java_script_enabled=False)
    assert page.get_by_role("link", name="Look again").is_visible()
    early = Wire(world.link())
    early.come_in()
    app = prompted(world, page, "printer", "request", "--level", "readWrite")
    prompt = page.locator(".sheet").get_attribute("data-prompt")
    for path in ("/sessions", "/nowhere", f"/apps/org.example.Nobody/{os.getuid()}"):
        page.goto(page.home + path)
        assert page.locator(".sheet").get_attribute("data-prompt") == prompt, path
    # Who was not shown it yet cannot have read it.
    status, _, text = early.post(f"/prompt/{prompt}", {"token": early.token, "decision": "deny"})
    assert status == 409 and "too fast" in text and 'class="sheet"' not in text, text
    again = re.search(r'href="(/prompt/[^"]+)"', text)[1]
    assert f'data-prompt="{prompt}"' in early.send("GET", again)[2] and app.poll() is None


@test
def enter_beside_the_answers_is_none(world, browser):
    """S62, S65: a browser presses a form's first button then, with scripts and without."""
    for scripts in (True, False):
        reset(world)
        page = visit(world, browser, java_script_enabled=scripts)
        if scripts:
            app = ask(world, page, "maps")
            page.locator(".sheet [name=location]").press("Enter")
            page.evaluate("fetch('/sessions').then((answer) => answer.text())")
            assert page.evaluate("document.activeElement.name") == "location"
        else:
            app = prompted(world, page, "maps", "request", "--level", "readWrite")
            with page.expect_navigation():
                page.locator(".sheet [name=location]").press("Enter")
            assert "/prompt/" in page.url and page.locator(".sheet").count()
        assert app.poll() is None
        held = [grant for one in world.known_apps() if one["id"] == "org.example.Maps" for grant in one["grants"]]
        assert all(grant["status"] == "notDetermined" for grant in held), held
        app.kill()
        page.context.close()
