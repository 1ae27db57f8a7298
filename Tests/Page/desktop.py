"""A desktop: a bus of its own (Debian's dbus-daemon), somebody who shows notifications, and an xdg-open that keeps what
it is to open."""

import html
import os
import pathlib
import queue
import re
import socket
import subprocess
import threading

from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

from page import PATIENCE

NAME = "org.freedesktop.Notifications"
PLACE = DBusAddress("/org/freedesktop/Notifications", bus_name=NAME, interface=NAME)


class Bus:
    """The session's bus."""

    def __init__(self, directory):
        directory.mkdir()
        self.path = directory / "bus"
        self.process = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={self.path}", "--print-address=1"],
            stdout=subprocess.PIPE, text=True)
        # Printed when it listens.
        self.address = self.process.stdout.readline().strip()
        assert self.address, "there is no bus"

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


class Desktop:
    """Shows notifications (Desktop Notifications Specification 1.2), and answers them as a person would."""

    def __init__(self, bus, capabilities=("actions", "body", "body-markup")):
        self.capabilities = list(capabilities)
        self.news = queue.Queue()
        self.last = 0
        self.lock = threading.Lock()
        self.connection = open_dbus_connection(bus.address)
        reply = self.connection.send_and_get_reply(message_bus.RequestName(NAME))
        assert reply.body == (1,), reply.body
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def serve(self):
        while True:
            try:
                message = self.connection.receive()
            except (ConnectionError, OSError, ValueError):
                return
            if message.header.message_type != MessageType.method_call:
                continue
            member = message.header.fields[HeaderFields.member]
            if member == "GetCapabilities":
                self.send(new_method_return(message, "as", (self.capabilities,)))
            elif member == "Notify":
                _, replaced, _, summary, body, actions, hints, expires = message.body
                if not replaced:
                    self.last += 1
                number = replaced or self.last
                self.send(new_method_return(message, "u", (number,)))
                self.news.put(("shown", number, summary, body, actions, expires))
            elif member == "CloseNotification":
                self.send(new_method_return(message))
                self.tell("NotificationClosed", "uu", (message.body[0], 3))
                self.news.put(("closed", message.body[0]))
            else:
                self.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod"))

    def tell(self, member, signature, body):
        self.send(new_signal(PLACE, member, signature, body))

    def next(self):
        """What happens next."""
        return self.news.get(timeout=PATIENCE)

    def choose(self, number, action="answer"):
        self.tell("ActionInvoked", "us", (number, action))

    def send(self, message):
        with self.lock:
            self.connection.send(message)

    def close(self):
        # Whoever receives is told so.
        self.connection.sock.shutdown(socket.SHUT_RDWR)
        self.thread.join(PATIENCE)
        self.connection.close()


class Opener:
    """An xdg-open that says which file it was to open."""

    def __init__(self, directory):
        directory.mkdir()
        self.pipe = directory / "opened"
        os.mkfifo(self.pipe)
        program = directory / "xdg-open"
        program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" > "{self.pipe}"\n')
        program.chmod(0o755)
        self.path = f"{directory}:{os.environ['PATH']}"

    def link(self):
        """Until something is opened: the link that it leads to."""
        with open(self.pipe) as stream:
            file = pathlib.Path(stream.readline().strip())
        return html.unescape(re.search(r'url=([^"]+)"', file.read_text())[1])
