"""What the messages of the interfaces are made of: structures, enumerations, and how both are read and written.

What is read comes from outside: every value is checked, and a `Mismatch` says where one is not what the definition
says. What a newer daemon adds is kept, not refused: unknown fields in `unknown_fields`, unknown values of enumerations
as members of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from enum import StrEnum
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

_INSTANT = re.compile(r"(\d{4})-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)\Z")
NOTHING: Mapping[str, Any] = MappingProxyType({})


def nothing() -> Mapping[str, Any]:
    """No fields."""
    return NOTHING


class Mismatch(Exception):
    """A value that is not what its definition says."""

    def __init__(self, wanted: str, value: object) -> None:
        super().__init__(wanted)
        self.wanted = wanted
        self.found = "nothing" if value is None else type(value).__name__
        self.path = ""

    def within(self, place: str) -> Mismatch:
        """The same, seen from what the value lies in."""
        dot = "" if not self.path or self.path.startswith("[") else "."
        self.path = f"{place}{dot}{self.path}"
        return self

    def __str__(self) -> str:
        return f"{self.path or 'the message'} should be {self.wanted}, and is {self.found}"


class OpenEnum(StrEnum):
    """An enumeration that may get more values: one that is not known here is a member with its own text, which equals
    that text, and is none of the class's."""

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = member._value_ = value
        return member

    @property
    def is_known(self) -> bool:
        """Whether this version of the package knows the value."""
        return self.value in type(self)._value2member_map_

    @classmethod
    def decode(cls, value: object) -> Self:
        """Of what JSON has."""
        if type(value) is not str:
            raise Mismatch("a string", value)
        known = cls._value2member_map_.get(value)
        return known if isinstance(known, cls) else cls(value)


Decode = Callable[[Any], Any]


class Field(NamedTuple):
    """How a field of a structure is read."""

    wire: str
    name: str
    decode: Decode
    is_optional: bool


class Struct:
    """A structure of an interface; each is a dataclass that cannot be changed."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[Field, ...]] = ()

    @classmethod
    def decode(cls, value: object) -> Self:
        """Of what JSON has; `Mismatch` where it does not fit."""
        self = cls.__new__(cls)
        decode_fields(self, cls.FIELDS, value)
        return self

    def encode(self) -> dict[str, Any]:
        """For JSON: without what is None, with what was unknown."""
        return encode_fields(self, self.FIELDS)


R = TypeVar("R", bound=Struct)


class Method(Struct, Generic[R]):
    """A call: the structure of its parameters, which knows the structure of its reply."""

    __slots__ = ()
    NAME: ClassVar[str]
    REPLY: ClassVar[type[Struct]]
    REQUIRES_MORE: ClassVar[bool] = False
    SUPPORTS_MORE: ClassVar[bool] = False


def decode_fields(target: object, fields: tuple[Field, ...], value: object) -> None:
    """Sets each field of the object, and `unknown_fields`."""
    if type(value) is not dict:
        raise Mismatch("an object", value)
    put = object.__setattr__
    known = 0
    for wire, name, decode, is_optional in fields:
        item = value.get(wire)
        if item is not None:
            known += 1
            try:
                item = decode(item)
            except Mismatch as mismatch:
                raise mismatch.within(wire) from None
        elif wire in value and is_optional:
            known += 1
        elif not is_optional:
            raise Mismatch("there", None).within(wire)
        put(target, name, item)
    if known == len(value):
        put(target, "unknown_fields", NOTHING)
    else:
        names = {field.wire for field in fields}
        put(target, "unknown_fields", {name: item for name, item in value.items() if name not in names})


def encode_fields(source: object, fields: tuple[Field, ...]) -> dict[str, Any]:
    """The other way."""
    encoded: dict[str, Any] = dict(getattr(source, "unknown_fields", NOTHING))
    for field in fields:
        value = getattr(source, field.name)
        if value is not None:
            encoded[field.wire] = encode(value)
    return encoded


def encode(value: object) -> Any:
    """Any value of the interfaces, for JSON."""
    if isinstance(value, OpenEnum):
        return value.value
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, Struct):
        return value.encode()
    if isinstance(value, datetime):
        return write_instant(value)
    if isinstance(value, Mapping):
        return {str(key): encode(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [encode(item) for item in value]
    raise TypeError(f"{type(value).__name__} is no value of a message")


# What a definition calls by these names.


def boolean(value: object) -> bool:
    """`bool`."""
    if value is True or value is False:
        return bool(value)
    raise Mismatch("true or false", value)


def integer(value: object) -> int:
    """`int`: of 64 bits."""
    if type(value) is int and -(1 << 63) <= value < 1 << 63:
        return value
    raise Mismatch("an integer of 64 bits", value)


def number(value: object) -> float:
    """`float`."""
    if type(value) is float or type(value) is int and abs(value) < 1 << 1023:
        return float(value)
    raise Mismatch("a number", value)


def text(value: object) -> str:
    """`string`."""
    if type(value) is str:
        return value
    raise Mismatch("a string", value)


def anything(value: object) -> Any:
    """`any`."""
    return value


def mapping(value: object) -> Mapping[str, Any]:
    """`object`."""
    if type(value) is dict:
        return value
    raise Mismatch("an object", value)


def instant(value: object) -> datetime:
    """A string that is a time (RFC 3339). A year that `datetime` does not have is its first."""
    if type(value) is str and (found := _INSTANT.match(value)):
        if found[1] == "0000":
            return datetime.min.replace(tzinfo=timezone.utc)
        try:
            # No more digits than it knows.
            whole = value if found[2] is None else value[: found.start(2)] + found[2][:7].ljust(7, "0") + found[3]
            return datetime.fromisoformat(whole.upper()).astimezone(timezone.utc)
        except OverflowError:
            return datetime.min.replace(tzinfo=timezone.utc)
        except ValueError:
            pass
    raise Mismatch("a time (RFC 3339)", value)


def write_instant(value: datetime) -> str:
    """RFC 3339; a time without a zone is refused, since nobody knows which it is."""
    if value.tzinfo is None:
        raise ValueError("a time needs its zone: datetime.now(timezone.utc), or value.astimezone()")
    return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def array(decode: Decode) -> Decode:
    """`[]type`, as a tuple."""

    def decode_array(value: object) -> tuple[Any, ...]:
        if type(value) is not list:
            raise Mismatch("a list", value)
        index = 0
        items = []
        try:
            for index, item in enumerate(value):
                items.append(decode(item))
        except Mismatch as mismatch:
            raise mismatch.within(f"[{index}]") from None
        return tuple(items)

    return decode_array


def dictionary(decode: Decode) -> Decode:
    """`[string]type`."""

    def decode_dictionary(value: object) -> dict[str, Any]:
        if type(value) is not dict:
            raise Mismatch("an object", value)
        decoded = {}
        for key, item in value.items():
            try:
                decoded[key] = decode(item)
            except Mismatch as mismatch:
                raise mismatch.within(f"[{key!r:.40}]") from None
        return decoded

    return decode_dictionary
