"""What the owner sees and changes of apps, of what they did, of what was deleted, and of the library (S64). Each test is
called what it shows."""

import contextlib
import datetime
import json
import os
import re
import sqlite3

from asking_tests import grant
from browsing import answer, ask, cell, follow, go, pick, reset, test, until, visit, whole
from kind_tests import album, picture
from page import PATIENCE, wait

PRINTER = "org.example.Printer"
LOADED = "images => Promise.all(images.map((image) => image.decode().then(() => image.naturalWidth)))"


@test
def an_app_is_seen_whole_and_each_level_changed_by_itself(world, browser):
    """S64: both levels, the place, the selection in pictures, and what it did."""
    reset(world)
    page = visit(world, browser)
    app = pick(world, page, "maps")
    for number in (1, 2, 3):
        cell(page, number).click()
    page.get_by_role("button", name="Done").click()
    assert app.wait(PATIENCE) == 0
    assert world.app("maps", "assets").wait(PATIENCE) == 0
    page.wait_for_url(page.home + "/")
    go(page, "/apps")
    follow(page, page.locator(".apps a", has_text="org.example.Maps"))
    whole(page)
    reads = page.locator(".card", has_text="See photos and add to them")
    adds = page.locator(".card", has=page.get_by_role("heading", name="Add photos", exact=True))
    assert reads.locator(".status").inner_text() == "Sees what you selected (3)"
    pictures = page.locator(".strip img")
    assert pictures.count() == 3 and min(pictures.evaluate_all(LOADED)) > 100
    chosen = set(json.loads(world.ctl("selection", "org.example.Maps", "--json", check=True).stdout)["assets"])
    shown = {source.split("/")[2].split("?")[0] for source in pictures.evaluate_all("all => all.map((one) => one.getAttribute('src'))")}
    assert shown == chosen, (shown, chosen)
    assert page.locator(".lines li", has_text="3").count() >= 1, page.locator(".lines").inner_text()
    # The place, off until the person sets it (S55).
    place = reads.get_by_role("switch")
    assert place.get_attribute("aria-checked") == "false"
    for told in (True, False):
        with page.expect_navigation():
            place.click()
        assert place.get_attribute("aria-checked") == str(told).lower() and grant(world, "org.example.Maps")["location"] == told
    # One level, and then the other.
    with page.expect_navigation():
        adds.get_by_role("button", name="Don't allow").click()
    assert adds.locator(".status").inner_text() == "May not add photos"
    held = [grant(world, "org.example.Maps", level)["status"] for level in ("addOnly", "readWrite")]
    assert held == ["denied", "limited"], held
    with page.expect_navigation():
        reads.get_by_role("button", name="Don't allow").click()
    with page.expect_navigation():
        adds.get_by_role("button", name="Allow", exact=True).click()
    held = [grant(world, "org.example.Maps", level)["status"] for level in ("addOnly", "readWrite")]
    assert held == ["authorized", "denied"], held
    assert page.locator(".strip").count() == 0, "what it may not see any more is shown as seen"
    for card, level in ((adds, "addOnly"), (reads, "readWrite")):
        with page.expect_navigation():
            card.get_by_role("button", name="Forget the decision").click()
        # What was selected by hand goes with it.
        if level == "readWrite":
            assert grant(world, "org.example.Maps", level)["status"] == "denied"
            asked = page.locator(".notice.bad", has_text="what you selected for this app")
            with page.expect_navigation():
                asked.get_by_role("button", name="Forget the decision").click()
        assert page.get_by_role("status").get_by_text("Changed. It counts from now on.").is_visible()
        assert card.locator(".status").inner_text() == "Nothing was decided yet"
        assert grant(world, "org.example.Maps", level)["status"] == "notDetermined"
    assert not page.failures, page.failures


def does_everything(world, page):
    """An app that does what there is a filter of the log for, and what it is answered."""
    file = world.directory / "saved.jpg"
    picture(file)
    photo = world.assets("--name", "IMG_0001")[0]["id"]

    def answered(button, *arguments):
        app = ask(world, page, "printer", *arguments)
        answer(page, page.locator(".sheet").get_by_role("button", name=button))
        assert app.wait(PATIENCE) == 0, app.stdout.read()
        page.locator(".sheet").wait_for(state="detached")

    def does(status, *arguments):
        app = world.app("printer", *arguments)
        assert app.wait(PATIENCE) == status, app.stdout.read()

    answered("Allow all photos", "request", "--level", "readWrite")
    does(0, "assets", "--limit", "1")
    does(0, "open", photo, "--output", str(world.directory / "opened.jpg"))
    does(0, "save", str(file))
    does(0, "rename", world.assets("--name", "saved")[0]["id"], "saved-once")
    answered("Delete", "delete", world.assets("--name", "saved")[0]["id"])
    app = pick(world, page, "printer", "pick", "--limit", "1", "--output", str(world.directory))
    cell(page, 1).click()
    page.get_by_role("button", name="Done").click()
    assert app.wait(PATIENCE) == 0, app.stdout.read()
    page.wait_for_url(page.home + "/")
    world.ctl("deny", PRINTER, check=True)
    does(3, "assets")


