"""The grid that photos are picked in (S63). Each test is called what it shows."""

import json
import subprocess

from browsing import answer, ask, cell, follow, go, live, noted, pick, reset, test, until, visit, whole
from page import PATIENCE, wait

COUNT = ".count"


def count(page, text):
    """Until so many are told to be selected."""
    page.locator(COUNT, has_text=text).wait_for()


def done(page, app):
    page.get_by_role("button", name="Done").click()
    assert app.wait(PATIENCE) == 0
    text = app.stdout.read()
    assert "limited" in text, text
    page.wait_for_url(page.home + "/")


def seen(world, program="stickers"):
    """What the app sees now."""
    reply = subprocess.run([world.directory / "bin" / program, "assets", "--json"], env=world.environment,
                           capture_output=True, text=True, check=True)
    return [json.loads(line)["id"] for line in reply.stdout.splitlines()]


@test
def photos_are_picked_by_click_shift_keyboard_and_day(world, browser):
    """S63: selecting."""
    reset(world)
    page = visit(world, browser)
    app = pick(world, page)
    cell(page, 1).click()
    count(page, "1 selected")
    cell(page, 6).click(modifiers=["Shift"])
    count(page, "6 selected")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    count(page, "7 selected")
    page.keyboard.press("Space")
    count(page, "6 selected")
    cell(page, 1).click()
    count(page, "5 selected")
    page.get_by_role("button", name="Selected").click()
    page.locator(".cell:visible").nth(4).wait_for()
    assert page.locator(".cell:visible").count() == 5
    done(page, app)
    assert len(seen(world)) == 5
    assert not page.failures, page.failures


@test
def whole_days_are_picked_and_taken_out_again(world, browser):
    """S63: by the button beside each day."""
    reset(world)
    page = visit(world, browser)
    app = pick(world, page)
    sizes = page.evaluate("fetch('/api/days').then(answer => answer.json())")
    days = page.locator(".grid:not([hidden]) .day button")
    first, second = (page.locator(f".day[data-day='{day['day']}'] button") for day in sizes[:2])
    assert days.count() > 1
    first.click()
    count(page, f"{sizes[0]['count']} selected")
    second.click()
    count(page, f"{sizes[0]['count'] + sizes[1]['count']} selected")
    first.click()
    count(page, f"{sizes[1]['count']} selected")
    done(page, app)
    assert len(seen(world)) == sizes[1]["count"]


@test
def photos_are_picked_by_drawing_over_them(world, browser):
    """S63: with the mouse, there and back; what was chosen before is taken out by drawing from it."""
    reset(world)
    page = visit(world, browser)
    app = pick(world, page)
    middle = lambda number: (lambda box: (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))(cell(page, number).bounding_box())
    page.mouse.move(*middle(2))
    page.mouse.down()
    page.mouse.move(*middle(5), steps=8)
    count(page, "4 selected")
    page.mouse.up()
    page.mouse.move(*middle(4))
    page.mouse.down()
    page.mouse.move(*middle(5), steps=8)
    count(page, "2 selected")
    page.mouse.up()
    # A click is one still.
    cell(page, 1).click()
    count(page, "3 selected")
    done(page, app)
    assert len(seen(world)) == 3


