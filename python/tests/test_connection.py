"""Connections, to services that say what a test has them say."""

import array
import asyncio
import json
import os
import socket
import tempfile
import threading
import time
import unittest
from collections.abc import Callable
from pathlib import Path

import support
from support import Service, answering, read_call
from albumd import (
    Connection, ConnectionLost, Descriptors, NoSuchAsset, NotRunning, PhotoLibrary, ProtocolViolation, RemoteError,
    TimedOut, aio,
)
from albumd.interfaces import authorization, library
from test_wire import ASSET, message

INFO = {"token": "t", "assetCount": 1, "albumCount": 0, "state": "ready", "roots": []}
OPEN = {"asset": ASSET, "fileDescriptor": 0}


def sending(*parts: tuple[bytes, list[int]]) -> Callable[[socket.socket], None]:
    """Reads a call, and sends these bytes, each with these descriptors."""

    def script(connection: socket.socket) -> None:
        read_call(connection)
        for data, numbers in parts:
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", numbers))] if numbers else []
            connection.sendmsg([data], rights)

    return script


def waiting(connection: socket.socket) -> None:
    """Reads a call, and answers nothing."""
    read_call(connection)
    connection.recv(1)


class Blocking(unittest.TestCase):
    def setUp(self) -> None:
        self.file = tempfile.TemporaryFile()
        self.file.write(b"photo")
        self.file.flush()
        self.addCleanup(self.file.close)
        self.before = support.open_files()
        self.addCleanup(lambda: self.assertEqual(support.open_files(), self.before))

    def test_nobody_listens(self) -> None:
        with self.assertRaisesRegex(NotRunning, "/nowhere/io.albumd"):
            Connection("/nowhere/io.albumd")

    def test_a_call_and_its_reply(self) -> None:
        with Service(answering(message(parameters=INFO))) as service, Connection(service.path) as connection:
            self.assertEqual(connection.call(library.GetInfo()).token, "t")

    def test_an_error_leaves_the_connection_as_it_is(self) -> None:
        def script(connection: socket.socket) -> None:
            answering(message(error="io.albumd.Library.NoSuchAsset", parameters={"id": "1"}))(connection)
            answering(message(error="io.albumd.Library.Haunted", parameters={}))(connection)
            for said in ("Ghosts\x1b[2J.", 7):
                answering(message(error="io.albumd.Library.Haunted", parameters={"message": said}))(connection)
            answering(message(parameters=INFO))(connection)

        with Service(script) as service, Connection(service.path) as connection:
            with self.assertRaises(NoSuchAsset):
                connection.call(library.OpenAsset(id="1"))
            with self.assertRaisesRegex(RemoteError, "Haunted"):
                connection.call(library.OpenAsset(id="1"))
            for said, shown in ("Ghosts\x1b[2J.", "io.albumd.Library.Haunted: Ghosts[2J."), (
                    None, "io.albumd.Library.Haunted"):
                with self.assertRaises(RemoteError) as unknown:
                    connection.call(library.OpenAsset(id="1"))
                self.assertEqual((unknown.exception.message, str(unknown.exception)), (said, shown))
            self.assertEqual(connection.call(library.GetInfo()).asset_count, 1)

    def test_cut_off_within_a_message(self) -> None:
        with Service(answering(b'{"parameters":{"tok')) as service, Connection(service.path) as connection:
            with self.assertRaisesRegex(ProtocolViolation, "within a message"):
                connection.call(library.GetInfo())
            with self.assertRaises(ConnectionLost):
                connection.call(library.GetInfo())

    def test_cut_off_between_messages(self) -> None:
        with Service(answering()) as service, Connection(service.path) as connection:
            with self.assertRaises(ConnectionLost):
                connection.call(library.GetInfo())

    def test_a_reply_that_does_not_fit_ends_the_connection(self) -> None:
        with Service(answering(message(parameters={}))) as service, Connection(service.path) as connection:
            with self.assertRaisesRegex(ProtocolViolation, "GetInfo: token should be there"):
                connection.call(library.GetInfo())
            self.assertTrue(connection.is_closed)
            with self.assertRaises(ConnectionLost):
                connection.call(library.GetInfo())

    def test_a_descriptor_belongs_to_who_takes_it(self) -> None:
        reply = message(parameters=OPEN)
        with Service(sending((reply, [self.file.fileno()]))) as service, PhotoLibrary(service.path) as photos:
            with photos.open("1") as photo:
                self.assertFalse(os.get_inheritable(photo.fileno()))
                photo.seek(0)
                self.assertEqual(photo.read(), b"photo")

    def test_descriptors_that_nobody_takes_are_closed(self) -> None:
        numbers = [self.file.fileno()] * 200
        with Service(sending((message(parameters=INFO), numbers))) as service:
            with Connection(service.path) as connection:
                connection.call(library.GetInfo())
                self.assertLessEqual(len(support.open_files()), len(self.before) + 3)

    def test_descriptors_of_an_error_and_of_a_cut_off_message_are_closed(self) -> None:
        numbers = [self.file.fileno()] * 20
        error = message(error="io.albumd.Library.NoSuchAsset", parameters={"id": "1"})
        with Service(sending((error, numbers)), sending((b'{"param', numbers))) as service:
            for expected in (NoSuchAsset, ProtocolViolation):
                with Connection(service.path) as connection, self.assertRaises(expected):
                    connection.call_with_descriptors(library.OpenAsset(id="1"))

    def test_descriptors_of_a_message_that_other_bytes_came_before(self) -> None:
        first = message(parameters={"ids": [], "failures": [], "completed": 0}, continues=True)
        last = message(parameters={"ids": [], "failures": [], "completed": 1})
        with Service(sending((first, []), (last[:5], [self.file.fileno()]), (last[5:], []))) as service:
            with Connection(service.path) as connection:
                stream = connection.stream(library.AddAssets(items=[]))
                time.sleep(0.1)
                self.assertEqual([len(stream.descriptors) for _ in stream], [0, 1])

    def test_a_descriptor_that_the_message_did_not_come_with(self) -> None:
        for reply in ({**OPEN, "fileDescriptor": 1}, {**OPEN, "fileDescriptor": -1}):
            with Service(sending((message(parameters=reply), [self.file.fileno()]))) as service:
                with PhotoLibrary(service.path) as photos, self.assertRaisesRegex(ProtocolViolation, "descriptor"):
                    photos.open("1")

    def test_what_is_no_regular_file_is_not_read(self) -> None:
        reader, writer = os.pipe()
        with Service(sending((message(parameters=OPEN), [reader]))) as service, PhotoLibrary(service.path) as photos:
            with self.assertRaisesRegex(ProtocolViolation, "regular"):
                photos.open("1")
        os.close(reader)
        os.close(writer)

    def test_no_room_for_descriptors(self) -> None:
        import resource

        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        with Service(sending((message(parameters=OPEN), [self.file.fileno()] * 100))) as service:
            with Connection(service.path) as connection:
                time.sleep(0.1)
                resource.setrlimit(resource.RLIMIT_NOFILE, (len(support.open_files()) + 20, limits[1]))
                try:
                    with self.assertRaisesRegex(OSError, "no room"):
                        connection.call(library.OpenAsset(id="1"))
                finally:
                    resource.setrlimit(resource.RLIMIT_NOFILE, limits)

    def test_a_stream_and_its_end(self) -> None:
        pages = [message(parameters={"assets": [ASSET], "total": 2, "token": str(n)}, continues=n < 2) for n in range(3)]
        with Service(answering(*pages)) as service, Connection(service.path) as connection:
            stream = connection.stream(library.FetchAssets())
            with self.assertRaisesRegex(RuntimeError, "stream is open"):
                connection.call(library.GetInfo())
            self.assertEqual([page.token for page in stream], ["0", "1", "2"])
            self.assertEqual(list(stream), [])

    def test_a_stream_that_is_closed_hangs_up(self) -> None:
        ended = threading.Event()

        def script(connection: socket.socket) -> None:
            answering(message(parameters={"accessLevel": "addOnly", "status": "denied"}, continues=True))(connection)
            if connection.recv(1) == b"":
                ended.set()

        with Service(script) as service, Connection(service.path) as connection:
            with connection.stream(authorization.Monitor()) as stream:
                self.assertEqual(next(stream).status, "denied")
            self.assertTrue(ended.wait(10))

    def test_what_has_no_stream_is_not_called_so(self) -> None:
        with Service(lambda connection: None) as service, Connection(service.path) as connection:
            with self.assertRaises(ValueError):
                connection.stream(library.GetInfo())
            with self.assertRaises(ValueError):
                connection.call(authorization.Monitor())

    def test_oneway(self) -> None:
        calls = []

        def script(connection: socket.socket) -> None:
            calls.append(json.loads(read_call(connection)[:-1]))
            connection.sendall(message(parameters=INFO))

        with Service(script) as service, Connection(service.path) as connection:
            connection.notify(library.GetInfo())
        self.assertEqual(calls, [{"method": "io.albumd.Library.GetInfo", "parameters": {}, "oneway": True}])

    def test_no_reply_in_time(self) -> None:
        with Service(waiting) as service:
            with Connection(service.path, timeout=0.1) as connection, self.assertRaises(TimedOut):
                connection.call(library.GetInfo())

    def test_another_thread_hangs_up(self) -> None:
        with Service(waiting) as service:
            photos = PhotoLibrary(service.path)
            threading.Timer(0.1, photos.hang_up).start()
            with self.assertRaises(ConnectionLost):
                photos.request_authorization()
            photos.close()

    def test_a_service_that_takes_nothing_before_its_replies_are_read(self) -> None:
        many = message(parameters={"ids": ["x" * 1000], "failures": [], "completed": 0}, continues=True)

        def script(connection: socket.socket) -> None:
            connection.recv(10)
            for _ in range(2000):
                connection.sendall(many)
            while not connection.recv(1 << 20).endswith(b"\0"):
                pass
            connection.sendall(message(parameters={"ids": [], "failures": [], "completed": 1}))

        with Service(script) as service, Connection(service.path, timeout=20) as connection:
            item = library.AddItem(file_descriptor=0, filename="x" * 4_000_000)
            self.assertEqual(len(list(connection.stream(library.AddAssets(items=[item])))), 2001)

    def test_files_go_with_their_call(self) -> None:
        got: list[tuple[bytes, list[int]]] = []

        def script(connection: socket.socket) -> None:
            data, numbers, _, _ = socket.recv_fds(connection, 1 << 16, 10)
            got.append((os.pread(numbers[0], 10, 0), numbers))
            for number in numbers:
                os.close(number)
            connection.sendall(message(parameters={"ids": ["1"], "failures": [], "completed": 1}))

        with Service(script) as service, PhotoLibrary(service.path) as photos:
            self.assertEqual(photos.save([b"bytes"]).results, ["1"])
        self.assertEqual([(data, len(numbers)) for data, numbers in got], [(b"bytes", 1)])

    def test_a_question_is_asked_again_after_a_restart_and_a_change_is_not(self) -> None:
        # The first script goes away without an answer; so does the third.
        once = answering(message(parameters=INFO))
        with Service(once, once, answering()) as service, PhotoLibrary(service.path) as photos:
            photos.info()
            photos.info()
            with self.assertRaises(ConnectionLost):
                photos.create_album("A")

    def test_a_save_that_is_cut_off_tells_of_each(self) -> None:
        first = message(parameters={"ids": ["1"], "failures": [], "completed": 1}, continues=True)
        with Service(answering(first), answering()) as service, PhotoLibrary(service.path) as photos:
            saved = photos.save([b"a", b"b"])
            self.assertEqual(saved.identifiers, ["1"])
            self.assertIsInstance(saved.results[1], ConnectionLost)
            with self.assertRaises(ConnectionLost):
                photos.save([b"a", b"b"])

    def test_who_waits_for_the_daemon_hears_when_it_comes_and_when_it_is_over(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            told: list[float] = []
            photos = PhotoLibrary(f"{folder}/io.albumd")

            def read() -> None:
                next(iter(photos.asset_changes()))
                told.append(time.monotonic())
                for _ in photos.asset_changes():
                    pass

            thread = threading.Thread(target=read)
            thread.start()
            time.sleep(1.0)
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
                listener.bind(f"{folder}/new")
                listener.listen()
                came = time.monotonic()
                os.rename(f"{folder}/new", f"{folder}/io.albumd")
                connection, _ = listener.accept()
                answering(message(parameters={
                    "token": "t", "hasIncrementalChanges": True, "inserted": [], "removed": [], "changed": [],
                    "moved": []}, continues=True))(connection)
                while not told:
                    time.sleep(0.01)
                self.assertLess(told[0] - came, 0.5)
                connection.close()
            os.unlink(f"{folder}/io.albumd")
            time.sleep(0.5)
            begun = time.monotonic()
            photos.hang_up()
            thread.join()
            self.assertLess(time.monotonic() - begun, 0.5)
            photos.close()
            del photos

    def test_files_that_were_picked_are_closed_where_the_rest_does_not_come(self) -> None:
        item = {"filename": "a.jpg", "mediaType": "image", "fileDescriptor": 0, "accessible": True}
        first = message(parameters={"items": [item], "inaccessibleCount": 0}, continues=True)
        for last in (b"", message(parameters={"items": [{**item, "fileDescriptor": 5}], "inaccessibleCount": 0})):
            with Service(sending((first, [self.file.fileno()] * 3), (last, []))) as service:
                with PhotoLibrary(service.path) as photos, self.assertRaises((ConnectionLost, ProtocolViolation)):
                    photos.pick()

    def test_garbage_from_a_service_is_an_error_of_the_package(self) -> None:
        import random

        replies = message(parameters=OPEN), message(parameters=INFO), message(error="a.b.C", parameters={})
        source = random.Random(7)
        texts = []
        for _ in range(300):
            text = bytearray(source.choice(replies))
            for _ in range(source.randint(1, 6)):
                text[source.randrange(len(text))] = source.randrange(256)
            texts.append(bytes(text))
        with Service(*(answering(text) for text in texts)) as service:
            for _ in texts:
                try:
                    with Connection(service.path, timeout=20) as connection:
                        connection.call(library.OpenAsset(id="1"))
                except (RemoteError, ProtocolViolation, ConnectionLost):
                    pass


class Asyncio(unittest.IsolatedAsyncioTestCase):
    async def test_calls_streams_and_descriptors(self) -> None:
        before = support.open_files()
        with tempfile.TemporaryFile() as file:
            file.write(b"photo")
            file.flush()
            file.seek(0)
            scripts = (
                sending((message(parameters=OPEN), [file.fileno()])),
                answering(message(error="io.albumd.Library.TokenExpired", parameters={})),
                answering(*(message(parameters={"assets": [], "total": 0, "token": str(n)}, continues=n < 2)
                            for n in range(3))),
            )

            def script(connection: socket.socket) -> None:
                for part in scripts:
                    part(connection)

            with Service(script) as service:
                async with aio.PhotoLibrary(service.path) as photos:
                    with await photos.open("1") as photo:
                        self.assertEqual(photo.read(), b"photo")
                    with self.assertRaisesRegex(RemoteError, "TokenExpired"):
                        await photos.info()
                    connection = photos._questions
                    assert connection is not None
                    stream = await connection.stream(library.FetchAssets())
                    self.assertEqual([page.token async for page in stream], ["0", "1", "2"])
        self.assertEqual({n for n, of in support.open_files().items() if "socket" in of},
                         {n for n, of in before.items() if "socket" in of})

    async def test_cut_off(self) -> None:
        with Service(answering(b'{"parameters":')) as service:
            async with await aio.Connection.open(service.path) as connection:
                with self.assertRaisesRegex(ProtocolViolation, "within a message"):
                    await connection.call(library.GetInfo())

    async def test_a_reply_that_does_not_fit_ends_the_connection(self) -> None:
        with Service(answering(message(parameters={}))) as service:
            async with await aio.Connection.open(service.path) as connection:
                with self.assertRaisesRegex(ProtocolViolation, "GetInfo: token should be there"):
                    await connection.call(library.GetInfo())
                self.assertTrue(connection.is_closed)

    async def test_no_reply_in_time(self) -> None:
        with Service(waiting) as service:
            async with await aio.Connection.open(service.path, timeout=0.1) as connection:
                with self.assertRaises(TimedOut):
                    await connection.call(library.GetInfo())

    async def test_cancelling_hangs_up(self) -> None:
        ended = threading.Event()

        def script(connection: socket.socket) -> None:
            read_call(connection)
            if connection.recv(1) == b"":
                ended.set()

        with Service(script) as service:
            photos = aio.PhotoLibrary(service.path)
            task = asyncio.create_task(photos.request_authorization())
            await asyncio.sleep(0.1)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            self.assertTrue(ended.wait(10))
            await photos.aclose()

    async def test_a_cancelled_question_leaves_no_reply_for_the_next(self) -> None:
        def slow(connection: socket.socket) -> None:
            read_call(connection)
            connection.recv(1)

        with Service(slow, answering(message(parameters=INFO))) as service:
            async with aio.PhotoLibrary(service.path) as photos:
                with self.assertRaises(TimeoutError):
                    async with asyncio.timeout(0.1):
                        await photos.authorization_status(authorization.AccessLevel.READ_WRITE)
                self.assertEqual((await photos.info()).token, "t")


class DescriptorsTests(unittest.TestCase):
    def test_each_can_be_taken_once(self) -> None:
        number = os.open("/dev/null", os.O_RDONLY)
        with Descriptors([number]) as descriptors:
            self.assertEqual(descriptors.take(0), number)
            for index in (0, 1, -1):
                with self.assertRaises(ProtocolViolation):
                    descriptors.take(index)
        os.close(number)


if __name__ == "__main__":
    unittest.main()
