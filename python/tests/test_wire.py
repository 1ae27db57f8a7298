"""The protocol without IO."""

import json
import os
import random
import unittest
from datetime import datetime, timezone

import support
from albumd import values
from albumd.descriptors import Descriptors
from albumd.errors import InvalidParameter, ProtocolViolation, RemoteError, remote_error
from albumd.interfaces import authorization, library
from albumd.wire import ClientSession, Reply, encode_call, typed

ASSET = {
    "id": "1", "filename": "a.jpg", "albums": [], "mediaType": "image", "byteCount": 1, "resources": ["photo"],
    "created": "2020-01-02T03:04:05Z", "modified": "2020-01-02T03:04:05.123456789+01:00", "offline": False,
}


def message(**parts: object) -> bytes:
    return json.dumps(parts).encode() + b"\0"


class Session(unittest.TestCase):
    def session(self, *, more: bool = False, limit: int = 1 << 20) -> ClientSession:
        session = ClientSession(limit)
        session.call("a.b.C", {}, more=more)
        return session

    def refused(self, text: bytes, said: str, *, more: bool = False) -> None:
        session = self.session(more=more)
        session.received(text)
        with self.assertRaisesRegex(ProtocolViolation, said):
            session.next_reply()

    def test_replies_come_in_order_however_their_bytes_are_cut(self) -> None:
        text = b"".join(message(parameters={"n": n, "s": "é\0"[:1]}, continues=n < 9) for n in range(10))
        for seed in range(200):
            source = random.Random(seed)
            session = self.session(more=True)
            rest, numbers = text, []
            while rest:
                count = source.randint(1, 60)
                session.received(rest[:count])
                rest = rest[count:]
                while (reply := session.next_reply()) is not None:
                    numbers.append(reply.parameters["n"])
            self.assertEqual(numbers, list(range(10)))
            self.assertTrue(session.is_idle)

    def test_what_is_no_reply_is_a_violation(self) -> None:
        self.refused(b"\0", "no JSON")
        self.refused(b"\xff\0", "no JSON")
        self.refused(b"[]\0", "no object")
        self.refused(b"[" * 200_000 + b"\0", "no JSON")
        self.refused(b'{"parameters":{"a":NaN}}\0', "no JSON")
        self.refused(b'{"parameters":{"a":' + b"9" * 5000 + b"}}\0", "no JSON")
        self.refused(message(parameters=[]), "parameters")
        self.refused(message(error=1), "error")
        self.refused(message(continues=1), "continues")
        self.refused(message(continues=True), "more replies")
        self.refused(message(error="a.b.C", continues=True), "continues", more=True)

    def test_a_reply_to_no_call_is_one(self) -> None:
        session = ClientSession()
        session.call("a.b.C", {}, oneway=True)
        session.received(message())
        with self.assertRaisesRegex(ProtocolViolation, "no call"):
            session.next_reply()

    def test_messages_are_bounded(self) -> None:
        session = self.session(limit=1000)
        session.received(b"x" * 1000)
        with self.assertRaisesRegex(ProtocolViolation, "1000"):
            session.received(b"x")

    def test_the_bound_is_of_what_is_held_not_of_what_ever_came(self) -> None:
        session = self.session(limit=100, more=True)
        for _ in range(100):
            session.received(message(continues=True))
            self.assertIsNotNone(session.next_reply())

    def test_an_end_within_a_message_is_a_violation(self) -> None:
        session = self.session()
        session.ended()
        session.received(b'{"parameters":{')
        with self.assertRaisesRegex(ProtocolViolation, "within a message"):
            session.ended()

    def test_descriptors_are_bounded_and_closed_with_the_session(self) -> None:
        before = support.open_files()
        session = self.session()
        session.received(b"{", [os.dup(0) for _ in range(253)])
        with self.assertRaisesRegex(ProtocolViolation, "253"):
            session.received(b"}", [os.dup(0)])
        session.close()
        self.assertEqual(support.open_files(), before)

    def test_descriptors_are_of_their_message(self) -> None:
        session = self.session(more=True)
        session.received(message(continues=True) + b"{", ())
        session.received(b"}\0", [os.dup(0)])
        first, second = session.next_reply(), session.next_reply()
        assert first is not None and second is not None
        self.assertEqual((len(first.descriptors), len(second.descriptors)), (0, 1))
        second.descriptors.close()

    def test_a_call_is_written_whole(self) -> None:
        self.assertEqual(
            encode_call("a.b.C", {"é": 1}, more=True), '{"method":"a.b.C","parameters":{"é":1},"more":true}\0'.encode())
        for parameters in ({"a": "\ud800"}, {"a": float("nan")}):
            with self.assertRaises(ValueError):
                encode_call("a.b.C", parameters)


