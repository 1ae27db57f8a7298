"""agent.py ALBUMCTL APP: `ALBUMCTL agent` on a pseudo-terminal, while APP asks for access.
"""

import os
import signal
import subprocess
import termios

from terminal import ALBUMCTL, agent, app, check, outcome, passed


def request():
    return app("request", "--level", "readWrite")


terminal = agent()
check("keys are taken one by one", terminal.is_raw())

asking = request()
terminal.asks("Not now")
terminal.press(b"x")  # means nothing
terminal.press(b"n")
terminal.shows("put off")
check("S11: n puts it off, and the app may ask again", outcome(asking) == ("notDetermined", 5))

asking = request()
terminal.shows("Not now")
terminal.press(b"n")
terminal.asks("Not now")
check("a key that comes with the prompt was meant for something else", asking.poll() is None)
terminal.press(b"n")
terminal.shows("put off")
check("later it answers", outcome(asking) == ("notDetermined", 5))

asking = request()
screen = terminal.shows("Leave")
check("the prompt tells app, reason and level", all(
    text in screen for text in [b"Example", b"org.example.App", b"To test.", b"see your photos"]), screen)
asking.kill()
terminal.shows("no answer needed any more")
asking.wait()

asking = request()
terminal.shows("Leave")
terminal.resize(8, 30)
screen = terminal.shows("q Leave")
check("a small terminal still shows every key", b"a Allow" in screen and b"n Not now" in screen, screen)
terminal.resize(24, 80)
terminal.asks("Leave")
terminal.press(b"a")
terminal.shows("for how long")
terminal.press(b"t")
terminal.shows("One week")
terminal.press(b"w")
terminal.shows("allowed until")
check("S10: allowed for a week", outcome(asking) == ("authorized", 0))
subprocess.run([ALBUMCTL, "reset", "--all", "--yes"], check=True, stdout=subprocess.DEVNULL)

asking = request()
terminal.shows("Leave")
terminal.press(b"\x03")
terminal.ends("Ctrl-C with a prompt open")
terminal.shows("\x1b[?1049l")
check("S11: an agent that leaves denies nothing", outcome(asking)[1] == 4)

for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
    terminal = agent()
    terminal.process.send_signal(number)
    terminal.ends(number.name)

once = subprocess.Popen([ALBUMCTL, "agent", "--answer", "allow", "--once"], stdout=subprocess.PIPE)
once.stdout.readline()
once.terminate()
check("an agent for one answer that ends without it ends with 1", once.wait(60) == 1, once.returncode)

terminal = agent()
terminal.process.send_signal(signal.SIGTSTP)
_, status = os.waitpid(terminal.process.pid, os.WUNTRACED)
check("SIGTSTP stops it", os.WIFSTOPPED(status))
check("with the terminal as it was", termios.tcgetattr(terminal.line) == terminal.before)
terminal.process.send_signal(signal.SIGCONT)
terminal.press(b"q")
terminal.ends("q, after it went on,")

passed()
