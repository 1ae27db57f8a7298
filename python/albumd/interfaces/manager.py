# Made by python/generate.py of Sources/AlbumAPI/Interfaces/io.albumd.Manager.varlink. Change that, not this.
"""For the library's owners: who has which access, and settings. Only an unsandboxed process of an owner
may call it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from .. import values
from ..errors import RemoteError
from ..values import Field, Method, OpenEnum, Struct, nothing
from .authorization import AccessLevel as AccessLevel
from .authorization import AuthorizationStatus as AuthorizationStatus
from .library import MediaType as MediaType

__all__ = [
    "AccessAuthor",
    "AccessKind",
    "AccessLevel",
    "AccessLogEntry",
    "ActAsOwner",
    "ActAsOwnerReply",
    "App",
    "AuthorizationStatus",
    "CannotRestore",
    "Check",
    "CheckReply",
    "DeletedAsset",
    "Finding",
    "GetSelection",
    "GetSelectionReply",
    "GetStatistics",
    "GetStatisticsReply",
    "Grant",
    "InvalidConfiguration",
    "ListAccessLog",
    "ListAccessLogReply",
    "ListApps",
    "ListAppsReply",
    "ListDeleted",
    "ListDeletedReply",
    "ListPolicies",
    "ListPoliciesReply",
    "LockedByPolicy",
    "MediaType",
    "NoLocationUsage",
    "NoSuchApp",
    "NoSuchDeletedAsset",
    "NotAnOwner",
    "NotGranted",
    "OpenDeletedPreview",
    "OpenDeletedPreviewReply",
    "Policy",
    "PolicyEffect",
    "PurgeDeleted",
    "PurgeDeletedReply",
    "Reload",
    "ReloadReply",
    "Rescan",
    "RescanReply",
    "Reset",
    "ResetReply",
    "RestoreDeleted",
    "RestoreDeletedReply",
    "SelectionOperation",
    "ServeSettings",
    "ServeSettingsReply",
    "SetAuthorization",
    "SetAuthorizationReply",
    "SetLocation",
    "SetLocationReply",
    "SetSelection",
    "SetSelectionReply",
    "Severity",
]

INTERFACE = "io.albumd.Manager"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant(Struct):
    """What an app may do, at one level."""

    access_level: AccessLevel
    """The level."""
    status: AuthorizationStatus
    """The status that holds now."""
    decided: datetime | None = None
    """When it was decided (RFC 3339, UTC)."""
    expires: datetime | None = None
    """When the grant ends, if it does."""
    until_exit: bool | None = None
    """Whether the grant ends with the app's process."""
    policy: str | None = None
    """The policy file that decides instead of the owner."""
    last_used: datetime | None = None
    """When the app last made use of it, to the day (RFC 3339, UTC). Time under a policy counts as use
    where the configuration takes back what is not used."""
    selection_count: int | None = None
    """How many assets and albums are selected, when limited."""
    location: bool | None = None
    """Whether access includes where photos were taken. For readWrite, when it is authorized or limited."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Grant.FIELDS = (
    Field("accessLevel", "access_level", AccessLevel.decode, False),
    Field("status", "status", AuthorizationStatus.decode, False),
    Field("decided", "decided", values.instant, True),
    Field("expires", "expires", values.instant, True),
    Field("untilExit", "until_exit", values.boolean, True),
    Field("policy", "policy", values.text, True),
    Field("lastUsed", "last_used", values.instant, True),
    Field("selectionCount", "selection_count", values.integer, True),
    Field("location", "location", values.boolean, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class App(Struct):
    """An app that has called, or was decided about."""

    id: str
    """Its id."""
    name: str
    """Its name."""
    uid: int
    """Who runs it."""
    user: str | None = None
    """That user's login name."""
    manifest: str | None = None
    """Where its manifest is."""
    first_seen: datetime | None = None
    """When it was first seen (RFC 3339, UTC)."""
    last_seen: datetime | None = None
    """When it was last seen (RFC 3339, UTC)."""
    grants: Sequence[Grant]
    """Its access."""
    location_usage_description: str | None = None
    """Why it wants to know where photos were taken: without it, that cannot be given."""
    icon: str | None = None
    """The name or path of its icon."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


App.FIELDS = (
    Field("id", "id", values.text, False),
    Field("name", "name", values.text, False),
    Field("uid", "uid", values.integer, False),
    Field("user", "user", values.text, True),
    Field("manifest", "manifest", values.text, True),
    Field("firstSeen", "first_seen", values.instant, True),
    Field("lastSeen", "last_seen", values.instant, True),
    Field("grants", "grants", values.array(Grant.decode), False),
    Field("locationUsageDescription", "location_usage_description", values.text, True),
    Field("icon", "icon", values.text, True),
)


class SelectionOperation(OpenEnum):
    """What becomes of a selection: these join it, leave it, or take its place."""

    ADD = "add"
    REMOVE = "remove"
    REPLACE = "replace"


class AccessKind(OpenEnum):
    """What was done. request: an app asked for access. decision: access was granted, refused, put off or
    taken back. settings: something else about an app was changed. pick: the owner picked photos for an
    app. owner: a connection took the owner's view. agent: an agent registered. refused: a call was
    refused for want of access."""

    REQUEST = "request"
    DECISION = "decision"
    SETTINGS = "settings"
    FETCH = "fetch"
    OPEN = "open"
    ADD = "add"
    DELETE = "delete"
    REPLACE = "replace"
    CREATE_ALBUM = "createAlbum"
    ADD_TO_ALBUM = "addToAlbum"
    REMOVE_FROM_ALBUM = "removeFromAlbum"
    MOVE_ALBUM = "moveAlbum"
    DELETE_ALBUM = "deleteAlbum"
    RENAME_ASSET = "renameAsset"
    MOVE_ASSETS = "moveAssets"
    FAVORITE = "favorite"
    HIDE = "hide"
    RESTORE = "restore"
    PURGE = "purge"
    PICK = "pick"
    OWNER = "owner"
    AGENT = "agent"
    REFUSED = "refused"
    REVERT = "revert"
    ARRANGE_ALBUM = "arrangeAlbum"


class AccessAuthor(OpenEnum):
    """Who decided: an owner answering a prompt, an owner in settings, the administrator's policy, a policy
    deciding no longer (what holds without it does), the time of the grant being over, the process of
    the grant having ended, or the grant not having been used for long."""

    AGENT = "agent"
    SETTINGS = "settings"
    POLICY = "policy"
    POLICY_END = "policyEnd"
    EXPIRY = "expiry"
    EXIT = "exit"
    DISUSE = "disuse"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessLogEntry(Struct):
    """One line of the access log: the same thing, done once or often within a minute."""

    id: int
    """The line. While it is followed, an entry comes again when there is more to count."""
    time: datetime
    """When it happened first (RFC 3339, UTC)."""
    last_time: datetime | None = None
    """When it happened last, if more than once."""
    count: int
    """How often."""
    assets: int | None = None
    """How many assets it was about, all times together; one that was meant twice counts twice. Absent
    where they are not counted."""
    app_id: str
    """The app. "*": several apps of one user, too many to be told apart."""
    uid: int
    """Who runs it."""
    user: str | None = None
    """That user's login name."""
    kind: AccessKind
    """What was done."""
    access_level: AccessLevel | None = None
    """The level that it is about. Absent for what a connection did to the library as the owner."""
    outcome: str | None = None
    """What came of it: a status, or the name of an error. Absent where it simply happened, and for a
    decision that ended while a policy decides."""
    by: AccessAuthor | None = None
    """Who decided."""
    by_uid: int | None = None
    """The user who decided, for agent and settings."""
    by_user: str | None = None
    """That user's login name."""
    detail: str | None = None
    """More, for a person: the policy's name, the method that was refused."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


AccessLogEntry.FIELDS = (
    Field("id", "id", values.integer, False),
    Field("time", "time", values.instant, False),
    Field("lastTime", "last_time", values.instant, True),
    Field("count", "count", values.integer, False),
    Field("assets", "assets", values.integer, True),
    Field("appId", "app_id", values.text, False),
    Field("uid", "uid", values.integer, False),
    Field("user", "user", values.text, True),
    Field("kind", "kind", AccessKind.decode, False),
    Field("accessLevel", "access_level", AccessLevel.decode, True),
    Field("outcome", "outcome", values.text, True),
    Field("by", "by", AccessAuthor.decode, True),
    Field("byUid", "by_uid", values.integer, True),
    Field("byUser", "by_user", values.text, True),
    Field("detail", "detail", values.text, True),
)


class PolicyEffect(OpenEnum):
    """restrict: refuses, and beats everything. authorize: grants."""

    RESTRICT = "restrict"
    AUTHORIZE = "authorize"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy(Struct):
    """What the administrator decided, instead of the owner."""

    name: str
    """The file's name without its ending."""
    file: str
    """The file."""
    effect: PolicyEffect
    """What it does."""
    apps: Sequence[str]
    """Patterns of app ids; "*" stands for anything."""
    users: Sequence[str] | None = None
    """The users it is about; everybody when there are neither users nor groups."""
    groups: Sequence[str] | None = None
    """The groups it is about."""
    access_levels: Sequence[AccessLevel]
    """The levels it is about."""
    location: bool | None = None
    """Whether what it grants includes where photos were taken, for apps that say what for."""
    reason: str | None = None
    """Why, for a person."""
    app_count: int
    """How many known apps it decides about now."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Policy.FIELDS = (
    Field("name", "name", values.text, False),
    Field("file", "file", values.text, False),
    Field("effect", "effect", PolicyEffect.decode, False),
    Field("apps", "apps", values.array(values.text), False),
    Field("users", "users", values.array(values.text), True),
    Field("groups", "groups", values.array(values.text), True),
    Field("accessLevels", "access_levels", values.array(AccessLevel.decode), False),
    Field("location", "location", values.boolean, True),
    Field("reason", "reason", values.text, True),
    Field("appCount", "app_count", values.integer, False),
)


class Severity(OpenEnum):
    """ok: as it should be. warning: works, and should be looked at. error: does not work."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Struct):
    """One thing that was looked at."""

    severity: Severity
    """How bad it is."""
    subject: str
    """What it is about: a file, a directory, a part of the daemon."""
    message: str
    """What was found."""
    advice: str | None = None
    """What to do about it."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Finding.FIELDS = (
    Field("severity", "severity", Severity.decode, False),
    Field("subject", "subject", values.text, False),
    Field("message", "message", values.text, False),
    Field("advice", "advice", values.text, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedAsset(Struct):
    """An asset that was deleted and can be restored: what io.albumd.Library.DeleteAssets has deleted, and
    what an asset was before ReplaceAsset."""

    id: str
    """Its id: the asset that it was, and is again when it is restored."""
    filename: str
    """The name of its file."""
    percent_encoded_filename: str | None = None
    """The name without loss, when it is not UTF-8: the bytes that are not, and "%", as "%XX"."""
    albums: Sequence[str]
    """The albums that it was in, as far as they are still there."""
    media_type: MediaType
    """image, video or livePhoto."""
    byte_count: int
    """The size of its file."""
    deleted: datetime
    """When it was deleted (RFC 3339, UTC)."""
    purge: datetime
    """When it is removed for good (RFC 3339, UTC)."""
    app_id: str | None = None
    """The app that deleted it; absent for an owner."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


