"""The interfaces' definitions, and what is made of them."""

import re
import subprocess
import sys
import unittest

import support
import idl


class Definitions(unittest.TestCase):
    def parse(self, members: str) -> idl.Interface:
        return idl.parse(f"# What for.\ninterface org.example.test\n{members}")

    def test_every_definition_of_the_daemon_is_read(self) -> None:
        for file in (support.REPOSITORY / "Sources/AlbumAPI/Interfaces").glob("*.varlink"):
            self.assertEqual(idl.parse(file.read_text()).name + ".varlink", file.name)

    def test_everything_that_the_grammar_has(self) -> None:
        interface = self.parse(
            "# A kind,\n# in two lines.\ntype Kind (one, two)\n\n# Not its comment.\n\n"
            "type Thing (\n  # Its name.\n  name: ?string, # not of the next\n  all: [][string]?Kind, any: any\n)\n"
            "method Do(thing: Thing, inner: (deep: bool)) -> ()\nerror Bad (at: int)")
        self.assertEqual(interface.comment, "What for.")
        self.assertEqual(interface.types["Kind"], ("A kind,\nin two lines.", idl.Enumeration(("one", "two"))))
        comment, thing = interface.types["Thing"]
        assert isinstance(thing, idl.Structure)
        self.assertEqual(comment, "")
        self.assertEqual([field.comment for field in thing.fields], ["Its name.", "", ""])
        self.assertEqual(thing.fields[1].type, idl.Array(idl.Map(idl.Optional(idl.Named("Kind")))))
        self.assertEqual(interface.methods["Do"].reply, idl.Structure(()))
        self.assertEqual(list(interface.errors), ["Bad"])

    def test_what_the_grammar_does_not_have_is_an_error_with_its_line(self) -> None:
        for text, said in {
            "type thing ()": "capital", "type A (a: string b: int)": '")"', "type A (a: ??int)": "once",
            "type A (a: B)": 'named "B"', "type A ()\nerror A ()": "twice", "type A (a, b: int)": "no type",
            "type A (a_: int)": "field name", "type A (a: [int]int)": "key", "method A() ()": '"->"',
            "method A(one, two) -> ()": "typed", "thing A ()": "not", "type A (a: int, a: int)": "twice",
            "type A (" + "a: (" * 90: "inside",
        }.items():
            with self.assertRaisesRegex(idl.IdlError, f"(line [34]: )?.*{re.escape(said)}", msg=text):
                self.parse(text)
        for name in ("test", "org..test", "1.a", "org.example.-a", "org.example_a"):
            with self.assertRaises(idl.IdlError, msg=name):
                idl.parse(f"interface {name}\n")

    def test_what_is_made_is_not_stale(self) -> None:
        done = subprocess.run(
            [sys.executable, support.REPOSITORY / "python/generate.py", "--check"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