@test
def the_log_is_filtered_by_app_and_by_what_was_done(world, browser):
    """S64: each filter shows all that it is about, and nothing else."""
    reset(world)
    page = visit(world, browser)
    does_everything(world, page)
    entries = [json.loads(line) for line in world.ctl("log", "--app", PRINTER, "--json", check=True).stdout.splitlines()]
    go(page, "/log")
    lines = page.locator("#lines li")

    def choose(field, value):
        with page.expect_navigation():
            page.locator(f".filter [name={field}]").select_option(value)
        whole(page)

    choose("app", PRINTER)
    assert lines.count() == len(entries) and set(lines.locator("a").evaluate_all("all => all.map((one) => one.title)")) == {PRINTER}
    kinds = page.locator(".filter [name=kind] option").evaluate_all("all => all.map((one) => one.value).filter(Boolean)")
    assert len(kinds) == 10 and kinds[8] == "owner", kinds
    assert not {entry["kind"] for entry in entries} - set(kinds) - {"renameAsset"}
    texts = {}
    for kind in kinds[:8] + kinds[9:]:
        choose("kind", kind)
        those = [entry for entry in entries if entry["kind"].replace("renameAsset", "change") == kind]
        assert those and lines.count() == len(those), (kind, lines.all_inner_texts())
        assert page.locator(".filter [name=app]").input_value() == PRINTER
        texts[kind] = set(lines.locator("> :last-child").all_inner_texts())
    assert len(set.union(*texts.values())) == sum(map(len, texts.values())), texts
    choose("kind", "")
    choose("app", "")
    assert lines.count() > len(entries)
    choose("kind", "owner")
    asked = [text.split("\n")[-1] for text in lines.all_inner_texts()]
    assert asked and all("owner's view" in text or text.startswith("registered") for text in asked), asked


@test
def a_busy_app_hides_nothing_of_another(world, browser):
    """S64: each filter finds what it is about before however much another app did; and every app can be chosen."""
    reset(world)
    world.ctl("allow", PRINTER, check=True)
    assert world.app("printer", "assets", "--limit", "1").wait(PATIENCE) == 0
    world.stop(world.daemon)
    columns = "first, last, count, uid, kind, level, outcome, role, byUID, detail, assets, accountable"
    with contextlib.closing(sqlite3.connect(world.directory / "state" / "access.sqlite")) as log:
        last, = log.execute("SELECT max(max(id), max(revision)) FROM entry").fetchone()
        with log:
            log.execute(f"INSERT INTO entry (id, revision, app, {columns}) "
                        "WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 4500) "
                        f"SELECT ? + n, ? + n, 'org.example.Maps', {columns} FROM number, "
                        "(SELECT * FROM entry WHERE app = ? AND kind = 'fetch' LIMIT 1)", (last, last, PRINTER))
        world.start_daemon()
        try:
            page = visit(world, browser, "/log")
            choices = page.locator(".filter [name=app] option").evaluate_all("all => all.map((one) => one.value)")
            assert {PRINTER, "org.example.Maps", "org.example.Stickers"} <= set(choices), choices
            lines = page.locator("#lines li")
            assert lines.count() == 300 and lines.locator(f"a[title='{PRINTER}']").count() == 0
            # What is left out is said, and reached.
            last_shown = int(lines.last.get_attribute("data-entry"))
            assert re.search(r"and [1-9][0-9]* more", page.locator("main").inner_text())
            follow(page, page.get_by_role("link", name="Older"))
            assert lines.count() == 300 and int(lines.first.get_attribute("data-entry")) < last_shown
            go(page, f"/apps/org.example.Maps/{os.getuid()}")
            follow(page, page.get_by_role("link", name=re.compile("and [0-9]+ more")))
            assert page.locator(".filter [name=app]").input_value() == "org.example.Maps" and lines.count() == 300
            for query in (f"app={PRINTER}", f"app={PRINTER}&kind=fetch", f"app={PRINTER}&kind=decision", "kind=decision"):
                go(page, f"/log?{query}")
                assert lines.locator(f"a[title='{PRINTER}']").count() >= 1, query
            go(page, "/log?app=org.example.Nobody")
            assert lines.count() == 0 and page.get_by_text("Nothing here.").is_visible()
        finally:
            with log:
                log.execute("DELETE FROM entry WHERE id > ? AND id <= ? AND app = 'org.example.Maps'", (last, last + 4500))