class Values(unittest.TestCase):
    def asset(self, **changed: object) -> library.Asset:
        return library.Asset.decode({**ASSET, **changed})

    def test_a_structure_is_read_and_written(self) -> None:
        asset = self.asset()
        self.assertEqual(asset.media_type, library.MediaType.IMAGE)
        self.assertEqual(asset.created, datetime(2020, 1, 2, 3, 4, 5, tzinfo=timezone.utc))
        self.assertEqual(asset.modified, datetime(2020, 1, 2, 2, 4, 5, 123456, tzinfo=timezone.utc))
        self.assertEqual(asset.encode(), {**ASSET, "modified": "2020-01-02T02:04:05.123456Z"})
        self.assertEqual(len({asset, self.asset()}), 1)

    def test_what_is_newer_is_kept(self) -> None:
        asset = self.asset(mediaType="hologram", stars=5)
        self.assertEqual(asset.media_type, "hologram")
        self.assertIsInstance(asset.media_type, library.MediaType)
        self.assertFalse(asset.media_type.is_known)
        self.assertEqual(asset.unknown_fields, {"stars": 5})
        self.assertEqual(library.Asset.decode(asset.encode()), asset)
        self.assertEqual(len(library.MediaType), 3)

    def test_null_is_absent(self) -> None:
        self.assertIsNone(self.asset(pixelWidth=None).pixel_width)
        self.assertEqual(self.asset(pixelWidth=None), self.asset())

    def test_what_does_not_fit_says_where(self) -> None:
        for changed, said in (
            ({"byteCount": "1"}, r"byteCount should be an integer of 64 bits, and is str"),
            ({"byteCount": True}, "byteCount"), ({"byteCount": 1 << 63}, "byteCount"), ({"byteCount": 1.0}, "byteCount"),
            ({"resources": ["photo", 1]}, r"resources\[1\] should be a string"), ({"id": None}, "id should be there"),
            ({"created": "yesterday"}, "created"), ({"created": "2020-13-40T00:00:00Z"}, "created"),
            ({"offline": 0}, "offline"), ({"durationSeconds": "1"}, "durationSeconds"), ({"albums": {}}, "albums"),
        ):
            with self.assertRaisesRegex(values.Mismatch, said):
                self.asset(**changed)
        reply = Reply({"assets": [ASSET, {}], "total": 1, "token": ""}, None, False, Descriptors())
        with self.assertRaisesRegex(ProtocolViolation, r"FetchAssets: assets\[1\].id should be there"):
            typed(library.FetchAssets(), reply)

    def test_times_that_datetime_does_not_have(self) -> None:
        self.assertEqual(values.instant("0000-01-01T00:00:00Z").year, 1)
        self.assertEqual(values.instant("0001-01-01T00:00:00+01:00").year, 1)
        with self.assertRaises(ValueError):
            values.write_instant(datetime(2020, 1, 1))

    def test_a_field_that_is_a_word_of_python(self) -> None:
        move = library.ItemMove.decode({"id": "1", "from": ["a"], "to": []})
        self.assertEqual(move.from_, ("a",))
        self.assertEqual(move.encode()["from"], ["a"])


class Errors(unittest.TestCase):
    def test_an_error_has_its_class_and_its_fields(self) -> None:
        error = remote_error("io.albumd.Library.NoSuchAsset", {"id": "7"})
        assert isinstance(error, library.NoSuchAsset)
        self.assertEqual(error.id, "7")
        self.assertEqual(
            str(error), "io.albumd.Library.NoSuchAsset: No asset of this id, as far as the caller may see. (id '7')")
        self.assertIsInstance(remote_error("org.varlink.service.InvalidParameter", {"parameter": "id"}), InvalidParameter)

    def test_one_that_is_unknown_is_told_as_it_came(self) -> None:
        error = remote_error("io.albumd.Library.Haunted", {"by": "ghosts"})
        assert type(error) is RemoteError
        self.assertEqual((error.name, error.parameters), ("io.albumd.Library.Haunted", {"by": "ghosts"}))

    def test_one_whose_fields_do_not_fit_is_a_violation(self) -> None:
        error = remote_error("io.albumd.Library.TooLarge", {"item": "x", "limit": 1})
        assert isinstance(error, ProtocolViolation)
        self.assertIn("item should be", str(error))

    def test_a_refusal_has_its_guide(self) -> None:
        guide = {"title": "t", "message": "m", "steps": ["s"]}
        error = remote_error(
            "io.albumd.Library.NotAuthorized", {"accessLevel": "readWrite", "status": "denied", "guide": guide})
        assert isinstance(error, library.NotAuthorized)
        self.assertEqual(error.guide, authorization.Guide(title="t", message="m", steps=("s",)))
        self.assertNotIn("steps", str(error))


if __name__ == "__main__":
    unittest.main()
