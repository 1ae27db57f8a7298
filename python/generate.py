#!/usr/bin/env python3
"""Makes albumd/interfaces of the `.varlink` files, and albumd/blocking of albumd/aio. What it makes is in the
repository; `--check` fails where that is not what it would make now.

    python/generate.py [--check]
"""

from __future__ import annotations

import argparse
import json
import keyword
import re
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import idl

PYTHON = Path(__file__).resolve().parent
DEFINITIONS = PYTHON.parent / "Sources/AlbumAPI/Interfaces"
PACKAGE = PYTHON / "albumd"
MADE = "# Made by python/generate.py of {source}. Change that, not this.\n"
WIDTH = 110
TAKEN = {"unknown_fields", "decode", "encode", "parameters"}
PRIMITIVES = {
    "bool": ("bool", "boolean"), "int": ("int", "integer"), "float": ("float", "number"), "string": ("str", "text"),
    "object": ("Mapping[str, Any]", "mapping"), "any": ("Any", "anything"),
}


def snake(name: str) -> str:
    """`byteCount` → `byte_count`; `from` → `from_`."""
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    return f"{name}_" if keyword.iskeyword(name) or name in TAKEN else name


def module_name(interface: str) -> str:
    """`io.albumd.Library` → `library`."""
    return interface.rpartition(".")[2].lower()


def documentation(comment: str, indent: str) -> str:
    """A comment as a documentation string."""
    words = " ".join(comment.split()).replace("\\", "\\\\").replace('"' * 3, "'" * 3)
    if words.endswith('"'):
        words = words[:-1] + '\\"'
    lines = textwrap.wrap(f'"""{words}', WIDTH - len(indent) - 3, subsequent_indent=indent, break_long_words=False)
    return f"{indent}" + "\n".join(lines) + '"""\n' if words else ""


@dataclass
class Hints:
    """varlink-interfaces.json, which says what definitions cannot."""

    shared: dict[str, str]
    instants: set[str]


