"""A library to look at: landscapes that no camera has taken, over some years.

    scenes.py DIRECTORY COUNT    makes COUNT photos in albums, the same every time
"""

import math
import os
import pathlib
import random
import subprocess
import sys
import time

SKIES = [("#8fc7f2", "#dff0fb"), ("#54558f", "#e2b38f"), ("#6f7d93", "#d6dce6"), ("#16163e", "#5a3f7a"), ("#5fa3da", "#cfe6f2"),
         ("#f2a65a", "#f6d8a8"), ("#36597f", "#a6c4d8"), ("#b7d7ea", "#f7efdc")]
HILLS = [("#7fbf5f", "#3f8038", "#27592a"), ("#a58ba6", "#5c4668", "#2d2238"), ("#c9d2de", "#eef2f6", "#ffffff"),
         ("#e0b06a", "#c98a45", "#a5672e"), ("#76909c", "#3f7357", "#1d4a36"), ("#4a4a78", "#26264c", "#111128"),
         ("#d98e73", "#a85b4f", "#61343a"), ("#9cc5a1", "#5f9e8f", "#2f6b6b")]


def scene(random, path, size):
    """One landscape."""
    width, height = size
    sky, hills = random.choice(SKIES), random.choice(HILLS)
    command = ["convert", "-size", f"{width}x{height}", f"gradient:{sky[0]}-{sky[1]}"]
    x, y, radius = random.randrange(width), random.randrange(height // 6, height // 2), height // random.randint(14, 24)
    command += ["-fill", "#fff6dc66", "-draw", f"circle {x},{y} {x + radius * 2},{y}",
                "-fill", "#fff6dc", "-draw", f"circle {x},{y} {x + radius},{y}"]
    for layer, colour in enumerate(hills):
        base = height * (0.48 + 0.16 * layer)
        waves = [(random.uniform(0.5, 3.5), random.uniform(0, 7), random.uniform(0.02, 0.09)) for _ in range(4)]
        points = [f"{x},{base - sum(height * a * math.sin(f * x / width * 6.28 + p) for f, p, a in waves):.0f}"
                  for x in range(0, width + 8, 8)]
        command += ["-fill", colour, "-draw", "polygon " + " ".join(points) + f" {width},{height} 0,{height}"]
    subprocess.run(command + ["-quality", "85", str(path)], check=True)


def library(root, count, scenes=48, small=False, size=None):
    """COUNT photos over six years, in a few albums: most of them in summer, and on some days many.

    size: of the pictures, the longer side first; where none is given, that of photos that are looked at, or of small ones.
    """
    source = random.Random(7)
    root = pathlib.Path(root)
    pool = root.parent / "scenes"
    pool.mkdir(parents=True, exist_ok=True)
    pictures = []
    for number in range(scenes):
        path = pool / f"{number}.jpg"
        long, short = size or ((320, 240) if small else (800, 600))
        scene(source, path, (long, short) if number % 3 else (short, long))
        pictures.append(path.read_bytes())
    albums = ["Lake 2026", "Family", "Walks", "Walks/Ridge", "Garden", "Town"]
    for album in albums:
        (root / album).mkdir(parents=True, exist_ok=True)
    now = time.mktime((2026, 11, 20, 12, 0, 0, 0, 0, -1))
    number = 0
    moment = now
    while number < count:
        moment -= source.expovariate(1 / (86400 * 2200 / count * 7))
        album = source.choice(albums)
        for _ in range(min(source.choice([1, 1, 2, 3, 5, 8, 14, 21]), count - number)):
            path = root / album / f"IMG_{number:05}.jpg"
            path.write_bytes(source.choice(pictures) + b"%d" % number)
            moment -= source.uniform(20, 900)
            os.utime(path, (moment, moment))
            number += 1


if __name__ == "__main__":
    library(sys.argv[1], int(sys.argv[2]))
