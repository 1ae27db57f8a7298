"""A photo that says what a camera's does, in 300 bytes: there is no picture in it, and nobody here looks for one."""

import struct


def _directory(entries, at):
    """A directory of TIFF: (tag, type, count, bytes), and its values, where it stands at this offset."""
    rest_at = at + 2 + 12 * len(entries) + 4
    head, rest = struct.pack("<H", len(entries)), b""
    for tag, kind, count, value in entries:
        head += struct.pack("<HHI", tag, kind, count)
        if len(value) <= 4:
            head += value.ljust(4, b"\0")
        else:
            head += struct.pack("<I", rest_at + len(rest))
            rest += value + b"\0" * (len(value) % 2)
    return head + bytes(4) + rest


def _text(tag, text):
    value = text.encode() + b"\0"
    return tag, 2, len(value), value


def _ratios(tag, *values):
    return tag, 5, len(values), b"".join(struct.pack("<II", round(value * 1000), 1000) for value in values)


def _exif(number):
    taken = f"2026:{number // 28 % 12 + 1:02}:{number % 28 + 1:02} 12:{number // 60 % 60:02}:{number % 60:02}"
    times = [_text(0x9003, taken), _text(0x9011, "+02:00"), _text(0x9291, "250")]
    place = [_text(1, "S"), _ratios(2, 33, 51, number % 60), _text(3, "E"), _ratios(4, 151, 12, 40), (5, 1, 1, b"\0"), _ratios(6, 58)]
    at = 8 + 2 + 12 * 3 + 4
    details = _directory(times, at)
    location = _directory(place, at + len(details))
    first = [(0x0112, 3, 1, struct.pack("<H", 6)), (0x8769, 4, 1, struct.pack("<I", at)),
             (0x8825, 4, 1, struct.pack("<I", at + len(details)))]
    return b"II*\0" + struct.pack("<I", 8) + _directory(first, 8) + details + location


def _segment(marker, content):
    return struct.pack(">HH", 0xff00 | marker, 2 + len(content)) + content


def jpeg(number):
    """A JPEG of twelve million pixels, with when, where and which way up it was taken."""
    frame = struct.pack(">BHHB", 8, 3000, 4000, 1) + b"\x01\x11\0"
    return (b"\xff\xd8" + _segment(0xe1, b"Exif\0\0" + _exif(number)) + _segment(0xc0, frame)
            + _segment(0xda, b"\x01\x01\0\0\x3f\0") + b"\0\xff\xd9")
