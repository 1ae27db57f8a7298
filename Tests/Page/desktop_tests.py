"""Prompts as notifications of the desktop (S62). Each test is called what it shows."""

import contextlib
import queue
import shutil

from browsing import answerable, reset, test
from desktop import Bus, Desktop, Opener
from page import PATIENCE, wait


@contextlib.contextmanager
def session(world):
    """The page in a session that has a bus."""
    usual = dict(world.environment)
    directory = world.directory / "session"
    directory.mkdir()
    bus = Bus(directory / "bus")
    opener = Opener(directory / "bin")
    world.environment |= {"DBUS_SESSION_BUS_ADDRESS": bus.address, "PATH": opener.path}
    world.stop(world.page)
    world.start_page()
    try:
        yield bus, opener
    finally:
        world.end_apps()
        world.stop(world.page)
        world.environment.clear()
        world.environment.update(usual)
        world.start_page()
        bus.close()
        shutil.rmtree(directory)


def ask_until_shown(world, desktop, program="wallpapers"):
    """An app that asks, and its notification. Who asks before somebody is there to answer is told so at once."""
    def shown():
        app = world.app(program, "request", "--level", "readWrite")
        while app.poll() is None:
            with contextlib.suppress(queue.Empty):
                return app, desktop.news.get(timeout=0.1)
        return None

    return wait(shown, "a notification")


@test
def a_notification_leads_to_the_prompt(world, browser):
    """S62: where no page is open an app still asks somebody, who answers on the page."""
    reset(world)
    with session(world) as (bus, opener), contextlib.closing(Desktop(bus)) as desktop:
        app, (what, number, summary, body, actions, expires) = ask_until_shown(world, desktop)
        assert what == "shown" and "Wallpapers" in summary, summary
        assert "Shows your photos as wallpapers" in body, body
        assert actions[::2] == ["default", "answer"] and "Answer…" in actions and expires == 0, (actions, expires)
        desktop.choose(number)
        page = browser.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.goto(opener.link())
        answerable(page)
        page.get_by_role("button", name="Allow all photos").click()
        assert app.wait(PATIENCE) == 0
        assert desktop.next() == ("closed", number)


@test
def a_notification_leaves_when_its_app_does(world, browser):
    """S62: as it does when it was answered elsewhere; what is asked next is shown anew."""
    reset(world)
    with session(world) as (bus, _), contextlib.closing(Desktop(bus)) as desktop:
        app, (_, number, *_) = ask_until_shown(world, desktop)
        app.kill()
        assert desktop.next() == ("closed", number)
        app, (what, other, summary, *_) = ask_until_shown(world, desktop, "printer")
        assert what == "shown" and other != number and "Photo Printer" in summary, (other, summary)
        app.kill()
        assert desktop.next() == ("closed", other)


@test
def a_notification_says_no_more_than_an_app_may(world, browser):
    """S62: what an app says is text, on a line of its own, and short."""
    reset(world)
    with session(world) as (bus, _):
        with contextlib.closing(Desktop(bus)) as desktop:
            app, (_, _, _, body, *_) = ask_until_shown(world, desktop, "shouter")
            first, *rest = body.split("\n")
            assert first.startswith("&lt;a href='x'&gt;Press &amp; see&lt;/a&gt; long"), body
            assert first.endswith("…") and len(first) < 300 and len(rest) == 1, body
        with contextlib.closing(Desktop(bus, ["actions", "body"])) as desktop:
            # Where no markup is read there is none to escape.
            body = desktop.next()[3]
            assert body.startswith("<a href='x'>Press & see</a> long"), body
            assert app.poll() is None


@test
def a_desktop_that_comes_later_shows_what_is_asked(world, browser):
    """S62: one that cannot be answered at is none, and who leaves takes nobody's prompt along."""
    reset(world)
    with session(world) as (bus, _):
        silent = Desktop(bus, ["body"])
        app = world.app("wallpapers", "request", "--level", "readWrite")
        # Nobody is there to answer.
        assert app.wait(PATIENCE) != 0
        silent.close()
        first = Desktop(bus)
        app, (what, *_) = ask_until_shown(world, first)
        first.close()
        with contextlib.closing(Desktop(bus)) as second:
            shown = second.next()
            assert shown[0] == "shown" and "Wallpapers" in shown[2], shown
            assert app.poll() is None
