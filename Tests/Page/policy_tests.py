"""What the page's policy for browsers keeps out (S61). Each test is called what it shows."""

import contextlib
import itertools
import socket

from browsing import reset, test, visit
from everybody_tests import views
from page import PATIENCE

# Puts something into the page, and waits until the browser has refused it.
REFUSED = """async ([put, directive, argument]) => {
  const refusal = new Promise((resolve) => {
    const listen = (event) => {
      if (event.effectiveDirective !== directive) return;
      document.removeEventListener("securitypolicyviolation", listen);
      resolve(event.blockedURI);
    };
    document.addEventListener("securitypolicyviolation", listen);
  });
  const add = (html) => { document.getElementById("main").insertAdjacentHTML("beforeend", html); };
  const make = (name, values) => document.getElementById("main").appendChild(Object.assign(document.createElement(name), values));
  window.ran ??= [];
  PUT[put](argument, add, make);
  const late = new Promise((_, reject) => { setTimeout(() => reject(new Error("it is not refused: " + put)), PATIENCE); });
  return await Promise.race([refusal, late]);
}""".replace("PATIENCE", str(PATIENCE * 1000))

# What markup that came into the page by a mistake could try: by what it is refused, and how it is put there.
INLINE = {
    "a script": ("script-src-elem", "(_, add, make) => { make('script', { textContent: 'ran.push(1)' }); }"),
    "a handler": ("script-src-attr", "(_, add) => { add('<img src=/static/none onerror=ran.push(2)>'); }"),
    "a handler of a drawing": ("script-src-attr", "(_, add) => { add('<svg onload=ran.push(3)></svg>'); }"),
    "an address that is a script": (
        "script-src-elem", "(_, add, make) => { make('a', { href: 'javascript:ran.push(4)' }).click(); }"),
    "a style": ("style-src-elem", "(_, add, make) => { make('style', { textContent: 'body { display: none }' }); }"),
    "a style of an element": ("style-src-attr", "(_, add) => { add('<p style=position:fixed>x</p>'); }"),
}
OUTSIDE = {
    "a picture": ("img-src", "(url, add) => { add(`<img src='${url}/a'>`); }"),
    "a script": ("script-src-elem", "(url, add, make) => { make('script', { src: url + '/b' }); }"),
    "a style": ("style-src-elem", "(url, add) => { add(`<link rel=stylesheet href='${url}/c'>`); }"),
    "a frame": ("frame-src", "(url, add) => { add(`<iframe src='${url}/d'></iframe>`); }"),
    "a film": ("media-src", "(url, add) => { add(`<video src='${url}/e' autoplay></video>`); }"),
    "an object": ("object-src", "(url, add) => { add(`<object data='${url}/f'></object>`); }"),
    "a question": ("connect-src", "(url) => { fetch(url + '/g').catch(() => {}); }"),
    "a stream": ("connect-src", "(url) => { new EventSource(url + '/h'); }"),
    "a connection": ("connect-src", "(url) => { new WebSocket(url.replace('http', 'ws') + '/i'); }"),
    "a note": ("connect-src", "(url) => { navigator.sendBeacon(url + '/j', 'x'); }"),
    "a font": ("font-src", "(url) => { new FontFace('x', `url('${url}/k')`).load().catch(() => {}); }"),
    "a form": ("form-action", "(url, add, make) => { make('form', { action: url + '/l', method: 'post' }).submit(); }"),
    "another base": ("base-uri", "(url, add) => { add(`<base href='${url}/m/'>`); }"),
}


def refused(page, tries, argument=None):
    """Each of these is refused, by the part of the policy that it is against."""
    puts = ", ".join(f"{name!r}: {put}" for name, (_, put) in tries.items())
    function = REFUSED.replace("PUT[put]", "({%s})[put]" % puts)
    for name, (directive, _) in tries.items():
        page.evaluate(function, [name, directive, argument])


@test
def no_script_and_no_style_that_is_put_into_the_page_runs(world, browser):
    """S61: what is written into the page is text, even where it came to be markup."""
    page = visit(world, browser)
    refused(page, INLINE)
    # A picture's handler is called when it has failed.
    page.evaluate("""() => new Promise((resolve) => {
      const image = new Image();
      image.addEventListener("error", resolve);
      image.setAttribute("onerror", "ran.push(5)");
      image.src = "/static/none";
    })""")
    assert page.evaluate("ran") == []
    # Whoever drives the browser may, but not what runs of itself.
    text = page.evaluate("""() => new Promise((resolve) => {
      setTimeout(() => { try { resolve(new Function("return 6")()); } catch (error) { resolve(error.name); } });
    })""")
    assert text == "EvalError", text
    assert page.locator("h1").first.is_visible()


@test
def nothing_that_is_put_into_the_page_reaches_another_address(world, browser):
    """S61: neither another port of this computer, nor another name."""
    page = visit(world, browser)
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as other:
        refused(page, OUTSIDE, f"http://127.0.0.1:{other.getsockname()[1]}")
        refused(page, OUTSIDE, "https://evil.example")
        assert page.url == page.home + "/"
        page.context.close()
        # Chromium connects for a frame and a form before it asks the policy, and then says nothing.
        with socket.create_connection(other.getsockname()) as last:
            came = iter(other.accept, None)
            for connection, _ in itertools.takewhile(lambda one: one[1] != last.getsockname(), came):
                with connection:
                    connection.settimeout(PATIENCE)
                    assert connection.recv(100) == b"", "a request was let through"


@test
def no_view_asks_for_anything_of_another_address(world, browser):
    """S61: everything that is shown comes from the page itself."""
    reset(world)
    page = visit(world, browser)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    for _ in views(world, page):
        pass
    assert len(asked) > 50 and all(url.startswith(page.home + "/") for url in asked), asked