@test
def a_filtered_log_is_live_and_stays_filtered(world, browser):
    """S64: what comes is shown where it is asked for; that there was nothing is said no longer then."""
    reset(world)
    world.ctl("allow", "org.example.Shouter", check=True)
    page = visit(world, browser, "/log?app=org.example.Shouter&kind=fetch")
    nothing = page.get_by_text("Nothing here.")
    assert nothing.is_visible() and page.locator("#lines li").count() == 0
    photo = world.assets()[0]["id"]
    assert world.app("shouter", "open", photo, "--output", str(world.directory / "opened.jpg")).wait(PATIENCE) == 0
    assert world.app("shouter", "assets", "--limit", "1").wait(PATIENCE) == 0
    page.locator("#lines li").first.wait_for()
    assert page.locator("#lines li").count() == 1 and not nothing.is_visible()
    go(page, "/log?app=org.example.Shouter&kind=open")
    assert page.locator("#lines li").count() == 1


@test
def what_was_asked_while_nobody_was_there_is_told_until_it_is_decided(world, browser):
    """S64: on the first page; not of an app that was answered since."""
    reset(world)
    world.stop(world.page)
    for program in ("printer", "maps"):
        app = world.app(program, "request", "--level", "readWrite")
        assert app.wait(PATIENCE) == 4, app.stdout.read()
    world.start_page()
    page = visit(world, browser)
    missed = page.locator(".card", has_text="Asked while nobody was there").locator("li a")
    assert {"Photo Printer", "Maps"} <= set(missed.all_inner_texts()), missed.all_inner_texts()
    world.ctl("deny", PRINTER, check=True)
    go(page, "/")
    assert "Maps" in missed.all_inner_texts() and "Photo Printer" not in missed.all_inner_texts(), missed.all_inner_texts()


@test
def what_was_deleted_is_kept_for_its_days_and_then_for_good(world, browser):
    """S64: days left, back, and gone."""
    reset(world)
    world.ctl("purge", "--all", "--yes", check=True)
    with album(world, "Gone") as place:
        for name in ("back", "lost"):
            picture(place / f"{name}.jpg")
        ids = {name: wait(lambda: world.assets("--name", name), what=name)[0]["id"] for name in ("back", "lost")}
        for identifier in ids.values():
            world.ctl("delete", "--owner", identifier, check=True)
        page = visit(world, browser, "/deleted")
        # In days that have begun: what was deleted now has thirty.
        assert page.locator(".gone .left").all_inner_texts() == ["30 days left"] * 2
        assert min(page.locator(".gone img").evaluate_all(LOADED)) > 100
        row = lambda name: page.locator(".gone li", has_text=name)
        for button in ("Restore", "Remove for good"):
            follow(page, page.get_by_role("button", name=button))
            assert page.get_by_text("Nothing is checked").is_visible() and page.locator(".gone li").count() == 2
        # Both were refused, which the browser says as well.
        assert len(page.failures) == 2 and all("409" in failure for failure in page.failures), page.failures
        page.failures.clear()
        row("back").get_by_role("checkbox").check()
        with page.expect_navigation():
            page.get_by_role("button", name="Restore").click()
        assert page.locator(".gone li").count() == 1 and row("lost").count() == 1
        assert page.get_by_text("Restored: 1").is_visible()
        assert (place / "back.jpg").exists() and world.assets("--name", "back")[0]["id"] == ids["back"]
        row("lost").get_by_role("checkbox").check()
        for sure in (False, True):
            # Enter there is no answer to what is asked.
            if sure:
                row("lost").get_by_role("checkbox").press("Enter")
                page.evaluate("fetch('/deleted').then((answer) => answer.text())")
                assert len(world.ctl("deleted", "--json", check=True).stdout.splitlines()) == 1
            with page.expect_navigation():
                page.get_by_role("button", name="Remove for good").click()
            held = [json.loads(line)["id"] for line in world.ctl("deleted", "--json", check=True).stdout.splitlines()]
            assert held == ([] if sure else [ids["lost"]]), held
        page.get_by_text("Nothing that was deleted is kept").wait_for()
        assert not (place / "lost.jpg").exists() and not world.assets("--name", "lost")
        assert not page.failures, page.failures


