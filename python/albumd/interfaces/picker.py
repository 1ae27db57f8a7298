# Made by python/generate.py of Sources/AlbumAPI/Interfaces/io.albumd.Picker.varlink. Change that, not this.
"""For apps that need a few photos and no access: the owner picks, the app gets open files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import values
from ..values import Field, Method, Struct, nothing
from .library import MediaType as MediaType
from .library import Subtype as Subtype

__all__ = [
    "MediaType",
    "Pick",
    "PickReply",
    "PickedItem",
    "PickedSidecar",
    "PickerFilter",
    "Subtype",
]

INTERFACE = "io.albumd.Picker"


@dataclass(frozen=True, slots=True, kw_only=True)
class PickerFilter(Struct):
    """Which photos a picker shows: a condition, each field of which holds, and which may be made of
    others. At most 8 lie inside of one another, and 64 are in one. It says nothing that an open file
    would not tell."""

    all: Sequence[PickerFilter] | None = None
    """All of these hold. Of nothing that is so."""
    any: Sequence[PickerFilter] | None = None
    """At least one of these holds. Of nothing that is not so."""
    none: Sequence[PickerFilter] | None = None
    """None of these holds. Of nothing that is so."""
    media_types: Sequence[MediaType] | None = None
    """It is of one of these kinds."""
    subtypes: Sequence[Subtype] | None = None
    """It is any of these."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


PickerFilter.FIELDS = (
    Field("all", "all", values.array(PickerFilter.decode), True),
    Field("any", "any", values.array(PickerFilter.decode), True),
    Field("none", "none", values.array(PickerFilter.decode), True),
    Field("mediaTypes", "media_types", values.array(MediaType.decode), True),
    Field("subtypes", "subtypes", values.array(Subtype.decode), True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PickedSidecar(Struct):
    """What another program keeps beside a photo that the owner picked."""

    file_descriptor: int
    """The index of the descriptor among those sent with this reply: open for reading."""
    sidecar_extension: str
    """What follows the photo's name without its extension, and a dot, in its own: xmp, or jpg.xmp."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


PickedSidecar.FIELDS = (
    Field("fileDescriptor", "file_descriptor", values.integer, False),
    Field("sidecarExtension", "sidecar_extension", values.text, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PickedItem(Struct):
    """One asset that the owner picked."""

    id: str | None = None
    """Its id, where the app's own authorization lets it see the asset; absent elsewhere."""
    filename: str
    """The file's name."""
    percent_encoded_filename: str | None = None
    """The same name without loss, percent-encoded, when it is not UTF-8."""
    media_type: MediaType
    """What kind of asset it is."""
    file_descriptor: int | None = None
    """The index of the descriptor among those sent with this reply: open for reading, and the very file
    that was picked. Absent when it is not accessible."""
    paired_video_file_descriptor: int | None = None
    """Of a live photo, the index of its paired video's descriptor. Absent when that cannot be read, or no
    room is left for it: a message carries 253 descriptors, and the photos go before."""
    paired_video_extension: str | None = None
    """The extension of the paired video's file, such as MOV. The rest of its name is the photo's."""
    sidecars: Sequence[PickedSidecar] | None = None
    """Its sidecars, in the order of their names, where the call asks for them. Without those that cannot
    be read, that cannot be had without the place where it was taken, and for which no room is left."""
    accessible: bool
    """Whether the app gets it. Not when the owner refused it (requestAccess), nor when its file cannot be
    read at present."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


PickedItem.FIELDS = (
    Field("id", "id", values.text, True),
    Field("filename", "filename", values.text, False),
    Field("percentEncodedFilename", "percent_encoded_filename", values.text, True),
    Field("mediaType", "media_type", MediaType.decode, False),
    Field("fileDescriptor", "file_descriptor", values.integer, True),
    Field("pairedVideoFileDescriptor", "paired_video_file_descriptor", values.integer, True),
    Field("pairedVideoExtension", "paired_video_extension", values.text, True),
    Field("sidecars", "sidecars", values.array(PickedSidecar.decode), True),
    Field("accessible", "accessible", values.boolean, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PickReply(Struct):
    """What io.albumd.Picker.Pick answers."""

    items: Sequence[PickedItem]
    """What was picked, or the next of it."""
    inaccessible_count: int
    """How many are not accessible, of all that came so far."""
    message: str | None = None
    """What to tell the person when that is not 0, in the last reply."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


PickReply.FIELDS = (
    Field("items", "items", values.array(PickedItem.decode), False),
    Field("inaccessibleCount", "inaccessible_count", values.integer, False),
    Field("message", "message", values.text, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick(Method[PickReply]):
    """Shows the owner the whole library to pick from, and answers when they have picked, in the order in
    which they picked; no items when they did not want to. With "more" it answers in as many replies as
    what was picked needs, each with its own descriptors: without "continues" in the last. It needs no
    authorization, whatever the app's status, and gives none: the descriptors are all that the app
    gets. Fails with io.albumd.Authorization.NoAgent when no agent of an owner is there, with
    io.albumd.Authorization.Busy while another prompt of the app is open, and with
    io.albumd.Authorization.Throttled for a while after three that the owner put off. [Supports 'more'
    flag]"""

    media_types: Sequence[MediaType] | None = None
    """The kinds that may be picked; all when absent. At least one."""
    selection_limit: int | None = None
    """The most that may be picked; 0, or absent, is any number. Without "more" it is never more than one
    reply carries, which is 253."""
    request_access: bool | None = None
    """Asks the owner as well, for what was picked outside of what the app may see, whether it may access
    it. What is allowed joins the selection of a limited app that has a usage description; the rest
    comes without a descriptor."""
    language: str | None = None
    """The language of the message, such as en or zh-Hans."""
    sidecars: bool | None = None
    """Hands over the sidecars of what is picked as well. They count among what one reply carries."""
    filter: PickerFilter | None = None
    """Only photos for which this holds may be picked: with mediaTypes, both."""
    preselected: Sequence[str] | None = None
    """Is picked when the picker opens, in this order, and can be taken away: ids of at most 1000 assets.
    Those that the app does not see, or that could not be picked, are left out as if there were none,
    and so are those over the selectionLimit."""
    minimum: int | None = None
    """So many are picked at least, or none: up to the selectionLimit, and 10000. 0, or absent, asks for no
    number."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Pick.FIELDS = (
    Field("mediaTypes", "media_types", values.array(MediaType.decode), True),
    Field("selectionLimit", "selection_limit", values.integer, True),
    Field("requestAccess", "request_access", values.boolean, True),
    Field("language", "language", values.text, True),
    Field("sidecars", "sidecars", values.boolean, True),
    Field("filter", "filter", PickerFilter.decode, True),
    Field("preselected", "preselected", values.array(values.text), True),
    Field("minimum", "minimum", values.integer, True),
)
Pick.NAME = "io.albumd.Picker.Pick"
Pick.REPLY = PickReply
Pick.SUPPORTS_MORE = True