class Module:
    """The text of one interface's module."""

    def __init__(self, interface: idl.Interface, hints: Hints) -> None:
        self.interface = interface
        self.hints = hints
        self.body: list[str] = []
        self.exported: list[str] = []
        self.borrowed: dict[str, str] = {}

    def text(self, source: str) -> str:
        interface = self.interface
        for name in self.ordered_types():
            comment, type = interface.types[name]
            home = self.hints.shared.get(name, interface.name)
            if home != interface.name:
                self.borrowed[name] = module_name(home)
            elif isinstance(type, idl.Enumeration):
                self.enumeration(name, comment, type)
            else:
                self.structure(name, comment, type, "Struct", f"{interface.name}.{name}", [])
        for name, method in interface.methods.items():
            self.method(name, method)
        for name, (comment, fields) in interface.errors.items():
            self.error(name, comment, fields)
        imports = "".join(
            f"from .{module} import {name} as {name}\n" for name, module in sorted(self.borrowed.items())
        )
        exported = "".join(f'    "{name}",\n' for name in sorted(self.exported + list(self.borrowed)))
        body = "".join(self.body)

        def used(*names: str) -> str:
            return ", ".join(name for name in names if re.search(rf"\b{name}\b", body))

        return (
            MADE.format(source=source) + documentation(interface.comment, "") + "\n"
            f"from __future__ import annotations\n\nfrom collections.abc import {used('Mapping', 'Sequence')}\n"
            "from dataclasses import dataclass, field\n"
            + ("from datetime import datetime\n" if used("datetime") else "")
            + "from typing import Any\n\nfrom .. import values\n"
            + ("from ..errors import RemoteError\n" if used("RemoteError") else "")
            + f"from ..values import {used('Field', 'Method', 'OpenEnum', 'Struct', 'nothing')}\n"
            f"{imports}\n__all__ = [\n{exported}]\n\nINTERFACE = \"{interface.name}\"\n{body}"
        )

    def ordered_types(self) -> list[str]:
        """Each after those that it is made of, but for itself: what reads it is made when it is there."""
        ordered: list[str] = []

        def add(name: str, inside: tuple[str, ...]) -> None:
            if name in inside:
                raise SystemExit(f"{self.interface.name}: {name} holds itself")
            for other in idl.references(self.interface.types[name][1]):
                if other != name:
                    add(other, (*inside, name))
            if name not in ordered:
                ordered.append(name)

        for name in self.interface.types:
            add(name, ())
        return ordered

    def named(self, name: str) -> str:
        if name in self.exported:
            raise SystemExit(f"{self.interface.name}: two things are called {name} in Python")
        self.exported.append(name)
        return name

    def enumeration(self, name: str, comment: str, type: idl.Enumeration) -> None:
        members = "".join(f'    {snake(value).upper().rstrip("_")} = "{value}"\n' for value in type.values)
        self.body.append(f"\n\nclass {self.named(name)}(OpenEnum):\n{documentation(comment, '    ')}\n{members}")

    def structure(
        self, name: str, comment: str, type: idl.Structure, base: str, place: str, constants: list[str]
    ) -> None:
        fields, table = self.fields(name, type, place)
        self.body.append(
            f"\n\n@dataclass(frozen=True, slots=True, kw_only=True)\nclass {self.named(name)}({base}):\n"
            f"{documentation(comment, '    ')}\n"
            f"{fields}    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)\n"
            f'    """What another version says besides."""\n'
            f"\n\n{name}.FIELDS = {table}\n" + "".join(f"{name}.{line}\n" for line in constants)
        )

    def fields(self, owner: str, type: idl.Structure, place: str, *, defaults: bool = True) -> tuple[str, str]:
        """The declarations, and the table for reading."""
        declarations = ""
        table = ""
        for member in type.fields:
            is_optional = isinstance(member.type, idl.Optional)
            inner = member.type.of if isinstance(member.type, idl.Optional) else member.type
            annotation, decode = self.type(inner, owner, member.name, f"{place}.{member.name}")
            if is_optional:
                annotation += " | None" + (" = None" if defaults else "")
            name = snake(member.name)
            declarations += f"    {name}: {annotation}\n{documentation(member.comment, '    ')}"
            table += f'    Field("{member.name}", "{name}", {decode}, {is_optional}),\n'
        return declarations, f"(\n{table})" if table else "()"

    def type(self, type: idl.Type, owner: str, member: str, place: str) -> tuple[str, str]:
        """Its annotation, and what reads it."""
        if isinstance(type, idl.Named):
            if type.name == "string" and place in self.hints.instants:
                self.hints.instants.discard(place)
                return "datetime", "values.instant"
            if type.name in PRIMITIVES:
                annotation, decode = PRIMITIVES[type.name]
                return annotation, f"values.{decode}"
            return type.name, f"{type.name}.decode"
        if isinstance(type, idl.Array):
            annotation, decode = self.type(type.of, owner, member, place)
            return f"Sequence[{annotation}]", f"values.array({decode})"
        if isinstance(type, idl.Map):
            annotation, decode = self.type(type.of, owner, member, place)
            return f"Mapping[str, {annotation}]", f"values.dictionary({decode})"
        # A type without a name has that of its field.
        name = owner + member[0].upper() + member[1:]
        comment = f"See `{snake(member)}` of {owner}."
        if isinstance(type, idl.Enumeration):
            self.enumeration(name, comment, type)
        elif isinstance(type, idl.Structure):
            self.structure(name, comment, type, "Struct", place, [])
        else:
            raise SystemExit(f"{place}: a type is optional within another")
        return name, f"{name}.decode"

    def method(self, name: str, method: idl.MethodDefinition) -> None:
        full = f"{self.interface.name}.{name}"
        self.structure(f"{name}Reply", f"What {full} answers.", method.reply, "Struct", f"{full}.Reply", [])
        constants = [f'NAME = "{full}"', f"REPLY = {name}Reply"]
        for word in ("Requires", "Supports"):
            if f"[{word} 'more' flag]" in method.comment:
                constants.append(f"{word.upper()}_MORE = True")
        self.structure(
            name, method.comment, method.parameters, f"Method[{name}Reply]", f"{full}.Parameters", constants)

    def error(self, name: str, comment: str, type: idl.Structure) -> None:
        full = f"{self.interface.name}.{name}"
        fields, table = self.fields(name, type, full, defaults=False)
        between = "\n" if fields else ""
        self.body.append(
            f"\n\nclass {self.named(name)}(RemoteError):\n{documentation(comment, '    ')}\n"
            f'    NAME = "{full}"\n    FIELDS = {table.replace(chr(10), chr(10) + "    ")}\n{between}{fields}')


