# Made by python/generate.py of Sources/AlbumAPI/Interfaces/io.albumd.Authorization.varlink. Change that, not this.
"""What a peer may do with the photo library. Every peer may call this interface, about itself only: who it
is is what the daemon finds out, never what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from .. import values
from ..errors import RemoteError
from ..values import Field, Method, OpenEnum, Struct, nothing

__all__ = [
    "AccessLevel",
    "AuthorizationStatus",
    "Busy",
    "GetStatus",
    "GetStatusReply",
    "Guide",
    "Identity",
    "Monitor",
    "MonitorReply",
    "NoAgent",
    "PresentLimitedPicker",
    "PresentLimitedPickerReply",
    "Request",
    "RequestReply",
    "SetLanguage",
    "SetLanguageReply",
    "Throttled",
    "UnidentifiedPeer",
    "UsageDescriptionMissing",
    "WhoAmI",
    "WhoAmIReply",
]

INTERFACE = "io.albumd.Authorization"


class AccessLevel(OpenEnum):
    """addOnly: may add assets, never read. readWrite: may read, and add."""

    ADD_ONLY = "addOnly"
    READ_WRITE = "readWrite"


class AuthorizationStatus(OpenEnum):
    """notDetermined: nobody was asked yet. restricted: the administrator's policy forbids it, and nothing
    in settings can change that. denied: the owner refused. authorized: granted. limited: granted for a
    selection of assets and albums."""

    NOT_DETERMINED = "notDetermined"
    RESTRICTED = "restricted"
    DENIED = "denied"
    AUTHORIZED = "authorized"
    LIMITED = "limited"


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity(Struct):
    """How the daemon sees a peer."""

    app_id: str
    """The app's id: the name of its manifest, else what the evidence gives."""
    uid: int
    """The user id of the process."""
    evidence: str
    """What the id was derived from, for a person to read, such as "flatpak org.example.App"."""
    verified: bool
    """Whether the peer's own user could not have forged the evidence."""
    manifest: str | None = None
    """The manifest that binds the evidence to the id; absent when there is none, and then nothing can be
    granted by a prompt."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Identity.FIELDS = (
    Field("appId", "app_id", values.text, False),
    Field("uid", "uid", values.integer, False),
    Field("evidence", "evidence", values.text, False),
    Field("verified", "verified", values.boolean, False),
    Field("manifest", "manifest", values.text, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide(Struct):
    """What to show a person whose app was refused. Show it once and let them cancel."""

    title: str
    """A headline."""
    message: str
    """What is the matter, in one or two sentences."""
    steps: Sequence[str]
    """What to do, in order. Empty when nothing can be done."""
    settings_command: str | None = None
    """The command that opens the settings: the app's, or those of the desktop's background after saving a
    wallpaper. Absent when no setting helps."""
    settings_address: str | None = None
    """The address of a page with the settings, where one runs: https, or albumd:settings/APP, which xdg-
    open takes."""
    later: str | None = None
    """What the button says that closes the guide without doing anything."""
    heading: str | None = None
    """What stands above the steps; absent when there are none."""
    open_settings: str | None = None
    """What the button says that leads to the settings; absent when no setting helps."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Guide.FIELDS = (
    Field("title", "title", values.text, False),
    Field("message", "message", values.text, False),
    Field("steps", "steps", values.array(values.text), False),
    Field("settingsCommand", "settings_command", values.text, True),
    Field("settingsAddress", "settings_address", values.text, True),
    Field("later", "later", values.text, True),
    Field("heading", "heading", values.text, True),
    Field("openSettings", "open_settings", values.text, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WhoAmIReply(Struct):
    """What io.albumd.Authorization.WhoAmI answers."""

    identity: Identity
    """The caller's identity."""
    settings_address: str | None = None
    """Where its person changes what it may do, as in a guide: absent where no such page runs."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


WhoAmIReply.FIELDS = (
    Field("identity", "identity", Identity.decode, False),
    Field("settingsAddress", "settings_address", values.text, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WhoAmI(Method[WhoAmIReply]):
    """Who the caller is."""

    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


WhoAmI.FIELDS = ()
WhoAmI.NAME = "io.albumd.Authorization.WhoAmI"
WhoAmI.REPLY = WhoAmIReply


@dataclass(frozen=True, slots=True, kw_only=True)
class GetStatusReply(Struct):
    """What io.albumd.Authorization.GetStatus answers."""

    status: AuthorizationStatus
    """The status now."""
    expires: datetime | None = None
    """When the grant ends (RFC 3339, UTC), if it does."""
    selection_count: int | None = None
    """How many assets and albums are selected that are there and not hidden from the caller, when limited."""
    location: bool | None = None
    """Whether access includes where photos were taken. Without it their files come without that. For
    readWrite, when it is authorized or limited."""
    guide: Guide | None = None
    """What to show where a call was refused that names no language: when a language is named here, and the
    status is neither authorized nor limited."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


GetStatusReply.FIELDS = (
    Field("status", "status", AuthorizationStatus.decode, False),
    Field("expires", "expires", values.instant, True),
    Field("selectionCount", "selection_count", values.integer, True),
    Field("location", "location", values.boolean, True),
    Field("guide", "guide", Guide.decode, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GetStatus(Method[GetStatusReply]):
    """The caller's status. Never prompts, never waits."""

    access_level: AccessLevel
    """The level asked about."""
    language: str | None = None
    """The language for a guide, such as "en" or "zh-Hans"; without one there is none."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


GetStatus.FIELDS = (
    Field("accessLevel", "access_level", AccessLevel.decode, False),
    Field("language", "language", values.text, True),
)
GetStatus.NAME = "io.albumd.Authorization.GetStatus"
GetStatus.REPLY = GetStatusReply


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestReply(Struct):
    """What io.albumd.Authorization.Request answers."""

    status: AuthorizationStatus
    """The status now. notDetermined: the owner put the answer off."""
    guide: Guide | None = None
    """What to show, when the status is denied or restricted."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


RequestReply.FIELDS = (
    Field("status", "status", AuthorizationStatus.decode, False),
    Field("guide", "guide", Guide.decode, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request(Method[RequestReply]):
    """Asks the owner for access, if nobody was asked before; else answers at once with the status."""

    access_level: AccessLevel
    """The level wanted."""
    wait_for_agent: bool | None = None
    """Wait for an agent to appear rather than fail with NoAgent."""
    language: str | None = None
    """The language for the guide, such as "en" or "zh-Hans"."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Request.FIELDS = (
    Field("accessLevel", "access_level", AccessLevel.decode, False),
    Field("waitForAgent", "wait_for_agent", values.boolean, True),
    Field("language", "language", values.text, True),
)
Request.NAME = "io.albumd.Authorization.Request"
Request.REPLY = RequestReply


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorReply(Struct):
    """What io.albumd.Authorization.Monitor answers."""

    access_level: AccessLevel
    """The level that this is about."""
    status: AuthorizationStatus
    """Its status."""
    selection_count: int | None = None
    """How many assets and albums are selected that are there and not hidden from the caller, when limited."""
    location: bool | None = None
    """Whether access includes where photos were taken. For readWrite, when it is authorized or limited."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


MonitorReply.FIELDS = (
    Field("accessLevel", "access_level", AccessLevel.decode, False),
    Field("status", "status", AuthorizationStatus.decode, False),
    Field("selectionCount", "selection_count", values.integer, True),
    Field("location", "location", values.boolean, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitor(Method[MonitorReply]):
    """The caller's statuses: first the current one of each level, then one reply for every change.
    [Requires 'more' flag]"""

    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Monitor.FIELDS = ()
Monitor.NAME = "io.albumd.Authorization.Monitor"
Monitor.REPLY = MonitorReply
Monitor.REQUIRES_MORE = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PresentLimitedPickerReply(Struct):
    """What io.albumd.Authorization.PresentLimitedPicker answers."""

    added_assets: Sequence[str]
    """The assets that are selected now and were not before."""
    put_off: bool | None = None
    """Whether the owner was asked and decided nothing; absent where they did, or were not asked."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


PresentLimitedPickerReply.FIELDS = (
    Field("addedAssets", "added_assets", values.array(values.text), False),
    Field("putOff", "put_off", values.boolean, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PresentLimitedPicker(Method[PresentLimitedPickerReply]):
    """Has the owner change what a limited caller may see, or grant it full access. In any other status it
    does nothing. Like every prompt it needs a usage description: without it, it fails with
    UsageDescriptionMissing."""

    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


PresentLimitedPicker.FIELDS = ()
PresentLimitedPicker.NAME = "io.albumd.Authorization.PresentLimitedPicker"
PresentLimitedPicker.REPLY = PresentLimitedPickerReply


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLanguageReply(Struct):
    """What io.albumd.Authorization.SetLanguage answers."""

    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


SetLanguageReply.FIELDS = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLanguage(Method[SetLanguageReply]):
    """From here on, what fails on this connection is said in this language as well (message of each
    error), and so are guides. A call that names a language of its own is answered in that. Nothing of
    it is stored."""

    language: str | None = None
    """Such as "en" or "zh-Hans", of 1 to 64 bytes; where albumd is not translated to it, English. Absent:
    none, as at the start."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


SetLanguage.FIELDS = (
    Field("language", "language", values.text, True),
)
SetLanguage.NAME = "io.albumd.Authorization.SetLanguage"
SetLanguage.REPLY = SetLanguageReply


class NoAgent(RemoteError):
    """No agent of an owner is there to show the prompt. Start one (albumctl agent), or wait for one."""

    NAME = "io.albumd.Authorization.NoAgent"
    FIELDS = (
        Field("message", "message", values.text, True),
    )

    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class UsageDescriptionMissing(RemoteError):
    """The app cannot be asked for, because it does not say why it needs access."""

    NAME = "io.albumd.Authorization.UsageDescriptionMissing"
    FIELDS = (
        Field("appId", "app_id", values.text, False),
        Field("accessLevel", "access_level", AccessLevel.decode, False),
        Field("manifest", "manifest", values.text, False),
        Field("message", "message", values.text, True),
    )

    app_id: str
    """The caller's app id."""
    access_level: AccessLevel
    """The level for which a description is missing."""
    manifest: str
    """The file to write, and the key in it."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class Throttled(RemoteError):
    """The owner put this request off several times, or as much was added within a day as the configuration
    allows (limits.addBytesPerDay, limits.addFilesPerDay), or an app has changed a tenth of what the
    journal keeps. Ask again later."""

    NAME = "io.albumd.Authorization.Throttled"
    FIELDS = (
        Field("retryAfterSeconds", "retry_after_seconds", values.integer, False),
        Field("message", "message", values.text, True),
    )

    retry_after_seconds: int
    """Seconds until a request is shown again, or something can be added or changed."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class Busy(RemoteError):
    """The app has another prompt open, or the user too many."""

    NAME = "io.albumd.Authorization.Busy"
    FIELDS = (
        Field("message", "message", values.text, True),
    )

    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class UnidentifiedPeer(RemoteError):
    """The daemon cannot tell who the caller is."""

    NAME = "io.albumd.Authorization.UnidentifiedPeer"
    FIELDS = (
        Field("reason", "reason", values.text, False),
        Field("message", "message", values.text, True),
    )

    reason: str
    """What could not be read."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""
