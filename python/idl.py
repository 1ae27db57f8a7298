"""Reads Varlink interface definitions (https://varlink.org/Interface-Definition), exactly: what the grammar does not
allow is an `IdlError` that names the line."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MAXIMUM_DEPTH = 64
_SPACE = re.compile(r"[ \t\r]+")
_WORD = re.compile(r"[A-Za-z0-9_]+")
_INTERFACE = re.compile(r"[A-Za-z](?:-*[A-Za-z0-9])*(?:\.[A-Za-z0-9](?:-*[A-Za-z0-9])*)+(?![A-Za-z0-9_.-])")
_MEMBER = re.compile(r"[A-Z][A-Za-z0-9]*\Z")
_FIELD = re.compile(r"[A-Za-z](?:_?[A-Za-z0-9])*\Z")
PRIMITIVES = ("bool", "int", "float", "string", "object", "any")


class IdlError(Exception):
    """A definition that does not follow the grammar, and where."""


@dataclass(frozen=True)
class Named:
    """A primitive type, or one that the interface defines."""

    name: str


@dataclass(frozen=True)
class Optional:
    """`?type`."""

    of: Type


@dataclass(frozen=True)
class Array:
    """`[]type`."""

    of: Type


@dataclass(frozen=True)
class Map:
    """`[string]type`."""

    of: Type


@dataclass(frozen=True)
class Enumeration:
    """`(one, two)`."""

    values: tuple[str, ...]


@dataclass(frozen=True)
class Member:
    """A field of a structure, with its comment."""

    name: str
    type: Type
    comment: str


@dataclass(frozen=True)
class Structure:
    """`(name: type, …)`."""

    fields: tuple[Member, ...]


Type = Named | Optional | Array | Map | Enumeration | Structure


@dataclass(frozen=True)
class MethodDefinition:
    """`method Name(…) -> (…)`."""

    comment: str
    parameters: Structure
    reply: Structure


@dataclass
class Interface:
    """A whole definition. Members are in the order of the text."""

    name: str
    comment: str
    types: dict[str, tuple[str, Structure | Enumeration]] = field(default_factory=dict)
    methods: dict[str, MethodDefinition] = field(default_factory=dict)
    errors: dict[str, tuple[str, Structure]] = field(default_factory=dict)


def parse(text: str) -> Interface:
    """Reads a definition; `IdlError` where it is none."""
    return _Parser(text).interface()


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.offset = 0
        self.comment: list[str] = []
        self.is_skipped = False

    def error(self, reason: str) -> IdlError:
        return IdlError(f"line {self.text.count(chr(10), 0, self.offset) + 1}: {reason}")

    # Tokens

    def skip(self) -> None:
        """Space and comments; those on lines of their own just above the next token are its comment."""
        if self.is_skipped:
            return
        lines: list[str] = []
        starts_line = self.offset == 0
        while self.offset < len(self.text):
            character = self.text[self.offset]
            if character == "\n":
                self.offset += 1
                if starts_line:
                    lines = []
                starts_line = True
            elif found := _SPACE.match(self.text, self.offset):
                self.offset = found.end()
            elif character == "#":
                end = self.text.find("\n", self.offset)
                end = len(self.text) if end < 0 else end
                if starts_line:
                    lines.append(self.text[self.offset + 1 : end].strip())
                self.offset = min(end + 1, len(self.text))
                starts_line = True
            else:
                break
        self.comment = lines
        self.is_skipped = True

    def said(self) -> str:
        return "\n".join(self.comment)

    def advance(self, offset: int) -> None:
        self.offset = offset
        self.is_skipped = False

    def take(self, token: str) -> bool:
        self.skip()
        if not self.text.startswith(token, self.offset):
            return False
        self.advance(self.offset + len(token))
        return True

    def expect(self, token: str) -> None:
        if not self.take(token):
            raise self.error(f'"{token}" should be here')

    def word(self) -> str:
        self.skip()
        found = _WORD.match(self.text, self.offset)
        if found is None:
            raise self.error("a name should be here")
        self.advance(found.end())
        return found[0]

    # Grammar

    def interface(self) -> Interface:
        if self.word() != "interface":
            raise self.error('a definition begins with "interface"')
        comment = self.said()
        self.skip()
        found = _INTERFACE.match(self.text, self.offset)
        if found is None:
            raise self.error("the name of an interface should be here")
        self.advance(found.end())
        interface = Interface(found[0], comment)
        while True:
            self.skip()
            if self.offset == len(self.text):
                break
            self.member(interface)
        self.check_references(interface)
        return interface

    def member(self, interface: Interface) -> None:
        keyword = self.word()
        comment = self.said()
        name = self.word()
        if not _MEMBER.match(name):
            raise self.error(f'"{name}" should begin with a capital letter and hold letters and digits only')
        if name in interface.types or name in interface.methods or name in interface.errors:
            raise self.error(f'"{name}" is defined twice')
        if keyword == "type":
            interface.types[name] = comment, self.structure(0)
        elif keyword == "error":
            interface.errors[name] = comment, self.fields()
        elif keyword == "method":
            parameters = self.fields()
            self.expect("->")
            interface.methods[name] = MethodDefinition(comment, parameters, self.fields())
        else:
            raise self.error(f'"type", "method" or "error" should be here, not "{keyword}"')

    def fields(self) -> Structure:
        structure = self.structure(0)
        if isinstance(structure, Enumeration):
            raise self.error("named and typed fields should be here")
        return structure

    def structure(self, depth: int) -> Structure | Enumeration:
        self.expect("(")
        if self.take(")"):
            return Structure(())
        fields: list[Member] = []
        values: list[str] = []
        while True:
            name = self.word()
            comment = self.said()
            if not _FIELD.match(name):
                raise self.error(f'"{name}" is not a field name')
            if name in values or any(known.name == name for known in fields):
                raise self.error(f'"{name}" occurs twice')
            if self.take(":"):
                fields.append(Member(name, self.type(depth + 1), comment))
            else:
                values.append(name)
            if not self.take(","):
                break
        self.expect(")")
        if fields and values:
            raise self.error("a field has no type")
        return Structure(tuple(fields)) if fields else Enumeration(tuple(values))

    def type(self, depth: int) -> Type:
        if depth > MAXIMUM_DEPTH:
            raise self.error(f"a type has more than {MAXIMUM_DEPTH} inside of one another")
        if self.take("?"):
            inner = self.type(depth + 1)
            if isinstance(inner, Optional):
                raise self.error("a type can be optional once only")
            return Optional(inner)
        if self.take("["):
            if self.take("]"):
                return Array(self.type(depth + 1))
            if self.word() != "string":
                raise self.error("a map's key is a string")
            self.expect("]")
            return Map(self.type(depth + 1))
        self.skip()
        if self.text.startswith("(", self.offset):
            return self.structure(depth)
        name = self.word()
        if name not in PRIMITIVES and not _MEMBER.match(name):
            raise self.error(f'no type is named "{name}"')
        return Named(name)

    def check_references(self, interface: Interface) -> None:
        used: list[Type] = [type for _, type in interface.types.values()]
        used += [part for method in interface.methods.values() for part in (method.parameters, method.reply)]
        used += [fields for _, fields in interface.errors.values()]
        for root in used:
            for name in references(root):
                if name not in interface.types:
                    raise IdlError(f'no type is named "{name}"')


def references(type: Type) -> list[str]:
    """The named types that one mentions."""
    if isinstance(type, Named):
        return [] if type.name in PRIMITIVES else [type.name]
    if isinstance(type, Structure):
        return [name for member in type.fields for name in references(member.type)]
    if isinstance(type, Enumeration):
        return []
    return references(type.of)
