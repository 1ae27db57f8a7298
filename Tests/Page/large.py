"""The page's targets (T19 to T21) with a large library: figures, and failure where one is not met.

    PHOTOS=100000 large.py BIN

The library is at rest then: it was written to the disk, and what each photo says of itself was read. Each time is told with
its least and its most: the target is for the one in the middle.
"""

import json
import os
import random
import statistics
import sys
import time

from browsing import WHOLE, visit, whole
from page import CHROMIUM, World, wait

# Milliseconds from the request for a page until everything that is in the window is there. A grid that is still to come
# has no cells.
FIRST = """async () => {
  const whole = %s;
  while (!document.querySelector(".cell") || !whole()) await new Promise(requestAnimationFrame);
  return performance.now();
}""" % WHOLE

# Milliseconds from a jump until everything that is in the window is there.
JUMP = """async (place) => {
  const whole = %s;
  const begun = performance.now();
  scrollTo(0, place * (document.documentElement.scrollHeight - innerHeight));
  // In the frame that comes next the grid is laid out again.
  await new Promise(requestAnimationFrame);
  const isThere = () => [...document.querySelectorAll(".cell")].some((cell) => {
    const box = cell.getBoundingClientRect();
    return box.bottom > 0 && box.top < innerHeight;
  });
  do await new Promise(requestAnimationFrame); while (!isThere() || !whole());
  return performance.now() - begun;
}""" % WHOLE

# The longest time between two frames of so many, each of which scrolls on.
SCROLL = """async (frames) => {
  let longest = 0;
  let last = await new Promise(requestAnimationFrame);
  for (let frame = 0; frame < frames; frame += 1) {
    scrollBy(0, 60);
    const now = await new Promise(requestAnimationFrame);
    longest = Math.max(longest, now - last);
    last = now;
  }
  return longest;
}"""


# How often each is measured.
ROUNDS = 5


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def memory(process):
    """What a process has of memory to itself and its share of the rest, in MiB (proc(5), smaps_rollup)."""
    for line in open(f"/proc/{process.pid}/smaps_rollup"):
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    raise ValueError("there is no Pss")


def wakes(process):
    """How often each of its threads was run."""
    times = {}
    for task in os.listdir(f"/proc/{process.pid}/task"):
        for line in open(f"/proc/{process.pid}/task/{task}/status"):
            if "ctxt_switches" in line:
                times[task] = times.get(task, 0) + int(line.split()[1])
    return times


def main():
    from playwright.sync_api import sync_playwright

    count = int(os.environ.get("PHOTOS", "100000"))
    world = World(sys.argv[1])
    missed = []

    def tell(what, value, unit, most=None, of=()):
        between = f", {min(of):.0f} to {max(of):.0f} in {len(of)}" if of else ""
        print(f"{what}: {value:.0f} {unit}{between}" + (f" (target: {most})" if most is not None else ""), flush=True)
        if most is not None and value > most:
            missed.append(what)

    def tell_middle(what, values, most):
        tell(what, statistics.median(values), "ms", most, values)

    try:
        started = time.monotonic()
        world.fill(count, small=True)
        os.sync()
        tell("library made", time.monotonic() - started, "s")
        started = time.monotonic()
        world.start_daemon(1800)
        tell(f"library of {count} ready", time.monotonic() - started, "s")
        wait(lambda: not json.loads(world.ctl("info", "--owner", "--json", check=True).stdout).get("undescribed"), "the descriptions",
             1800, 1)
        world.start_page()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = visit(world, browser)
            delays = []
            for _ in range(20):
                page.evaluate("""() => { window.appeared = new Promise((resolve) => {
                  new MutationObserver((_, observer) => {
                    if (!document.querySelector('.sheet')) return;
                    observer.disconnect();
                    requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
                  }).observe(document.getElementById('sheet'), { childList: true });
                }); }""")
                asked = time.time() * 1000
                app = world.app("wallpapers", "request", "--level", "readWrite")
                delays.append(page.evaluate("appeared") - asked)
                app.kill()
                app.wait()
                page.locator(".sheet").wait_for(state="detached")
            tell_middle("T19: a program's start to its prompt", delays, 100)
            screens = []
            for _ in range(1 + ROUNDS):
                page.goto(page.home + "/photos", wait_until="commit")
                screens.append(page.evaluate(FIRST))
            # No picture of it was made yet.
            tell("T20: first screen, the first time", screens[0], "ms")
            tell_middle("T20: first screen", screens[1:], 500)
            source = random.Random(3)
            places = [source.random() for _ in range(40)]
            rounds = [percentile([page.evaluate(JUMP, place) for place in places], 0.95) for _ in range(1 + ROUNDS)]
            tell("T20: all of the screen after a jump, p95, the first time", rounds[0], "ms")
            tell_middle("T20: all of the screen after a jump, p95", rounds[1:], 300)
            frames = []
            for _ in range(ROUNDS):
                page.evaluate("scrollTo(0, 0)")
                whole(page)
                frames.append(page.evaluate(SCROLL, 300))
            tell_middle("T20: longest frame while scrolling", frames, 50)
            metrics = page.context.new_cdp_session(page)
            metrics.send("Performance.enable")
            heap = {metric["name"]: metric["value"] for metric in metrics.send("Performance.getMetrics")["metrics"]}
            tell("the page's own heap", heap["JSHeapUsedSize"] / 1048576, "MiB")
            tell("its elements", heap["Nodes"], "nodes")
            for path in ("/", "/photos", "/apps", "/log"):
                other = visit(world, browser, path)
                whole(other)
            tell("T21: albumweb with five pages open", memory(world.page), "MiB", 80)
            # Connections that nobody uses any more are closed meanwhile.
            time.sleep(40)
            before = wakes(world.page)
            # What is measured is this time.
            time.sleep(10)
            tell("T21: wake-ups in ten seconds, five pages open and one of them the log", sum(
                times - before.get(task, 0) for task, times in wakes(world.page).items()), "")
            browser.close()
        print(f"albumd: {memory(world.daemon):.0f} MiB")
    finally:
        world.close()
    sys.exit(f"missed: {', '.join(missed)}" if missed else 0)


main()
