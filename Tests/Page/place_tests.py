"""The other places of the page (S64): apps, log, deleted, library. Each test is called what it shows."""

import contextlib
import json
import pathlib
import re
import time
import urllib.parse

from browsing import answer, ask, follow, go, live, pick, reset, test, until, visit, whole
from page import PATIENCE, wait

PLACES = ["/", "/photos", "/apps", "/log", "/deleted", "/library", "/sessions"]

ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" width="64" height="64"><circle cx="4" cy="4" r="4" fill="#c33"/></svg>'


@contextlib.contextmanager
def away(world):
    """The library's root cannot be reached meanwhile."""
    photos, aside = world.directory / "photos", world.directory / "photos-away"
    state = lambda: json.loads(world.ctl("info", "--owner", "--json", check=True).stdout)["state"]
    photos.rename(aside)
    try:
        wait(lambda: state() == "offline", what="that the root is away")
        yield
    finally:
        aside.rename(photos)
        wait(lambda: state() == "ready" and not any(asset["offline"] for asset in world.assets()), what="the root")


@test
def an_app_is_seen_changed_and_forgotten(world, browser):
    """S64: an app and its access."""
    reset(world)
    world.ctl("allow", "org.example.Wallpapers", check=True)
    page = visit(world, browser, "/apps")
    page.get_by_role("link", name="Wallpapers").click()
    page.get_by_text("Sees all photos").wait_for()
    card = page.locator(".card", has_text="See photos and add to them")
    card.get_by_role("button", name="Don't allow").click()
    card.get_by_text("May not see photos").wait_for()
    card.get_by_role("button", name="Forget the decision").click()
    card.get_by_text("Nothing was decided yet").wait_for()
    assert not page.failures, page.failures


def changed(page, lines):
    """Until the log is another: by a line, or by how often one says that it happened."""
    until(page, "lines => document.getElementById('lines').innerText !== lines", lines)


@test
def the_log_is_live(world, browser):
    """S64: what an app does appears in the log that somebody looks at."""
    reset(world)
    world.ctl("allow", "org.example.Wallpapers", check=True)
    page = visit(world, browser, "/log?app=org.example.Wallpapers&kind=fetch")
    before = page.locator("#lines").inner_text()
    assert world.app("wallpapers", "assets").wait(PATIENCE) == 0
    changed(page, before)
    assert "Wallpapers" in page.locator("#lines li").first.inner_text()


# What the page hears of the log, and how often it looks at it.
COUNTED = """
  window.heard = 0;
  window.looked = 0;
  const Source = window.EventSource;
  window.EventSource = class extends Source {
    constructor(...all) {
      super(...all);
      this.addEventListener("log", () => { window.heard += 1; });
    }
  };
  const ask = window.fetch;
  window.fetch = (...all) => {
    if (String(all[0]).startsWith("/log")) window.looked += 1;
    return ask(...all);
  };
"""


@test
def a_log_is_looked_at_only_when_something_was_noted(world, browser):
    """S64: a page that shows the log costs nothing while nobody does anything; T21."""
    reset(world)
    world.ctl("allow", "org.example.Wallpapers", check=True)
    page = visit(world, browser)
    page.add_init_script(COUNTED)
    page.clock.install()
    go(page, "/log?app=org.example.Wallpapers&kind=fetch")
    before = page.locator("#lines").inner_text()
    # What would be done again and again is done twenty times.
    page.clock.run_for(100_000)
    assert world.app("wallpapers", "assets").wait(PATIENCE) == 0
    page.clock.resume()
    changed(page, before)
    heard, looked = page.evaluate("[heard, looked]")
    assert 1 <= looked <= heard, (looked, heard)


def runs(process):
    """How often each thread of a process was run (proc(5), status). One that ends meanwhile is none."""
    found = {}
    for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            lines = (task / "status").read_text().splitlines()
            found[task.name] = [line for line in lines if "ctxt_switches" in line]
    return found


@test
def five_open_pages_wake_nobody(world, browser):
    """T21: while nobody does anything no thread of the page runs, though five of its pages are open and one is the log."""
    reset(world)
    for path in ("/", "/photos", "/apps", "/library", "/log"):
        whole(visit(world, browser, path))

    def rests():
        before = runs(world.page)
        # What is measured is this time: what wakes up each second does so in it.
        time.sleep(5)
        return runs(world.page) == before

    wait(rests, "rest")


@test
def the_log_is_live_again_when_the_daemon_is_back(world, browser):
    """S64: also on a page that was open all the time."""
    reset(world)
    world.ctl("allow", "org.example.Wallpapers", check=True)
    page = visit(world, browser, "/log?app=org.example.Wallpapers&kind=fetch")
    before = page.locator("#lines").inner_text()
    world.stop(world.daemon)
    world.start_daemon()
    assert world.app("wallpapers", "assets").wait(PATIENCE) == 0
    changed(page, before)


@test
def an_app_is_shown_with_its_icon(world, browser):
    """S62, S64: the icon that its manifest names, in the prompt and everywhere; a letter where there is none."""
    reset(world)
    (world.directory / "icons" / "wallpapers.svg").write_text(ICON)
    # What is no picture is not shown as one.
    (world.directory / "icons" / "printer.svg").write_text("<!doctype html><script>alert(1)</script>")
    world.ctl("allow", "org.example.Printer", check=True)
    page = visit(world, browser)
    go(page, "/apps")
    # It may be late, the first time.
    wait(lambda: page.reload() and page.locator(".apps li", has_text="org.example.Wallpapers").locator("img.icon").count(),
         what="the icon", pause=0.2)
    app = ask(world, page)
    icon = page.locator(".sheet img.icon")
    assert icon.evaluate("image => image.decode().then(() => image.naturalWidth)") == 64
    answer(page, page.get_by_role("button", name="Don't allow"))
    assert app.wait(PATIENCE) == 3
    go(page, "/apps")
    shown = page.locator(".apps li", has_text="org.example.Wallpapers").locator("img.icon")
    assert shown.evaluate("image => image.decode().then(() => image.naturalWidth)") == 64
    assert page.locator(".apps li", has_text="org.example.Printer").locator("span.tile").inner_text() == "P"
    # As a page of its own it can do nothing, and what no manifest names is not read.
    reply = page.request.get(page.home + shown.get_attribute("src"))
    assert reply.status == 200 and "sandbox" in reply.headers["content-security-policy"], reply.headers
    for other in ("/etc/passwd", str(world.directory / "icons" / "printer.svg"), "../style"):
        assert page.request.get(page.home + "/icon/" + urllib.parse.quote(other, safe="")).status == 404, other