@test
def the_list_of_apps_tells_since_when_and_until_when(world, browser):
    """S64: and when each used it last; on a phone as well."""
    reset(world)
    world.ctl("allow", PRINTER, "--for", "7d", check=True)
    assert world.app("printer", "assets", "--limit", "1").wait(PATIENCE) == 0
    held = grant(world, PRINTER)
    local = lambda time: datetime.datetime.fromisoformat(time).astimezone().strftime("%Y-%m-%d %H:%M")
    for width in (1280, 360):
        page = visit(world, browser, "/apps", viewport={"width": width, "height": 640})
        # Of this user: another one may have asked.
        row = page.locator(f".apps a[href$='/{PRINTER}/{os.getuid()}']")
        text = row.inner_text()
        for part in ("Sees all photos", f"until {local(held['expires'])}", f"decided {local(held['decided'])}", "last used"):
            assert part in text, (width, part, text)
        assert all(line.is_visible() for line in row.locator("small").all())


@test
def the_library_tells_how_it_is_and_what_to_do(world, browser):
    """S64: its state, counts, and what the doctor finds; what is mended is gone."""
    reset(world)
    page = visit(world, browser)
    broken = world.directory / "apps.d" / "org.example.Broken.yaml"

    def findings():
        reply = world.ctl("doctor", "--json").stdout.splitlines()
        return [finding for finding in map(json.loads, reply) if finding["severity"] != "ok"]

    for is_broken in (True, False):
        if is_broken:
            broken.write_text("name: [\n")
        else:
            broken.unlink()
        # Manifests are read again when they were changed.
        wait(lambda: any(finding["severity"] == "error" for finding in findings()) == is_broken, what="the manifests")
        go(page, "/library")
        said = findings()
        notices = page.locator("section", has=page.get_by_role("heading", name="What to look at")).locator(".notice")
        texts = notices.all_inner_texts()
        assert len(texts) == len(said) > 0, (texts, said)
        for finding, text in zip(said, texts):
            assert finding["message"] in text and finding["advice"] in text, (finding, text)
        bad = page.locator(".notice.bad").all_inner_texts()
        assert len(bad) == is_broken, bad
        if is_broken:
            assert str(broken) in bad[0] and "correct the file" in bad[0], bad
    numbers = page.locator(".numbers dd").all_inner_texts()
    albums = world.ctl("albums", "--owner", "--json", check=True).stdout.splitlines()
    assert [int(re.sub(r"\D", "", number)) for number in numbers] == [len(world.assets()), len(albums)], numbers
    assert page.locator(".status").inner_text() and page.locator(".status.bad").count() == 0


@test
def the_log_is_filtered_by_keyboard(world, browser):
    """S65: an arrow chooses, and the button sends; what is live takes no focus away. S64: apps have their names there."""
    reset(world)
    world.ctl("allow", PRINTER, check=True)
    assert world.app("printer", "assets", "--limit", "1").wait(PATIENCE) == 0
    page = visit(world, browser, "/log")
    names = page.locator(".filter [name=app] option").evaluate_all("all => all.map((one) => [one.value, one.textContent])")
    assert [PRINTER, "Photo Printer"] in names, names
    page.locator(".filter [name=kind]").focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
        page.evaluate("fetch('/log?part=lines').then((answer) => answer.text())")
    assert page.evaluate("[location.search, document.activeElement.name]") == ["", "kind"]
    assert page.locator(".filter [name=kind]").input_value() == "fetch"
    page.keyboard.press("Tab")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert "kind=fetch" in page.url
    whole(page)
    page.locator("#lines a").first.focus()
    before = page.locator("#lines").inner_text()
    page.evaluate("() => { window.focused = document.activeElement; }")
    for program in ("maps", "printer"):
        world.ctl("allow", f"org.example.{'Maps' if program == 'maps' else 'Printer'}", check=True)
        assert world.app(program, "assets", "--limit", "1").wait(PATIENCE) == 0
    until(page, "lines => document.getElementById('lines').innerText !== lines", before)
    assert page.evaluate("document.activeElement === focused && focused.isConnected")