DeletedAsset.FIELDS = (
    Field("id", "id", values.text, False),
    Field("filename", "filename", values.text, False),
    Field("percentEncodedFilename", "percent_encoded_filename", values.text, True),
    Field("albums", "albums", values.array(values.text), False),
    Field("mediaType", "media_type", MediaType.decode, False),
    Field("byteCount", "byte_count", values.integer, False),
    Field("deleted", "deleted", values.instant, False),
    Field("purge", "purge", values.instant, False),
    Field("appId", "app_id", values.text, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActAsOwnerReply(Struct):
    """What io.albumd.Manager.ActAsOwner answers."""

    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


ActAsOwnerReply.FIELDS = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ActAsOwner(Method[ActAsOwnerReply]):
    """From now on, this connection's calls of io.albumd.Library see the whole library, with no prompts."""

    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


ActAsOwner.FIELDS = ()
ActAsOwner.NAME = "io.albumd.Manager.ActAsOwner"
ActAsOwner.REPLY = ActAsOwnerReply


@dataclass(frozen=True, slots=True, kw_only=True)
class ListAppsReply(Struct):
    """What io.albumd.Manager.ListApps answers."""

    apps: Sequence[App]
    """Some of them."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


ListAppsReply.FIELDS = (
    Field("apps", "apps", values.array(App.decode), False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListApps(Method[ListAppsReply]):
    """Every app that is known. Comes in one reply or more, the last without "continues". [Supports 'more'
    flag]"""

    language: str | None = None
    """The language of their names, such as "zh-Hans"; English when left out."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


ListApps.FIELDS = (
    Field("language", "language", values.text, True),
)
ListApps.NAME = "io.albumd.Manager.ListApps"
ListApps.REPLY = ListAppsReply
ListApps.SUPPORTS_MORE = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAuthorizationReply(Struct):
    """What io.albumd.Manager.SetAuthorization answers."""

    stored: bool | None = None
    """False where the change takes something away, counts, and is not on disk yet, which is tried again
    until it is; absent when it is on disk."""
    reason: str | None = None
    """Why it is not on disk."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


SetAuthorizationReply.FIELDS = (
    Field("stored", "stored", values.boolean, True),
    Field("reason", "reason", values.text, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAuthorization(Method[SetAuthorizationReply]):
    """Decides for an app, as its prompt would have."""

    app_id: str
    """The app."""
    uid: int | None = None
    """Whose app. When absent: the users who are known to run it, else the caller."""
    access_level: AccessLevel
    """The level."""
    status: AuthorizationStatus
    """authorized, limited or denied."""
    expires: datetime | None = None
    """When the grant ends (RFC 3339)."""
    location: bool | None = None
    """Whether it includes where photos were taken, for authorized and limited of readWrite. When absent:
    as it was, if there was a grant, else not. True only for an app that says what for, or has it
    (NoLocationUsage)."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


SetAuthorization.FIELDS = (
    Field("appId", "app_id", values.text, False),
    Field("uid", "uid", values.integer, True),
    Field("accessLevel", "access_level", AccessLevel.decode, False),
    Field("status", "status", AuthorizationStatus.decode, False),
    Field("expires", "expires", values.instant, True),
    Field("location", "location", values.boolean, True),
)
SetAuthorization.NAME = "io.albumd.Manager.SetAuthorization"
SetAuthorization.REPLY = SetAuthorizationReply


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLocationReply(Struct):
    """What io.albumd.Manager.SetLocation answers."""

    stored: bool | None = None
    """False where the change takes something away, counts, and is not on disk yet, which is tried again
    until it is; absent when it is on disk."""
    reason: str | None = None
    """Why it is not on disk."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


SetLocationReply.FIELDS = (
    Field("stored", "stored", values.boolean, True),
    Field("reason", "reason", values.text, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLocation(Method[SetLocationReply]):
    """Changes whether an app that may read learns where photos were taken. Its status stays as it is, and
    so does its end."""

    app_id: str
    """The app."""
    uid: int | None = None
    """Whose app. When absent: the users who are known to run it and for whom it may read."""
    location: bool
    """Whether it does. True only for an app that says what for, or has it (NoLocationUsage)."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


SetLocation.FIELDS = (
    Field("appId", "app_id", values.text, False),
    Field("uid", "uid", values.integer, True),
    Field("location", "location", values.boolean, False),
)
SetLocation.NAME = "io.albumd.Manager.SetLocation"
SetLocation.REPLY = SetLocationReply


@dataclass(frozen=True, slots=True, kw_only=True)
class SetSelectionReply(Struct):
    """What io.albumd.Manager.SetSelection answers."""

    stored: bool | None = None
    """False where the change takes something away, counts, and is not on disk yet, which is tried again
    until it is; absent when it is on disk."""
    reason: str | None = None
    """Why it is not on disk."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


SetSelectionReply.FIELDS = (
    Field("stored", "stored", values.boolean, True),
    Field("reason", "reason", values.text, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetSelection(Method[SetSelectionReply]):
    """Changes what an app may see when it is limited. Its status stays as it is, and its subscriptions are
    told what came into sight and what went out of it."""

    app_id: str
    """The app."""
    uid: int | None = None
    """Whose app. When absent: the users who are known to run it, else the caller."""
    assets: Sequence[str]
    """Ids of single assets."""
    albums: Sequence[str]
    """Ids of whole albums, which bring what is added to them later."""
    operation: SelectionOperation
    """What becomes of the selection."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


SetSelection.FIELDS = (
    Field("appId", "app_id", values.text, False),
    Field("uid", "uid", values.integer, True),
    Field("assets", "assets", values.array(values.text), False),
    Field("albums", "albums", values.array(values.text), False),
    Field("operation", "operation", SelectionOperation.decode, False),
)
SetSelection.NAME = "io.albumd.Manager.SetSelection"
SetSelection.REPLY = SetSelectionReply


@dataclass(frozen=True, slots=True, kw_only=True)
class GetSelectionReply(Struct):
    """What io.albumd.Manager.GetSelection answers."""

    assets: Sequence[str]
    """Ids of single assets, also of those that have left the library and may return."""
    albums: Sequence[str]
    """Ids of whole albums, likewise."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


GetSelectionReply.FIELDS = (
    Field("assets", "assets", values.array(values.text), False),
    Field("albums", "albums", values.array(values.text), False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GetSelection(Method[GetSelectionReply]):
    """What an app may see when it is limited."""

    app_id: str
    """The app."""
    uid: int | None = None
    """Whose app. When absent: of all the users who are known to run it, else the caller."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


GetSelection.FIELDS = (
    Field("appId", "app_id", values.text, False),
    Field("uid", "uid", values.integer, True),
)
GetSelection.NAME = "io.albumd.Manager.GetSelection"
GetSelection.REPLY = GetSelectionReply


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetReply(Struct):
    """What io.albumd.Manager.Reset answers."""

    count: int
    """Of how many apps and levels something was forgotten: a decision, a selection, or a count of
    "notNow"."""
    stored: bool | None = None
    """False where the change takes something away, counts, and is not on disk yet, which is tried again
    until it is; absent when it is on disk."""
    reason: str | None = None
    """Why it is not on disk."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


ResetReply.FIELDS = (
    Field("count", "count", values.integer, False),
    Field("stored", "stored", values.boolean, True),
    Field("reason", "reason", values.text, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reset(Method[ResetReply]):
    """Forgets decisions, and what was selected, so that the app may be prompted for again. A pause after
    answers of "notNow" ends."""

    app_id: str | None = None
    """The app; every app when absent."""
    uid: int | None = None
    """Whose app; every user's when absent."""
    access_level: AccessLevel | None = None
    """The level; both when absent."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Reset.FIELDS = (
    Field("appId", "app_id", values.text, True),
    Field("uid", "uid", values.integer, True),
    Field("accessLevel", "access_level", AccessLevel.decode, True),
)
Reset.NAME = "io.albumd.Manager.Reset"
Reset.REPLY = ResetReply


@dataclass(frozen=True, slots=True, kw_only=True)
class ListAccessLogReply(Struct):
    """What io.albumd.Manager.ListAccessLog answers."""

    entries: Sequence[AccessLogEntry]
    """Some of the entries."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


ListAccessLogReply.FIELDS = (
    Field("entries", "entries", values.array(AccessLogEntry.decode), False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListAccessLog(Method[ListAccessLogReply]):
    """Who did what, and when, the oldest first. Kept for as long as the configuration says. The list ends,
    unless it is followed. [Requires 'more' flag]"""

    app_id: str | None = None
    """Of this app only: NoSuchApp where nobody knows it and nothing is told."""
    since: datetime | None = None
    """What happened at this time (RFC 3339) or later."""
    follow: bool | None = None
    """Stay, and tell what happens from now on. The first reply comes at once, even when it is empty."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


ListAccessLog.FIELDS = (
    Field("appId", "app_id", values.text, True),
    Field("since", "since", values.instant, True),
    Field("follow", "follow", values.boolean, True),
)
ListAccessLog.NAME = "io.albumd.Manager.ListAccessLog"
ListAccessLog.REPLY = ListAccessLogReply
ListAccessLog.REQUIRES_MORE = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPoliciesReply(Struct):
    """What io.albumd.Manager.ListPolicies answers."""

    policies: Sequence[Policy]
    """All of them."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


ListPoliciesReply.FIELDS = (
    Field("policies", "policies", values.array(Policy.decode), False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPolicies(Method[ListPoliciesReply]):
    """The policies in force, those first that decide first."""

    language: str | None = None
    """The language of the reasons, such as "en" or "zh-Hans"."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


ListPolicies.FIELDS = (
    Field("language", "language", values.text, True),
)
ListPolicies.NAME = "io.albumd.Manager.ListPolicies"
ListPolicies.REPLY = ListPoliciesReply


@dataclass(frozen=True, slots=True, kw_only=True)
class GetStatisticsReply(Struct):
    """What io.albumd.Manager.GetStatistics answers."""

    started: datetime
    """When the daemon started (RFC 3339, UTC)."""
    connections: int
    """Open connections."""
    subscriptions: int
    """Subscriptions to changes."""
    agents: int
    """Registered agents."""
    prompts_waiting: int
    """Prompts that wait for an answer."""
    assets: int
    """Assets of the library."""
    albums: int
    """Albums of the library."""
    journal_first: int | None = None
    """The oldest change in the journal, by its number; absent while there is none."""
    journal_last: int
    """The newest change."""
    watches: int
    """Watched directories."""
    polled_directories: int
    """Directories that are compared now and then instead, for lack of watches."""
    memory_bytes: int
    """Resident memory, in bytes."""
    calls: int
    """Calls served since the start."""
    connections_accepted: int
    """Connections taken since the start."""
    connections_refused: int
    """Connections refused since the start, because their user had too many."""
    protocol_violations: int
    """Peers that broke the protocol since the start, or left a stream unread."""
    file_events: int
    """File events since the start."""
    queue_overflows: int
    """Overflows of the kernel's queue since the start; each was made good by a scan."""
    scans: int
    """Scans of the whole library since the start."""
    changes: int
    """Changes published since the start."""
    access_log_lost: int
    """Rows of the access log that could not be written since the start."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


GetStatisticsReply.FIELDS = (
    Field("started", "started", values.instant, False),
    Field("connections", "connections", values.integer, False),
    Field("subscriptions", "subscriptions", values.integer, False),
    Field("agents", "agents", values.integer, False),
    Field("promptsWaiting", "prompts_waiting", values.integer, False),
    Field("assets", "assets", values.integer, False),
    Field("albums", "albums", values.integer, False),
    Field("journalFirst", "journal_first", values.integer, True),
    Field("journalLast", "journal_last", values.integer, False),
    Field("watches", "watches", values.integer, False),
    Field("polledDirectories", "polled_directories", values.integer, False),
    Field("memoryBytes", "memory_bytes", values.integer, False),
    Field("calls", "calls", values.integer, False),
    Field("connectionsAccepted", "connections_accepted", values.integer, False),
    Field("connectionsRefused", "connections_refused", values.integer, False),
    Field("protocolViolations", "protocol_violations", values.integer, False),
    Field("fileEvents", "file_events", values.integer, False),
    Field("queueOverflows", "queue_overflows", values.integer, False),
    Field("scans", "scans", values.integer, False),
    Field("changes", "changes", values.integer, False),
    Field("accessLogLost", "access_log_lost", values.integer, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GetStatistics(Method[GetStatisticsReply]):
    """What the daemon counts."""

    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


GetStatistics.FIELDS = ()
GetStatistics.NAME = "io.albumd.Manager.GetStatistics"
GetStatistics.REPLY = GetStatisticsReply


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReply(Struct):
    """What io.albumd.Manager.Check answers."""

    findings: Sequence[Finding]
    """Everything that was looked at."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


CheckReply.FIELDS = (
    Field("findings", "findings", values.array(Finding.decode), False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(Method[CheckReply]):
    """Looks for what is wrong with the daemon and its surroundings: files of the configuration as they are
    on the disk now, directories, limits of the kernel, agents, translations."""

    language: str | None = None
    """The language of messages and advice, such as "zh-Hans"; English when left out. What they quote stays
    as it is."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Check.FIELDS = (
    Field("language", "language", values.text, True),
)
Check.NAME = "io.albumd.Manager.Check"
Check.REPLY = CheckReply


@dataclass(frozen=True, slots=True, kw_only=True)
class ListDeletedReply(Struct):
    """What io.albumd.Manager.ListDeleted answers."""

    assets: Sequence[DeletedAsset]
    """Some of it."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


ListDeletedReply.FIELDS = (
    Field("assets", "assets", values.array(DeletedAsset.decode), False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListDeleted(Method[ListDeletedReply]):
    """What was deleted and can be restored, oldest first. Comes in one reply or more, the last without
    "continues". [Supports 'more' flag]"""

    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


ListDeleted.FIELDS = ()
ListDeleted.NAME = "io.albumd.Manager.ListDeleted"
ListDeleted.REPLY = ListDeletedReply
ListDeleted.SUPPORTS_MORE = True


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDeletedPreviewReply(Struct):
    """What io.albumd.Manager.OpenDeletedPreview answers."""

    file_descriptor: int
    """The index of a read-only descriptor."""
    media_type: str
    """image/jpeg, or image/webp where something shows through."""
    pixel_width: int
    """How wide it is."""
    pixel_height: int
    """How high it is."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


OpenDeletedPreviewReply.FIELDS = (
    Field("fileDescriptor", "file_descriptor", values.integer, False),
    Field("mediaType", "media_type", values.text, False),
    Field("pixelWidth", "pixel_width", values.integer, False),
    Field("pixelHeight", "pixel_height", values.integer, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDeletedPreview(Method[OpenDeletedPreviewReply]):
    """Opens a small picture of an asset that was deleted, as io.albumd.Library.OpenPreview does of those
    that are there. Fails with io.albumd.Library.PreviewUnavailable."""

    id: str
    """The asset."""
    pixels: int
    """The most pixels of its longer side, 16 to 4096."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


OpenDeletedPreview.FIELDS = (
    Field("id", "id", values.text, False),
    Field("pixels", "pixels", values.integer, False),
)
OpenDeletedPreview.NAME = "io.albumd.Manager.OpenDeletedPreview"
OpenDeletedPreview.REPLY = OpenDeletedPreviewReply


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreDeletedReply(Struct):
    """What io.albumd.Manager.RestoreDeleted answers."""

    restored: Sequence[str]
    """The ids of what was restored. A call that could restore nothing fails with the first error."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


RestoreDeletedReply.FIELDS = (
    Field("restored", "restored", values.array(values.text), False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreDeleted(Method[RestoreDeletedReply]):
    """Puts deleted assets back where they were, with the ids that they had: into their albums, as far as
    they are there. A name that is taken gets a number."""

    ids: Sequence[str]
    """The assets."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


RestoreDeleted.FIELDS = (
    Field("ids", "ids", values.array(values.text), False),
)
RestoreDeleted.NAME = "io.albumd.Manager.RestoreDeleted"
RestoreDeleted.REPLY = RestoreDeletedReply


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgeDeletedReply(Struct):
    """What io.albumd.Manager.PurgeDeleted answers."""

    count: int
    """How many were removed. A call that could remove nothing fails with the first error."""
    problem: str | None = None
    """Why the rest could not be removed, for a person to read; absent when nothing was in the way."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


PurgeDeletedReply.FIELDS = (
    Field("count", "count", values.integer, False),
    Field("problem", "problem", values.text, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgeDeleted(Method[PurgeDeletedReply]):
    """Removes deleted assets for good, now."""

    ids: Sequence[str] | None = None
    """The assets; everything that was deleted, when absent."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


PurgeDeleted.FIELDS = (
    Field("ids", "ids", values.array(values.text), True),
)
PurgeDeleted.NAME = "io.albumd.Manager.PurgeDeleted"
PurgeDeleted.REPLY = PurgeDeletedReply


@dataclass(frozen=True, slots=True, kw_only=True)
class RescanReply(Struct):
    """What io.albumd.Manager.Rescan answers."""

    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


RescanReply.FIELDS = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescan(Method[RescanReply]):
    """Compares the library with the disk again."""

    accept_roots: Sequence[str] | None = None
    """Paths of roots, and of directories in them, that are offline because another file system is mounted
    there than before, or none: what is there is the library from now on, and what it does not hold is
    removed."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Rescan.FIELDS = (
    Field("acceptRoots", "accept_roots", values.array(values.text), True),
)
Rescan.NAME = "io.albumd.Manager.Rescan"
Rescan.REPLY = RescanReply


@dataclass(frozen=True, slots=True, kw_only=True)
class ReloadReply(Struct):
    """What io.albumd.Manager.Reload answers."""

    needs_restart: Sequence[str] | None = None
    """The keys of albumd.yaml that have changed and count only from the next start; absent when none has."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


ReloadReply.FIELDS = (
    Field("needsRestart", "needs_restart", values.array(values.text), True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reload(Method[ReloadReply]):
    """Reads the configuration again. A configuration with errors changes nothing."""

    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Reload.FIELDS = ()
Reload.NAME = "io.albumd.Manager.Reload"
Reload.REPLY = ReloadReply


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSettingsReply(Struct):
    """What io.albumd.Manager.ServeSettings answers."""

    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


ServeSettingsReply.FIELDS = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSettings(Method[ServeSettingsReply]):
    """Says that the caller serves a page with the owner's settings, for as long as the connection lasts.
    Guides and io.albumd.Authorization.WhoAmI then lead apps there whose prompts agents of the same
    user are shown. The first reply is empty: it counts. Another one, the last, comes where the user
    has more pages than are kept. [Requires 'more' flag]"""

    origin: str | None = None
    """What the page is called where it has a certificate: "https://" and a host, in lower case, with or
    without a port, of 255 bytes at most. Absent: the desktop of the caller's user opens it, as
    albumd:settings, and only that user's apps are led there."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


ServeSettings.FIELDS = (
    Field("origin", "origin", values.text, True),
)
ServeSettings.NAME = "io.albumd.Manager.ServeSettings"
ServeSettings.REPLY = ServeSettingsReply
ServeSettings.REQUIRES_MORE = True


class NoSuchDeletedAsset(RemoteError):
    """No asset of this id was deleted, or it is no longer kept."""

    NAME = "io.albumd.Manager.NoSuchDeletedAsset"
    FIELDS = (
        Field("id", "id", values.text, False),
        Field("message", "message", values.text, True),
    )

    id: str
    """The id."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class CannotRestore(RemoteError):
    """A deleted asset cannot be put back, or not be removed."""

    NAME = "io.albumd.Manager.CannotRestore"
    FIELDS = (
        Field("id", "id", values.text, False),
        Field("reason", "reason", values.text, False),
        Field("message", "message", values.text, True),
    )

    id: str
    """The id."""
    reason: str
    """Why, for a person to read; such as that its root is offline."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class NotAnOwner(RemoteError):
    """The caller is not an owner of this library, or is an app."""

    NAME = "io.albumd.Manager.NotAnOwner"
    FIELDS = (
        Field("message", "message", values.text, True),
    )

    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class NoSuchApp(RemoteError):
    """No app of this id is known."""

    NAME = "io.albumd.Manager.NoSuchApp"
    FIELDS = (
        Field("id", "id", values.text, False),
        Field("message", "message", values.text, True),
    )

    id: str
    """The id."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class NotGranted(RemoteError):
    """An owner has not let the app read, so that there is nothing to add to or take from."""

    NAME = "io.albumd.Manager.NotGranted"
    FIELDS = (
        Field("appId", "app_id", values.text, False),
        Field("message", "message", values.text, True),
    )

    app_id: str
    """The app."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class NoLocationUsage(RemoteError):
    """The app cannot be given where photos were taken, because it does not say why it wants to know."""

    NAME = "io.albumd.Manager.NoLocationUsage"
    FIELDS = (
        Field("appId", "app_id", values.text, False),
        Field("manifest", "manifest", values.text, False),
        Field("message", "message", values.text, True),
    )

    app_id: str
    """The app."""
    manifest: str
    """The file to write, and the key in it."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class LockedByPolicy(RemoteError):
    """A policy decides about this app; the owner cannot."""

    NAME = "io.albumd.Manager.LockedByPolicy"
    FIELDS = (
        Field("policy", "policy", values.text, False),
        Field("message", "message", values.text, True),
    )

    policy: str
    """The policy file."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class InvalidConfiguration(RemoteError):
    """The configuration has errors; the running one was kept."""

    NAME = "io.albumd.Manager.InvalidConfiguration"
    FIELDS = (
        Field("errors", "errors", values.array(values.text), False),
        Field("message", "message", values.text, True),
    )

    errors: Sequence[str]
    """One line per error: file, line, column, what was expected. Of one file at most twenty, then one that
    says how many more."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""