@test
def what_was_deleted_returns(world, browser):
    """S64: deletion with pictures, and back."""
    reset(world)
    world.ctl("allow", "org.example.Printer", check=True)
    # What others have deleted or overwritten.
    world.ctl("purge", "--all", "--yes", check=True)
    page = visit(world, browser)
    asset = world.assets()[0]["id"]
    app = ask(world, page, "printer", "delete", asset)
    whole(page)
    assert page.locator(".sheet .strip img").first.evaluate("image => image.naturalWidth") > 100
    answer(page, page.get_by_role("button", name="Delete"))
    assert app.wait(PATIENCE) == 0, app.stdout.read()
    go(page, "/deleted")
    picture = page.locator(".gone img")
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    address = page.home + picture.get_attribute("src")
    page.locator("input[name=asset]").first.check()
    follow(page, page.get_by_role("button", name="Remove for good"))
    page.get_by_text("Nothing brings it back").wait_for()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    follow(page, page.get_by_role("link", name="Back"))
    page.locator("input[name=asset]").first.check()
    page.get_by_role("button", name="Restore").click()
    page.get_by_text("Nothing that was deleted is kept").wait_for()
    assert any(one["id"] == asset for one in world.assets())
    # What is not deleted has no such picture.
    assert page.request.get(address).status == 404


@test
def it_speaks_chinese(world, browser):
    """S64: English and Simplified Chinese."""
    reset(world)
    page = visit(world, browser, locale="zh-CN")
    page.get_by_role("heading", name="照片权限").wait_for()
    for path in PLACES:
        page.goto(page.home + path)
        assert page.locator("html").get_attribute("lang") == "zh-Hans"
        # But for names, and what is a name of something else.
        said = page.locator("main").inner_text()
        assert not re.search(r"\b(the|and|is|not|for|of|Select|Done|Back|Allow|Restore|Remove|Show|Forget)\b", said), (path, said)
    live(page)
    assert page.locator("nav a[href='/library']").inner_text() == "图库"
    world.ctl("allow", "org.example.Printer", check=True)
    asset = world.assets()[0]["id"]
    app = ask(world, page, "printer", "delete", asset)
    assert "照片打印" in page.locator(".sheet h2").inner_text()
    answer(page, page.locator(".sheet button[value=allow]"))
    assert app.wait(PATIENCE) == 0, app.stdout.read()
    go(page, "/deleted")
    assert "照片打印" in page.locator(".gone li").first.inner_text()
    page.locator("input[name=asset]").first.check()
    follow(page, page.get_by_role("button", name="恢复"))
    assert page.get_by_text("已恢复：1 项").is_visible()
    app = pick(world, page, "stickers")
    assert "贴纸" in page.locator("h1").inner_text() and page.get_by_role("button", name="完成").is_visible()
    page.get_by_role("link", name="返回").click()
    app.kill()
    for uid in {one["uid"] for one in world.known_apps() if one["id"] == "org.example.Printer"}:
        go(page, f"/apps/org.example.Printer/{uid}")
        assert "照片打印" in page.locator("h1").inner_text() and not re.search(r"\b(Allow|Forget|May)\b", page.locator("main").inner_text())
    # What is wrong, too.
    with away(world):
        root, = json.loads(world.ctl("info", "--owner", "--json", check=True).stdout)["roots"]
        page.goto(page.home + "/library")
        # Why stands among the findings.
        told = page.locator(".card p", has_text=root["path"]).inner_text()
        assert root["problem"] and told == f"{root['path']} · 离线", told
        said = [json.loads(line) for line in world.ctl("doctor", "--json").stdout.splitlines()]
        wrong = [finding for finding in said if finding["severity"] == "error"]
        assert wrong and page.locator(".notice.bad").count() == len(wrong)
        for notice in page.locator(".notice.bad p").all_inner_texts():
            assert re.search("[一-鿿]", notice), notice


@test
def a_phone_is_let_in_by_a_picture_of_the_link(world, browser):
    """S61: `albumctl page --qr`; what a camera reads of it lets in once."""
    import zxingcpp

    shown = world.ctl("page", "--qr", check=True)
    # Here the phone would be this computer.
    assert "A phone cannot open this link" in shown.stderr, shown.stderr
    assert "phone" not in world.ctl("page", "--print", check=True).stderr
    printed, *rows = shown.stdout.splitlines()
    # Two rows of the code in each line; what is drawn is light.
    halves = [[character in light for character in row] for row in rows for light in ("█▀", "█▄")]
    pixels = bytes(255 * light for half in halves for _ in range(4) for light in half for _ in range(4))
    picture = memoryview(pixels).cast("B", (len(halves) * 4, len(halves[0]) * 4))
    [code] = zxingcpp.read_barcodes(picture)
    assert code.text == printed and printed.startswith("http"), (code.text, printed)
    page = browser.new_context().new_page()
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(code.text)
    page.wait_for_url("**/")
    live(page)
