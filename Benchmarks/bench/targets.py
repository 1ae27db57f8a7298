"""The targets, as ratios between measurements of one run.

A figure is (bench, peer, field) or a number. A target is met when `of` is at most, or at least, `factor` times
`beside`, of the medians over all repeats.
"""

import dataclasses

from .permissions import calls

ALBUMD = "albumd"


@dataclasses.dataclass(frozen=True)
class Target:
    """One comparison."""

    number: str
    what: str
    of: tuple
    relation: str
    factor: float
    beside: object
    unit: str = ""


def _at_most(number, what, of, factor, beside, unit=""):
    return Target(number, what, of, "≤", factor, beside, unit)


def _at_least(number, what, of, factor, beside, unit=""):
    return Target(number, what, of, "≥", factor, beside, unit)


def _targets():
    rename = lambda peer, field="p50_us": ("latency-rename", peer, field)
    yield _at_most("T1", "rename to subscriber, p50", rename(ALBUMD), 1.5, rename("refd"), "µs")
    yield _at_most("T1", "the same", rename(ALBUMD), 1.15, rename("notify-rs"), "µs")
    yield _at_most("T1", "the same", rename(ALBUMD), 1 / 8, rename("watchman-1ms"), "µs")
    yield _at_most("T1", "the same", rename(ALBUMD), 1 / 120, rename("watchman"), "µs")
    yield _at_most("T2", "rename to subscriber, p99", rename(ALBUMD, "p99_us"), 3, rename("refd", "p99_us"), "µs")

    for bench, what in (("burst", "100,000 files"), ("burst-new", "100,000 files, new directories")):
        yield _at_most("T3", f"{what}: not told", (bench, ALBUMD, "lost"), 1, 0)
        yield _at_most("T3", f"{what}: told twice", (bench, ALBUMD, "mentions"), 1, (bench, ALBUMD, "files"))
        for peer, factor in (("refd", 3), ("watchman", 1)):
            yield _at_most("T3", f"{what}: CPU", (bench, ALBUMD, "cpu_s"), factor, (bench, peer, "cpu_s"), "s")
        yield _at_most("T3", f"{what}: peak memory", (bench, ALBUMD, "peak_kb"), 1, 64 << 10, "kB")
    yield _at_most("T3b", "stopped meanwhile: not told", ("burst-stopped", ALBUMD, "lost"), 1, 0)
    yield _at_most("T3b", "stopped meanwhile: all told after", ("burst-stopped", ALBUMD, "lag_s"), 1, 1.5, "s")
    yield _at_most("T3b", "the same", ("burst-stopped", ALBUMD, "lag_s"), 1.05, ("burst-stopped", "watchman", "lag_s"), "s")

    told = lambda peer: ("fanout", peer, "deliveries_per_s")
    for peer, factor in (("refd", 1), ("dbus-broker", 0.6), ("watchman-1ms", 15)):
        yield _at_least("T4", "1,000 subscribers: deliveries", told(ALBUMD), factor, told(peer), "/s")
    yield _at_least("T4", "1,000 subscribers, 50 at a time", ("fanout-50", ALBUMD, "deliveries_per_s"), 1, 3000000, "/s")
    many = lambda size: ("subscribers", f"{ALBUMD} {size}", "all_p50_us")
    yield _at_most("T5", "10,000 subscribers, one change", many("many"), 12, many("few"), "µs")
    yield _at_most("T5", "the same, one of them stuck", many("many-stuck"), 1.1, many("many"), "µs")

    status = lambda peer, clients=1, field="p50_us": (f"status-{clients}", peer, field)
    for peer, factor in (("refd", 1.5), ("xdg-permission-store", 1 / 2), ("polkit", 1 / 10)):
        yield _at_most("T6", "GetStatus, p50", status(ALBUMD), factor, status(peer), "µs")
    for peer, factor in (("xdg-permission-store", 6), ("polkit", 60), ("dbus-broker", 1), ("refd", 0.5)):
        yield _at_least("T7", "GetStatus, 16 clients", status(ALBUMD, 16, "per_s"), factor, status(peer, 16, "per_s"), "/s")
    yield _at_most("T8", "OpenAsset, p50", ("open-1", ALBUMD, "p50_us"), 1.5, ("open-1", "refd", "p50_us"), "µs")
    yield _at_least("T8", "OpenAsset, 16 clients", ("open-16", ALBUMD, "per_s"), 0.5, ("open-16", "refd", "per_s"), "/s")

    yield _at_most("T9", "first scan of 1,000,000 files", ("scan", ALBUMD, "seconds"), 2, ("scan", "find", "seconds"), "s")
    yield _at_most("T9", "the same", ("scan", ALBUMD, "seconds"), 1 / 2, ("scan", "watchman", "seconds"), "s")
    yield _at_most("T9", "peak memory", ("scan", ALBUMD, "peak_kb"), 1, 200 << 10, "kB")
    yield _at_most("T9", "GetStatus meanwhile, p99", ("scan", ALBUMD, "asked_p99_us"), 1, 10000, "µs")
    yield _at_most("T9", "GetInfo meanwhile, p99", ("scan", ALBUMD, "info_p99_us"), 1, 10000, "µs")
    yield _at_most("T10", "warm start: requests served", ("warm", ALBUMD, "served_s"), 1, 0.1, "s")
    yield _at_most("T10", "warm start: reconciled", ("warm", ALBUMD, "seconds"), 1.2, ("scan", "find", "seconds"), "s")
    yield _at_least("T11", "all assets, streamed", ("fetch", ALBUMD, "per_s"), 1, 200000, "/s")
    yield _at_most("T11", "the daemon grows by", ("fetch", ALBUMD, "growth_kb"), 1, 16 << 10, "kB")

    yield _at_most("T12", "idle: wake-ups", ("idle", ALBUMD, "wake_ups_per_s"), 1, 0, "/s")
    yield _at_most("T12", "idle: memory", ("idle", ALBUMD, "memory_kb"), 1, 40 << 10, "kB")
    yield _at_most("T13", "albumctl status", ("command", "albumctl", "p50_us"), 1, 10000, "µs")
    yield _at_most("T13", "the same", ("command", "albumctl", "p50_us"), 2, ("command", "c", "p50_us"), "µs")
    # Of the smallest and the largest library that was measured.
    yield _at_most("T14", "latency as the library grows", ("growth", f"{ALBUMD} largest", "p50_us"), 1.5,
                   ("growth", f"{ALBUMD} smallest", "p50_us"), "µs")
    described = lambda peer: ("describe", peer, "per_s")
    for peer, factor in (("c", 1), ("exiftool", 20)):
        yield _at_least("T15", "20,000 files of cameras described", described(ALBUMD), factor, described(peer), "/s")
    yield _at_least("T16", "previews of 512 pixels", ("previews", ALBUMD, "per_s"), 0.9, ("previews", "vipsthumbnail", "per_s"), "/s")
    kept = lambda state: ("cached-preview", f"{ALBUMD} {state}", "p50_us")
    yield _at_most("T16", "one that is kept, p50", kept("OpenPreview"), 1.5, kept("OpenAsset"), "µs")
    for where in ("copied", "shared"):
        for state, factor in (("again", 1.5), ("first", 3)):
            yield _at_most("T17", f"OpenAsset without location, {where}, {state}, p50",
                           (f"without-location-{where}", f"{ALBUMD} {state}", "p50_us"), factor,
                           (f"without-location-{where}", "c", "p50_us"), "µs")
    beside = lambda state, field="p99_us": ("beside-describing", f"{ALBUMD} {state}", field)
    yield _at_most("T18", "GetStatus while files are described, p99", beside("describing"), 2, beside("idle"), "µs")
    yield _at_most("T18", "the daemon grows by", beside("describing", "growth_kb"), 1, 64 << 10, "kB")
    greedy = lambda state: ("quota", f"{ALBUMD} {state}", "p99_us")
    yield _at_most("R6", "p99 beside a user at its quotas", greedy("greedy"), 2, greedy("alone"), "µs")

    # An app must not tell them apart; two samples of the same thing differ by about as much.
    for method, _ in calls("", ""):
        shown = ("hidden", f"{ALBUMD} {method}")
        yield _at_most("S16", f"{method}: hidden", (*shown, "p50_us"), 1.02, (*shown, "also_p50_us"), "µs")
        yield _at_least("S16", "the same", (*shown, "p50_us"), 0.98, (*shown, "also_p50_us"), "µs")
    for field in ("p50_us", "p99_us"):
        noted = lambda state: ("access-log", f"{ALBUMD} {state}", field)
        yield _at_most("log", f"GetStatus beside 1,000 opens/s, {field[:3]}", noted("noted"), 1.1, noted("not noted"), "µs")


TARGETS = tuple(_targets())