def interfaces() -> dict[Path, str]:
    """The modules of all interfaces."""
    said = json.loads((DEFINITIONS / "varlink-interfaces.json").read_text())
    hints = Hints(said["shared"], set(said["types"]["Instant"]))
    made = {}
    modules = []
    for file in sorted(DEFINITIONS.glob("*.varlink")):
        interface = idl.parse(file.read_text())
        if f"{interface.name}.varlink" != file.name:
            raise SystemExit(f"{file.name} defines {interface.name}")
        modules.append(module_name(interface.name))
        path = PACKAGE / "interfaces" / f"{modules[-1]}.py"
        made[path] = Module(interface, hints).text(f"Sources/AlbumAPI/Interfaces/{file.name}")
    if hints.instants:
        raise SystemExit(f"varlink-interfaces.json: no such places: {', '.join(sorted(hints.instants))}")
    made[PACKAGE / "interfaces/__init__.py"] = (
        MADE.format(source="Sources/AlbumAPI/Interfaces")
        + '"""The daemon\'s interfaces, each a module: a class for every type, method, reply and error."""\n\n'
        + "".join(f"from . import {module} as {module}\n" for module in modules)
    )
    return made


# What waits in albumd/aio, and what it is in albumd/blocking.
WORDS = {
    "async def": "def", "async with": "with", "async for": "for", "await ": "", "__aenter__": "__enter__",
    "__aexit__": "__exit__", "__aiter__": "__iter__", "__anext__": "__next__", "AsyncIterator": "Iterator",
    "AsyncIterable": "Iterable", "StopAsyncIteration": "StopIteration", "aclose": "close", "anext": "next",
    "albumd.aio": "albumd",
}
BY_HAND = {"__init__.py", "connection.py", "waiting.py"}


def blocking() -> dict[Path, str]:
    """What waits, without waiting."""
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(word)}" for word in WORDS))
    made = {}
    for file in sorted((PACKAGE / "aio").glob("*.py")):
        if file.name in BY_HAND:
            continue
        text = pattern.sub(lambda found: WORDS[found[0]], file.read_text())
        # What a blocking caller gives may wait itself: `Awaitable[T]` is `T`.
        text = re.sub(r"Awaitable\[((?:[^\[\]]|\[[^\[\]]*\])*)\]", r"\1", text)
        text = re.sub(r"^from .*\bAwaitable\b", lambda line: line[0].replace("Awaitable, ", ""), text, flags=re.M)
        text = text.replace("import Awaitable, ", "import ")
        made[PACKAGE / "blocking" / file.name] = MADE.format(source=f"python/albumd/aio/{file.name}") + text
    return made


def version() -> dict[Path, str]:
    """Which version of albumd the package is of."""
    source = "Sources/AlbumAPI/ProductVersion.swift"
    found = re.search(r'current = "([^"]+)"', (PYTHON.parent / source).read_text())
    if found is None:
        raise SystemExit(f"{source} names no version")
    text = f'"""The version of albumd that this is part of."""\n\nVERSION = "{found[1]}"\n'
    return {PACKAGE / "version.py": MADE.format(source=source) + text}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where something would be written")
    check = parser.parse_args().check
    made = interfaces() | blocking() | version()
    present = {file for folder in ("interfaces", "blocking") for file in (PACKAGE / folder).glob("*.py")}
    stale = [file for file in present - set(made) if file.name not in BY_HAND]
    stale += [path for path, text in made.items() if not path.exists() or path.read_text() != text]
    for path in sorted(stale):
        if check:
            print(f"{path.relative_to(PYTHON)} is stale: python/generate.py makes it anew", file=sys.stderr)
        elif path in made:
            path.parent.mkdir(exist_ok=True)
            path.write_text(made[path])
        else:
            path.unlink()
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
