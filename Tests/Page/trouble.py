"""What goes wrong on a page that a test looks at, and what of it is no failure."""

import re
import urllib.parse

from page import Wire

# What a prompt's pictures and what it is about are asked for by.
OF_PROMPT = re.compile(r"/preview/prompt/([^/?]+)|/prompt/([^/?]+)|[?&]prompt=([^&]+)")
# How Chromium says what a server has refused.
GONE = "status of 410"


class Failures(list):
    """Errors of scripts, and what could not be loaded, each with its address.

    A prompt may go at any moment, with its app or by an answer elsewhere. What is asked for it afterwards is gone (410), which
    Chromium calls an error, whenever it comes to tell it. That is none unless the prompt is there still; and what is not
    found (404) always is one.
    """

    def __init__(self, world, page):
        super().__init__()
        self.world = world
        page.on("pageerror", lambda error: self.append(str(error)))
        page.on("console", self.said)

    def said(self, message):
        if message.type != "error":
            return
        address = message.location.get("url", "")
        prompt = OF_PROMPT.search(address)
        if GONE in message.text and prompt and not stands(self.world, urllib.parse.unquote(next(filter(None, prompt.groups())))):
            return
        self.append(f"{message.text} {address}".strip())


def stands(world, prompt):
    """Whether the page still has a prompt: one that has gone never comes back."""
    try:
        return wire(world).send("GET", f"/prompt/{urllib.parse.quote(prompt, safe='')}")[0] == 200
    except OSError:
        # Where there is no page there is no prompt.
        return False


def wire(world):
    """Somebody who looks beside the tests, and was let in once."""
    known = getattr(world, "beside", None)
    try:
        if known and known.send("GET", "/sessions")[0] == 200:
            return known
    except OSError:
        pass
    world.beside = Wire(world.link())
    world.beside.come_in()
    return world.beside
