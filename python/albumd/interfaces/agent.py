# Made by python/generate.py of Sources/AlbumAPI/Interfaces/io.albumd.Agent.varlink. Change that, not this.
"""For agents: processes of an owner that show prompts and return answers. Only an unsandboxed process of
an owner may register."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from .. import values
from ..errors import RemoteError
from ..values import Field, Method, OpenEnum, Struct, nothing
from .authorization import AccessLevel as AccessLevel
from .library import MediaType as MediaType
from .picker import PickerFilter as PickerFilter
from .library import Subtype as Subtype

__all__ = [
    "AccessLevel",
    "Answer",
    "Decision",
    "Duration",
    "InvalidAnswer",
    "MediaType",
    "NoSuchPrompt",
    "NotAnOwner",
    "OpenReplacement",
    "OpenReplacementReply",
    "PickerFilter",
    "PreviewEncoding",
    "Prompt",
    "PromptApp",
    "PromptKind",
    "Register",
    "RegisterReply",
    "Respond",
    "RespondReply",
    "Subtype",
    "Withdrawal",
]

INTERFACE = "io.albumd.Agent"


class PromptKind(OpenEnum):
    """What a prompt is about."""

    AUTHORIZATION = "authorization"
    LIMITED_PICKER = "limitedPicker"
    PICKER = "picker"
    PHOTO_ACCESS = "photoAccess"
    DELETION = "deletion"
    REPLACEMENT = "replacement"
    REVERSION = "reversion"


class PreviewEncoding(OpenEnum):
    """What a small picture is written as: compressed, a JPEG or a WebP; pixmap, a binary PPM (ppm(5): P6,
    a byte for each colour), in which a grey of the middle is behind what shows through."""

    COMPRESSED = "compressed"
    PIXMAP = "pixmap"


class Decision(OpenEnum):
    """allow: everything that is asked for. limited: the assets and albums of the answer only. deny: no,
    and never ask again. notNow: neither; the app may ask again later."""

    ALLOW = "allow"
    LIMITED = "limited"
    DENY = "deny"
    NOT_NOW = "notNow"


class Duration(OpenEnum):
    """always: until it is changed in settings. untilExit: until the app's process ends. until: until a
    time."""

    ALWAYS = "always"
    UNTIL_EXIT = "untilExit"
    UNTIL = "until"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptApp(Struct):
    """The app that asks, as the daemon knows it."""

    id: str
    """Its id."""
    name: str
    """Its name in the agent's language."""
    icon: str | None = None
    """The name or path of its icon."""
    verified: bool
    """Whether the user who runs it could not have forged its identity. An agent says so when not."""
    user: str
    """Who runs it: the login name, or the user id where there is none."""
    evidence: str | None = None
    """What its identity was derived from, for a person to read, such as "flatpak org.example.App"."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


PromptApp.FIELDS = (
    Field("id", "id", values.text, False),
    Field("name", "name", values.text, False),
    Field("icon", "icon", values.text, True),
    Field("verified", "verified", values.boolean, False),
    Field("user", "user", values.text, False),
    Field("evidence", "evidence", values.text, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt(Struct):
    """One question to the owner."""

    id: str
    """What to answer with; known to this agent only."""
    kind: PromptKind
    """What it is about."""
    app: PromptApp
    """Who asks."""
    access_level: AccessLevel | None = None
    """The level that is asked for, in an authorization prompt."""
    usage_description: str | None = None
    """The app's own reason, in the agent's language."""
    location_usage_description: str | None = None
    """The app's own reason for learning where photos were taken, in the agent's language: absent where
    that cannot be given. Show it with a switch, off until the person sets it."""
    choices: Sequence[Decision]
    """What may be answered."""
    assets: Sequence[str] | None = None
    """The assets that it is about."""
    selection: Sequence[str] | None = None
    """What is selected for the app now; in a picker, what is picked when it opens, in this order."""
    media_types: Sequence[MediaType] | None = None
    """The kinds that may be picked, in a picker; all when absent."""
    selection_limit: int | None = None
    """The most assets that may be picked, in a picker; 0 is any number."""
    filter: PickerFilter | None = None
    """Which photos may be picked, in a picker, besides mediaTypes; all when absent. As matching of
    FetchAssets it finds them."""
    minimum: int | None = None
    """The fewest assets that may be picked, in a picker, unless the answer is not to pick; none when
    absent. An answer with fewer is refused."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Prompt.FIELDS = (
    Field("id", "id", values.text, False),
    Field("kind", "kind", PromptKind.decode, False),
    Field("app", "app", PromptApp.decode, False),
    Field("accessLevel", "access_level", AccessLevel.decode, True),
    Field("usageDescription", "usage_description", values.text, True),
    Field("locationUsageDescription", "location_usage_description", values.text, True),
    Field("choices", "choices", values.array(Decision.decode), False),
    Field("assets", "assets", values.array(values.text), True),
    Field("selection", "selection", values.array(values.text), True),
    Field("mediaTypes", "media_types", values.array(MediaType.decode), True),
    Field("selectionLimit", "selection_limit", values.integer, True),
    Field("filter", "filter", PickerFilter.decode, True),
    Field("minimum", "minimum", values.integer, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal(Struct):
    """A prompt that needs no answer any more."""

    id: str
    """The prompt's id."""
    reason: str
    """Why, for a person to read, in the language that the agent prefers."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Withdrawal.FIELDS = (
    Field("id", "id", values.text, False),
    Field("reason", "reason", values.text, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Struct):
    """The owner's answer."""

    decision: Decision
    """One of the prompt's choices."""
    assets: Sequence[str] | None = None
    """The selected assets, with limited; in a picker with allow, those that were picked, in the order of
    picking."""
    albums: Sequence[str] | None = None
    """The selected albums, with limited: what is added to them later is selected too."""
    duration: Duration | None = None
    """How long it holds; always when absent."""
    expires: datetime | None = None
    """When it ends (RFC 3339), with the duration until."""
    location: bool | None = None
    """Whether the app learns where photos were taken: with a prompt that has a locationUsageDescription,
    and an answer that gives photos. Not, when absent."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Answer.FIELDS = (
    Field("decision", "decision", Decision.decode, False),
    Field("assets", "assets", values.array(values.text), True),
    Field("albums", "albums", values.array(values.text), True),
    Field("duration", "duration", Duration.decode, True),
    Field("expires", "expires", values.instant, True),
    Field("location", "location", values.boolean, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterReply(Struct):
    """What io.albumd.Agent.Register answers."""

    prompt: Prompt | None = None
    """A question to show."""
    withdrawn: Withdrawal | None = None
    """A question to take away."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


RegisterReply.FIELDS = (
    Field("prompt", "prompt", Prompt.decode, True),
    Field("withdrawn", "withdrawn", Withdrawal.decode, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Register(Method[RegisterReply]):
    """Registers this connection as an agent. The first reply is empty: the agent is registered. Then one
    reply for each prompt, one at a time, and for each prompt withdrawn. [Requires 'more' flag]"""

    name: str
    """The agent's name, for the log."""
    languages: Sequence[str] | None = None
    """The languages of its person, best first."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Register.FIELDS = (
    Field("name", "name", values.text, False),
    Field("languages", "languages", values.array(values.text), True),
)
Register.NAME = "io.albumd.Agent.Register"
Register.REPLY = RegisterReply
Register.REQUIRES_MORE = True


@dataclass(frozen=True, slots=True, kw_only=True)
class RespondReply(Struct):
    """What io.albumd.Agent.Respond answers."""

    stored: bool | None = None
    """False where the answer takes something away, counts, and is not on disk yet, which is tried again
    until it is; absent when it is on disk."""
    reason: str | None = None
    """Why it is not on disk."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


RespondReply.FIELDS = (
    Field("stored", "stored", values.boolean, True),
    Field("reason", "reason", values.text, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Respond(Method[RespondReply]):
    """Answers a prompt: on a second connection of the user whose agent was shown it, since the first one
    is busy with the stream."""

    prompt: str
    """The prompt's id."""
    answer: Answer
    """The owner's answer."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Respond.FIELDS = (
    Field("prompt", "prompt", values.text, False),
    Field("answer", "answer", Answer.decode, False),
)
Respond.NAME = "io.albumd.Agent.Respond"
Respond.REPLY = RespondReply


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenReplacementReply(Struct):
    """What io.albumd.Agent.OpenReplacement answers."""

    file_descriptor: int
    """The index of a read-only descriptor."""
    media_type: str
    """image/jpeg, or image/webp where something shows through; of a pixmap image/x-portable-pixmap."""
    pixel_width: int
    """How wide it is."""
    pixel_height: int
    """How high it is."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


OpenReplacementReply.FIELDS = (
    Field("fileDescriptor", "file_descriptor", values.integer, False),
    Field("mediaType", "media_type", values.text, False),
    Field("pixelWidth", "pixel_width", values.integer, False),
    Field("pixelHeight", "pixel_height", values.integer, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenReplacement(Method[OpenReplacementReply]):
    """Opens a small picture of what would take a photo's place, while a prompt of the kind replacement is
    open. What was opened is what is written when the owner agrees, whatever becomes of the app's file.
    Fails with io.albumd.Library.PreviewUnavailable, also of a file of more than 64 MiB."""

    prompt: str
    """The prompt's id."""
    pixels: int
    """The most pixels of its longer side, 16 to 4096."""
    encoding: PreviewEncoding | None = None
    """What it is written as; absent: compressed. A pixmap has at most 512 pixels of its longer side."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


OpenReplacement.FIELDS = (
    Field("prompt", "prompt", values.text, False),
    Field("pixels", "pixels", values.integer, False),
    Field("encoding", "encoding", PreviewEncoding.decode, True),
)
OpenReplacement.NAME = "io.albumd.Agent.OpenReplacement"
OpenReplacement.REPLY = OpenReplacementReply


class NotAnOwner(RemoteError):
    """The caller is not an owner of this library, or is an app."""

    NAME = "io.albumd.Agent.NotAnOwner"
    FIELDS = (
        Field("message", "message", values.text, True),
    )

    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class NoSuchPrompt(RemoteError):
    """There is no such prompt for this agent: it was answered or withdrawn."""

    NAME = "io.albumd.Agent.NoSuchPrompt"
    FIELDS = (
        Field("id", "id", values.text, False),
        Field("message", "message", values.text, True),
    )

    id: str
    """The id."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class InvalidAnswer(RemoteError):
    """The answer does not fit the prompt, which stays open."""

    NAME = "io.albumd.Agent.InvalidAnswer"
    FIELDS = (
        Field("reason", "reason", values.text, False),
        Field("message", "message", values.text, True),
    )

    reason: str
    """What does not fit."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""
