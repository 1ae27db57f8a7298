"""Small pictures without any library: of a JPEG one colour for each square of eight pixels, which is what a terminal can
show. Of such a square the average is the first number that the file has of it (ITU-T T.81, baseline), so that no more
than the lengths of all others are read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

Colour = tuple[int, int, int]
LARGEST = 4096


@dataclass
class _Component:
    horizontal: int
    vertical: int
    quantization: int
    tables: tuple[int, int] = (0, 0)
    average: dict[tuple[int, int], int] = field(default_factory=dict)


class _Bits:
    """The entropy-coded bits between two restarts."""

    def __init__(self, data: bytes) -> None:
        self._data = data.replace(b"\xff\0", b"\xff")
        self._at = 0

    def take(self, count: int) -> int:
        end = self._at + count
        if end > len(self._data) * 8:
            raise ValueError("the picture is cut off")
        part = self._data[self._at >> 3 : (end + 7) >> 3]
        self._at = end
        return int.from_bytes(part) >> (-end % 8) & ((1 << count) - 1)

    def symbol(self, codes: dict[tuple[int, int], int]) -> int:
        code = 0
        for length in range(1, 17):
            code = code << 1 | self.take(1)
            if (length, code) in codes:
                return codes[length, code]
        raise ValueError("the picture has a code that it does not explain")

    def number(self, size: int) -> int:
        """A number of so many bits; those that begin with 0 are negative."""
        value = self.take(size)
        return value if size == 0 or value >> (size - 1) else value - (1 << size) + 1


def squares(jpeg: bytes) -> list[list[Colour]]:
    """The average colours of squares of eight pixels, in rows. Raises `ValueError` for what is no baseline JPEG."""
    quantization: dict[int, int] = {}
    codes: dict[int, dict[tuple[int, int], int]] = {}
    components: dict[int, _Component] = {}
    width = height = interval = 0
    at = 2
    if jpeg[:2] != b"\xff\xd8":
        raise ValueError("this is no JPEG")
    while at + 4 <= len(jpeg):
        marker, length = jpeg[at + 1], int.from_bytes(jpeg[at + 2 : at + 4])
        part, at = jpeg[at + 4 : at + 2 + length], at + 2 + max(2, length)
        if marker == 0xDB:
            while part:
                size = 2 if part[0] >> 4 else 1
                quantization[part[0] & 15] = int.from_bytes(part[1 : 1 + size])
                part = part[1 + 64 * size :]
        elif marker == 0xC4:
            while len(part) > 16:
                codes[part[0]], used = _codes(part[1:17], part[17:])
                part = part[17 + used :]
        elif marker == 0xDD:
            interval = int.from_bytes(part[:2])
        elif marker in (0xC0, 0xC1) and len(part) >= 6:
            height, width = int.from_bytes(part[1:3]), int.from_bytes(part[3:5])
            for first in range(6, len(part) - 2, 3):
                sampling = part[first + 1]
                components[part[first]] = _Component(sampling >> 4, sampling & 15, part[first + 2])
        elif 0xC2 <= marker <= 0xCF and marker != 0xC8 and marker != 0xCC:
            raise ValueError("this kind of JPEG is not read")
        elif marker == 0xDA:
            for first in range(1, len(part) - 4, 2):
                if part[first] in components:
                    components[part[first]].tables = (part[first + 1] >> 4, 16 | part[first + 1] & 15)
            if not (0 < width <= LARGEST and 0 < height <= LARGEST) or len(components) not in (1, 3):
                raise ValueError("this kind of JPEG is not read")
            if any(not (1 <= one.horizontal <= 4 and 1 <= one.vertical <= 4) for one in components.values()):
                raise ValueError("this kind of JPEG is not read")
            if len(components) == 1:
                # Alone it has no others to be sampled like.
                components = {0: replace(one, horizontal=1, vertical=1) for one in components.values()}
            try:
                _read(jpeg[at:], width, height, interval, list(components.values()), codes, quantization)
            except KeyError:
                raise ValueError("the picture lacks a table") from None
            return _colours(width, height, list(components.values()))
    raise ValueError("the picture is cut off")


def _codes(counts: bytes, symbols: bytes) -> tuple[dict[tuple[int, int], int], int]:
    found: dict[tuple[int, int], int] = {}
    code = used = 0
    for length, count in enumerate(counts, 1):
        for symbol in symbols[used : used + count]:
            found[length, code] = symbol
            code += 1
        used += count
        code <<= 1
    return found, used


def _read(
    data: bytes, width: int, height: int, interval: int, components: list[_Component],
    codes: dict[int, dict[tuple[int, int], int]], quantization: dict[int, int],
) -> None:
    most = (max(one.horizontal for one in components), max(one.vertical for one in components))
    columns, rows = -(-width // (8 * most[0])), -(-height // (8 * most[1]))
    parts = iter(re.split(rb"\xff[\xd0-\xd7]", data))
    bits, last = _Bits(next(parts)), [0] * len(components)
    for unit in range(columns * rows):
        if interval and unit and unit % interval == 0:
            bits, last = _Bits(next(parts, b"")), [0] * len(components)
        row, column = divmod(unit, columns)
        for number, one in enumerate(components):
            for block in range(one.horizontal * one.vertical):
                down, right = divmod(block, one.horizontal)
                last[number] += bits.number(bits.symbol(codes[one.tables[0]]) & 15)
                place = column * one.horizontal + right, row * one.vertical + down
                one.average[place] = last[number] * quantization[one.quantization] // 8 + 128
                _pass_over(bits, codes[one.tables[1]])


def _pass_over(bits: _Bits, codes: dict[tuple[int, int], int]) -> None:
    """The other numbers of a square."""
    position = 1
    while position < 64:
        symbol = bits.symbol(codes)
        if symbol == 0:
            return
        bits.take(symbol & 15)
        position += (symbol >> 4) + 1


def _colours(width: int, height: int, components: list[_Component]) -> list[list[Colour]]:
    most = (max(one.horizontal for one in components), max(one.vertical for one in components))

    def value(number: int, x: int, y: int) -> int:
        one = components[number]
        return one.average[x * one.horizontal // most[0], y * one.vertical // most[1]]

    def colour(x: int, y: int) -> Colour:
        light = value(0, x, y)
        if len(components) == 1:
            return clamped(light), clamped(light), clamped(light)
        blue, red = value(1, x, y) - 128, value(2, x, y) - 128
        return (
            clamped(light + 1.402 * red), clamped(light - 0.344 * blue - 0.714 * red), clamped(light + 1.772 * blue))

    return [[colour(x, y) for x in range(-(-width // 8))] for y in range(-(-height // 8))]


def clamped(value: float) -> int:
    return max(0, min(255, round(value)))
