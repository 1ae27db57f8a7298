"""When a click counts, and what is decided by one (S64). Each test is called what it shows."""

from asking_tests import grant
from browsing import reset, test
from page import Wire
from selection_tests import held, latest, nothing_is_selected, PLACE, STICKERS


@test
def what_no_page_offers_is_no_duration(world, _):
    """S64: it does not become one for good."""
    reset(world)
    nothing_is_selected(world)
    world.ctl("deny", STICKERS, check=True)
    before = held(world)
    wire = Wire(world.link())
    wire.come_in()
    for duration in ("hours", "untilExit", "-1"):
        for path, fields in (
                ("set", {"level": "readWrite", "status": "authorized"}), ("set", {"level": "readWrite", "status": "limited"}),
                ("select", {"level": "readWrite", "asset": latest(world)[0]})):
            status = wire.post(f"{PLACE}/{path}", {"token": wire.token, "duration": duration} | fields)[0]
            assert status == 400, (path, duration, status)
    assert held(world) == before
    assert wire.post(f"{PLACE}/set", {"token": wire.token, "level": "readWrite", "status": "authorized", "duration": "hour"})[0] == 303
    assert "expires" in grant(world, STICKERS)