@test
def photos_are_picked_by_a_finger_that_rests(world, browser):
    """S63: a long press picks and draws on; a finger that moves at once scrolls and picks nothing."""
    reset(world)
    page = visit(world, browser, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    app = pick(world, page)
    touch = page.context.new_cdp_session(page)

    def send(kind, point=None):
        points = [{"x": point[0], "y": point[1]}] if point else []
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    middle = lambda number: (lambda box: (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))(cell(page, number).bounding_box())

    def scrolls():
        """A finger that moves at once. Where the machine is slow it has rested when that is seen, and picks: then nothing was shown."""
        x, _ = middle(1)
        send("touchStart", (x, 500))
        for step in range(1, 21):
            send("touchMove", (x, 500 - step * 20))
        send("touchEnd")
        until(page, "() => scrollY > 100 || document.querySelector('.count').textContent !== '0 selected'")
        return page.locator(COUNT).inner_text() == "0 selected"

    picked = page.locator(".cell[aria-selected=true]")
    while not scrolls():
        # What it picked is taken out again.
        while picked.count():
            picked.first.click()
        page.evaluate("scrollTo(0, 0)")
        whole(page)
    page.evaluate("scrollTo(0, 0)")
    whole(page)
    # Three that stand beside each other: of one day.
    days = page.evaluate("fetch('/api/days').then(answer => answer.json())")
    day = next(day["day"] for day in days if day["count"] >= 3)
    field = page.locator("[type=search]")
    field.fill(day)
    until(page, "day => { const days = [...document.querySelectorAll('.day')]; return days.length === 1 && days[0].dataset.day === day; }", day)
    whole(page)
    (x, y), (end, _) = middle(1), middle(3)
    send("touchStart", (x, y))
    count(page, "1 selected")
    for step in range(1, 11):
        send("touchMove", (x + (end - x) * step / 10, y))
    count(page, "3 selected")
    send("touchEnd")
    assert page.evaluate("scrollY") == 0
    # And a tap.
    cell(page, 2).tap()
    count(page, "2 selected")
    done(page, app)
    assert len(seen(world)) == 2


@test
def a_folder_brings_what_lies_in_it(world, browser):
    """S63: whole albums, deeper ones included, and it is told how many photos that are."""
    reset(world)
    page = visit(world, browser)
    app = pick(world, page)
    page.get_by_role("button", name="Albums").click()
    page.get_by_label("Walks").check()
    assert page.get_by_label("Ridge").is_checked()
    albums = json.loads("[" + ",".join(world.ctl("albums", "--owner", "--json", check=True).stdout.splitlines()) + "]")
    inside = sum(album["assetCount"] for album in albums if album["title"] in ("Walks", "Ridge"))
    noted(page, "Walks: also the albums in it (1)")
    count(page, f"0 selected, and 2 albums with {inside}")
    done(page, app)
    assert len(seen(world)) == inside


@test
def what_an_album_is_called_is_said_as_it_is(world, browser):
    """S63, S19: also where it has what scripts and languages read as something else, for a folder and among what is never seen."""
    from kind_tests import album, configure, picture

    reset(world)
    name = "$& {albums} $' \u202egpj"
    shown = name.replace("\u202e", "\ufffd")
    with album(world, name) as place:
        (place / "In").mkdir()
        picture(place / "In" / "gpj.\u202eexe.jpg")
        wait(lambda: world.assets("--name", "gpj."), what="the photo")
        configure(world, f", shared: [{json.dumps(name)}]")
        try:
            page = visit(world, browser)
            app = pick(world, page)
            page.get_by_role("button", name="Albums").click()
            page.locator(".albumlist:visible").get_by_label(shown).check()
            noted(page, f"{shown}: also the albums in it (1)")
            page.locator(".unseen", has_text=f"whatever is selected: {shown}").wait_for()
            # Nothing that turns the direction of writing is told a script.
            told = [page.evaluate("path => fetch(path).then((answer) => answer.text())", path)
                    for path in ("/api/albums", "/api/assets?from=1970-01-01&to=2199-01-01&q=gpj")]
            assert all("\ufffd" in text and "\u202e" not in text and "202e" not in text.lower() for text in told), told
            app.kill()
            page.context.close()
        finally:
            configure(world, "")


@test
def an_album_alone_is_looked_at(world, browser):
    """S63: the grid of one album, from the library's list."""
    page = visit(world, browser, "/library")
    albums = [json.loads(line) for line in world.ctl("albums", "--owner", "--json", check=True).stdout.splitlines()]
    garden = next(album for album in albums if album["title"] == "Garden")
    page.get_by_role("link", name="Garden").click()
    page.locator(".cell[aria-label*=IMG]").first.wait_for()
    whole(page)
    page.get_by_role("heading", name="Garden").wait_for()
    total = page.evaluate("document.querySelector('.cell').cell && [...document.querySelectorAll('.day')].length")
    assert total > 0
    days = page.evaluate("fetch('/api/days?album=' + new URLSearchParams(location.search).get('album')).then(answer => answer.json())")
    assert sum(day["count"] for day in days) == garden["assetCount"]
    shown = set(page.locator(".cell[aria-label*=IMG]").evaluate_all("cells => cells.map(element => element.cell.asset.id)"))
    inside = {asset["id"] for asset in world.assets("--album", garden["id"])}
    assert shown and shown <= inside, shown - inside


@test
def a_search_finds_what_is_named(world, browser):
    """S63: what is typed, a year, and what is not there."""
    page = visit(world, browser, "/photos")
    field = page.locator("[type=search]")
    field.fill("IMG_00007")
    until(page, "() => document.querySelectorAll('.cell').length === 1")
    month = world.assets()[0]["created"][:7]
    field.fill(month)
    until(page, "month => { const days = [...document.querySelectorAll('.day')]; "
                "return days.length > 0 && days.every(day => day.dataset.day.startsWith(month)); }", month)
    field.fill("nothing is called so")
    until(page, "() => document.querySelectorAll('.cell').length === 0")


@test
def years_are_jumped_to(world, browser):
    """S63: the bar over years, with the month under the finger."""
    page = visit(world, browser, "/photos")
    whole(page)
    bar = page.locator(".years:visible")
    labels = bar.locator("span").all_inner_texts()
    assert labels == sorted(labels, reverse=True) and len(labels) >= 3, labels
    label = bar.locator("span", has_text="2023").bounding_box()
    x, y = label["x"] + label["width"] / 2, label["y"] + label["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 6, steps=3)
    month = bar.locator("b").inner_text()
    assert "2023" in month or "2022" in month, month
    page.mouse.up()
    bar.locator("b").wait_for(state="detached")
    whole(page)
    years = {day[:4] for day in page.locator(".day").evaluate_all(
        "days => days.filter(day => day.getBoundingClientRect().bottom > 0).map(day => day.dataset.day)")}
    assert "2023" in years, years


@test
def the_pictures_of_the_window_are_asked_for_first(world, browser):
    """S63: after a jump, those that are near when all that is seen is there, and then a few at a time; T20."""
    page = visit(world, browser, "/photos")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight / 2)")
    until(page, """() => {
      const cells = [...document.querySelectorAll(".cell")].map((element) => element.cell);
      return cells.length && cells.every((cell) => cell.asset && cell.index);
    }""")
    page.evaluate("scrollTo(0, 0)")
    until(page, "() => [...document.querySelectorAll('.cell')].some((element) => element.cell.index === 0)")
    whole(page)
    batches, seen = page.evaluate("""async () => {
      const cells = () => [...document.querySelectorAll(".cell")].map((element) => element.cell);
      const indexes = (list) => list.map((cell) => cell.index);
      const batches = [];
      new MutationObserver((changes) => {
        // Not those that are given up.
        const asked = changes.filter(({ oldValue }) => oldValue === null).map(({ target }) => target.parentElement.cell);
        const coming = cells().filter(({ image }) => image.hasAttribute("src") && !image.complete);
        if (asked.length) batches.push({ asked: indexes(asked), coming: indexes(coming) });
      }).observe(document.body, { subtree: true, attributeFilter: ["src"], attributeOldValue: true });
      scrollTo(0, document.documentElement.scrollHeight / 2);
      const isThere = ({ image }) => image.hasAttribute("src") && image.complete;
      while (!batches.length || !cells().every(isThere)) await new Promise(requestAnimationFrame);
      const seen = cells().filter(({ element }) => {
        const box = element.getBoundingClientRect();
        return box.bottom > 0 && box.top < innerHeight;
      });
      return [batches, indexes(seen)];
    }""")
    # What is near at the top may have been asked for last, before the jump.
    while max(batches[0]["asked"]) < min(seen) // 2:
        batches.pop(0)
    first, *others = batches
    assert len(seen) > 4 and sorted(first["asked"]) == sorted(seen), (batches, seen)
    # The others a few at a time, and none before all that is seen is there.
    assert others and all(len(batch["coming"]) <= 3 and not {*batch["coming"]} & {*seen} for batch in others), (batches, seen)


@test
def pictures_are_of_a_size_that_is_kept(world, browser):
    """S63: no preview is made anew each time that it is seen; T20."""
    page = visit(world, browser, "/photos")
    # Without cells nothing is missing.
    page.locator(".cell[aria-label*=IMG]").first.wait_for()
    whole(page)
    sides = set(page.evaluate("""() => [...document.querySelectorAll(".cell img[src]")].filter((image) => image.naturalWidth)
      .map((image) => Math.max(image.naturalWidth, image.naturalHeight))"""))
    assert sides and sides <= {256, 512, 1024}, sides
    # Whatever else is asked for.
    address = page.locator(".cell img[src]").first.get_attribute("src").split("?")[0]
    for asked, kept in ((1, 256), (256, 256), (257, 512), (320, 512)):
        side = page.evaluate("""async (address) => {
          const image = new Image();
          image.src = address;
          await image.decode();
          return Math.max(image.naturalWidth, image.naturalHeight);
        }""", f"{address}?w={asked}")
        assert side == kept, (asked, side)


@test
def nothing_selected_is_told_first(world, browser):
    """S63: what is not selected is told before it is granted."""
    reset(world)
    page = visit(world, browser)
    app = pick(world, page)
    page.get_by_role("button", name="Done").click()
    page.get_by_text("the app will see nothing").wait_for()
    assert app.poll() is None
    page.get_by_role("button", name="Allow with nothing selected").click()
    assert app.wait(PATIENCE) == 0 and seen(world) == []
    page.wait_for_url(page.home + "/")


@test
def a_pick_keeps_to_its_limit(world, browser):
    """S63: limits as the app asked."""
    reset(world)
    page = visit(world, browser)
    (world.directory / "picked").mkdir()
    app = pick(world, page, "printer", "pick", "--limit", "2", "-o", str(world.directory / "picked"))
    for number in (1, 2, 3):
        cell(page, number).click()
    noted(page, "At most 2")
    count(page, "2 selected")
    page.get_by_role("button", name="Done").click()
    assert app.wait(PATIENCE) == 0, app.stdout.read()
    page.wait_for_url(page.home + "/")
    assert len(list((world.directory / "picked").iterdir())) == 2


@test
def a_selection_that_exists_is_opened_and_changed(world, browser):
    """S63: the grid opens with what is selected, for the owner and when the app asks; albums among it."""
    reset(world)
    albums = [json.loads(line) for line in world.ctl("albums", "--owner", "--json", check=True).stdout.splitlines()]
    garden = next(album for album in albums if album["title"] == "Garden")
    outside = [asset["id"] for asset in world.assets() if garden["id"] not in asset["albums"]][-3:]
    page = visit(world, browser)
    app = pick(world, page)
    page.get_by_role("button", name="Albums").click()
    page.get_by_role("checkbox", name="Garden").check()
    page.get_by_role("button", name="All photos").click()
    for asset in outside:
        until(page, "id => [...document.querySelectorAll('.cell')].some(element => element.cell.asset?.id === id)", asset)
        page.evaluate("id => [...document.querySelectorAll('.cell')].find(element => element.cell.asset?.id === id).click()", asset)
    done(page, app)
    assert len(seen(world)) == 3 + garden["assetCount"]
    # By the owner.
    go(page, "/apps")
    page.locator(".apps a", has_text="org.example.Stickers").click()
    page.get_by_role("link", name="Change the selection").click()
    page.locator(".cell[aria-selected=true]").first.wait_for()
    count(page, f"3 selected, and an album with {garden['assetCount']}")
    page.get_by_role("button", name="Selected").click()
    page.locator(".cell[aria-selected=true]:visible").nth(2).click()
    count(page, f"2 selected, and an album with {garden['assetCount']}")
    page.get_by_role("button", name="Done").click()
    page.wait_for_url("**/apps/org.example.Stickers/*")
    wait(lambda: len(seen(world)) == 2 + garden["assetCount"], what="the new selection")
    # When the app asks.
    page.goto(page.home)
    whole(page)
    app = ask(world, page, "stickers", "manage")
    answer(page, page.locator(".sheet a.button"))
    page.locator(".cell[aria-selected=true]").first.wait_for()
    count(page, f"2 selected, and an album with {garden['assetCount']}")
    page.get_by_role("button", name="Albums").click()
    assert page.get_by_role("checkbox", name="Garden").is_checked()
    page.get_by_role("checkbox", name="Garden").uncheck()
    count(page, "2 selected")
    page.get_by_role("button", name="Done").click()
    assert app.wait(PATIENCE) == 0, app.stdout.read()
    page.wait_for_url(page.home + "/")
    assert len(seen(world)) == 2
    assert not page.failures, page.failures


@test
def all_that_a_deletion_is_about_can_be_seen(world, browser):
    """S62, S63: the prompt has the first twelve, and the grid all; the answer is given where the prompt stands."""
    reset(world)
    world.ctl("allow", "org.example.Wallpapers", check=True)
    about = [asset["id"] for asset in world.assets()[5:25]]
    page = visit(world, browser)
    app = ask(world, page, "wallpapers", "delete", *about)
    assert page.locator(".sheet .strip img").count() == 12
    answer(page, page.locator(".sheet").get_by_role("link", name="and 8 more"))
    page.locator(".cell[aria-label*=IMG]").nth(19).wait_for()
    whole(page)
    shown = page.locator(".cell[aria-label*=IMG]").evaluate_all("cells => cells.map(element => element.cell.asset.id)")
    assert sorted(shown) == sorted(about) and page.locator(".sheet, .done").count() == 0
    page.get_by_role("link", name="Back").click()
    page.locator(".sheet").wait_for()
    answer(page, page.locator(".sheet").get_by_role("button", name="Don't allow"))
    assert app.wait(PATIENCE) != 0 and set(about) <= {asset["id"] for asset in world.assets()}
    # Without scripts too, and gone with the prompt.
    app = ask(world, page, "wallpapers", "delete", *about)
    plain = visit(world, browser, java_script_enabled=False)
    follow(plain, plain.locator(".sheet").get_by_role("link", name="and 8 more"))
    assert plain.locator(".plaingrid img").count() == 20
    answer(page, page.locator(".sheet").get_by_role("link", name="and 8 more"))
    page.locator(".cell[aria-label*=IMG]").first.wait_for()
    # Who is not told of it yet when the app goes is told only that the prompt has gone.
    live(page)
    app.kill()
    ended = page.get_by_role("alert").filter(has_text="the app does not wait any more")
    follow(page, ended.get_by_role("link", name="Back"))
    page.wait_for_url(page.home + "/")
    assert not page.failures, page.failures


@test
def what_fails_is_asked_for_again_after_pauses(world, browser):
    """S63: days, photos and pictures, each time after twice as long; and at once where somebody wishes it."""
    page = visit(world, browser)
    page.context.add_init_script("""
      window.asked = [];
      const real = window.fetch;
      window.fetch = (address, ...rest) => {
        asked.push([String(address), performance.now()]);
        return real(address, ...rest);
      };
    """)
    fails = lambda route: route.fulfill(status=503, body="")
    page.route("**/api/days*", fails)
    page.goto(page.home + "/photos")
    status = page.get_by_role("status").filter(has_text="cannot be read at present")
    status.wait_for()
    page.route("**/api/assets*", fails)
    page.unroute("**/api/days*")
    status.get_by_role("button", name="Try again").click()
    page.locator(".cell").first.wait_for()
    # What is still to come is told so, and what fails is not asked for at once.
    assert page.locator(".cell").first.get_attribute("aria-label") == "…"
    times = "() => { const one = asked.find(([address]) => address.includes('/api/assets'))?.[0]; return asked.filter(([address]) => address === one).map(([, time]) => time); }"
    until(page, f"() => ({times})().length >= 3")
    first, second, third, *_ = page.evaluate(times)
    assert second - first >= 1000 and third - second >= 2000, (first, second, third)
    # A picture that did not come, either.
    lost = []
    def loses(route):
        if lost:
            return route.continue_()
        lost.append(route.request.url)
        return route.abort()
    page.route("**/preview/*", loses)
    page.unroute("**/api/assets*")
    page.locator(".cell[aria-label*=IMG]").first.wait_for()
    whole(page)
    assert lost and page.evaluate("url => [...document.images].some(image => image.src === url && image.naturalWidth)", lost[0]), lost


@test
def a_photo_is_looked_at_large_while_picking(world, browser):
    """S63, S65: by mouse and by finger, without picking it; on to the next by buttons and by swiping."""
    reset(world)
    page = visit(world, browser, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    app = pick(world, page)
    look = cell(page, 2).locator(".look")
    box, whole_cell = look.bounding_box(), cell(page, 2).bounding_box()
    assert min(box["width"], box["height"]) >= 44 and box["width"] * box["height"] < whole_cell["width"] * whole_cell["height"] / 2, (box, whole_cell)
    name = cell(page, 2).get_attribute("aria-label").split(",")[0]
    assert look.get_attribute("title") == f"Show {name} large"
    look.click()
    large = page.get_by_role("dialog", name=name)
    large.wait_for()
    assert page.evaluate("document.querySelector(\".cell[aria-posinset='2']\").cell.asset.time") in large.locator("p").inner_text()
    names = [page.evaluate("at => document.querySelector(`.cell[aria-posinset='${at}']`).cell.asset.name", at) for at in (1, 2, 3)]
    page.get_by_role("button", name="Next photo").click()
    page.get_by_role("dialog", name=names[2]).wait_for()
    touch = page.context.new_cdp_session(page)
    for kind, x in (("touchStart", 100), ("touchMove", 160), ("touchMove", 240), ("touchEnd", None)):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [] if x is None else [{"x": x, "y": 400}]})
    page.get_by_role("dialog", name=names[1]).wait_for()
    page.get_by_role("button", name="Previous photo").click()
    page.get_by_role("dialog", name=names[0]).wait_for()
    assert page.get_by_role("button", name="Previous photo").get_attribute("aria-disabled") == "true"
    page.get_by_role("button", name="Back").last.click()
    page.locator(".large").wait_for(state="detached")
    count(page, "0 selected")
    app.kill()
    assert not page.failures, page.failures


@test
def what_was_picked_is_there_again_when_the_app_asks_again(world, browser):
    """S62, S63: the prompt has gone, which is told with a way on; for another app, and once it is sent, nothing is kept."""
    reset(world)
    page = visit(world, browser)
    app = pick(world, page)
    for number in (2, 5):
        cell(page, number).click()
    count(page, "2 selected")
    chosen = set(page.locator(".cell[aria-selected=true]").evaluate_all("cells => cells.map(element => element.cell.asset.id)"))
    app.kill()
    ended = page.get_by_role("alert").filter(has_text="is kept in this tab until Stickers asks again")
    follow(page, ended.get_by_role("link", name="Back"))
    page.wait_for_url(page.home + "/")
    live(page)
    app = pick(world, page, "printer")
    count(page, "0 selected")
    app.kill()
    follow(page, page.locator(".ended a"))
    live(page)
    app = pick(world, page)
    count(page, "2 selected")
    noted(page, "is selected again")
    done(page, app)
    assert set(seen(world)) == chosen
    assert page.evaluate("Object.keys(sessionStorage).filter((name) => name.startsWith('picks')).length") == 0
    assert not page.failures, page.failures
