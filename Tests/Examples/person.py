"""person.py [TEXT KEYS]... -- COMMAND...: the command on a terminal, with somebody there.

They type the keys once the terminal shows the text, one pair after the other. What the terminal showed is printed, and the status
is the command's. Waits for what is shown, never for time; where nothing comes for a minute, it fails (99).
"""

import os
import pty
import select
import sys


def main():
    end = sys.argv.index("--")
    pairs = list(zip(sys.argv[1:end:2], sys.argv[2:end:2], strict=True))
    process, keyboard = pty.fork()
    if process == 0:
        os.execvp(sys.argv[end + 1], sys.argv[end + 1:])
    shown = b""
    since = 0  # what a text before was looked for in is no sign of the next
    while True:
        if pairs and (found := shown.find(pairs[0][0].encode(), since)) >= 0:
            since = found + len(pairs[0][0].encode())
            os.write(keyboard, pairs.pop(0)[1].encode())
            continue
        if not select.select([keyboard], [], [], 60)[0]:
            finish(shown, f"nothing comes any more; not shown: {pairs}", process)
        try:
            more = os.read(keyboard, 65536)
        except OSError:  # EIO: nobody has the terminal open any more
            more = b""
        if not more:
            break
        shown += more
    if pairs:
        finish(shown, f"it ended; not shown: {pairs}")
    finish(shown)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))


def finish(shown, problem=None, process=None):
    sys.stdout.buffer.write(shown.replace(b"\r\n", b"\n"))
    sys.stdout.buffer.flush()
    if problem is not None:
        print(problem, file=sys.stderr)
        if process is not None:
            os.kill(process, 9)
        sys.exit(99)


main()
