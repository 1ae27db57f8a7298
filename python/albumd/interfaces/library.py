# Made by python/generate.py of Sources/AlbumAPI/Interfaces/io.albumd.Library.varlink. Change that, not this.
"""The photo library, as far as the caller is authorized. What a limited app may not see behaves exactly as
what does not exist."""

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
from .authorization import Guide as Guide

__all__ = [
    "AccessLevel",
    "AddAssets",
    "AddAssetsReply",
    "AddFailure",
    "AddItem",
    "AddToAlbum",
    "AddToAlbumReply",
    "AddedSidecar",
    "Adjustment",
    "Album",
    "AlbumNotEmpty",
    "AlbumRemainder",
    "Asset",
    "AssetFilter",
    "AssetScope",
    "AuthorizationStatus",
    "BoundingBox",
    "CannotLink",
    "CannotMove",
    "CreateAlbum",
    "CreateAlbumReply",
    "CreatedFrom",
    "DeleteAlbum",
    "DeleteAlbumReply",
    "DeleteAssets",
    "DeleteAssetsReply",
    "FetchAlbums",
    "FetchAlbumsReply",
    "FetchAssets",
    "FetchAssetsReply",
    "FetchMoments",
    "FetchMomentsReply",
    "FlagsNotSupported",
    "GetAdjustment",
    "GetAdjustmentReply",
    "GetInfo",
    "GetInfoReply",
    "Guide",
    "InvalidFileDescriptor",
    "ItemChange",
    "ItemMove",
    "LastAlbum",
    "LibraryState",
    "Location",
    "LocationCannotBeRemoved",
    "MediaType",
    "Moment",
    "MomentUnit",
    "MonitorState",
    "MonitorStateReply",
    "MoveAlbum",
    "MoveAlbumReply",
    "MoveAssets",
    "MoveAssetsReply",
    "MoveInAlbum",
    "MoveInAlbumReply",
    "MoveProblem",
    "NameTaken",
    "NoAdjustment",
    "NoSpace",
    "NoSuchAlbum",
    "NoSuchAsset",
    "NoSuchResource",
    "NotAuthorized",
    "NotMedia",
    "Offline",
    "OpenAsset",
    "OpenAssetReply",
    "OpenPreview",
    "OpenPreviewReply",
    "PreparePreviews",
    "PreparePreviewsReply",
    "PreviewEncoding",
    "PreviewProblem",
    "PreviewUnavailable",
    "ReadOnly",
    "RemoveFromAlbum",
    "RemoveFromAlbumReply",
    "RenameAlbum",
    "RenameAlbumReply",
    "RenameAsset",
    "RenameAssetReply",
    "ReplaceAsset",
    "ReplaceAssetReply",
    "ResourceType",
    "RevertAsset",
    "RevertAssetReply",
    "Root",
    "SavePurpose",
    "ScanProgress",
    "SetFavorite",
    "SetFavoriteReply",
    "SetHidden",
    "SetHiddenReply",
    "SetKeyAsset",
    "SetKeyAssetReply",
    "SmartAlbumKind",
    "SortKey",
    "Subscribe",
    "SubscribeReply",
    "Subtype",
    "TakenIn",
    "TokenExpired",
    "TooDeep",
    "TooLarge",
    "TooManyAlbums",
    "UserRefused",
]

INTERFACE = "io.albumd.Library"


class PreviewProblem(OpenEnum):
    """Why there is no preview: nothing can be made of the file; what reads it crashed, hung or took too
    much memory over it; nothing reads pictures at present; or its caller's user waits for too many
    already: ask again."""

    UNREADABLE = "unreadable"
    BROKE = "broke"
    UNAVAILABLE = "unavailable"
    BUSY = "busy"


class PreviewEncoding(OpenEnum):
    """What a preview is written as: compressed, a JPEG or a WebP; pixmap, a binary PPM (ppm(5): P6, a byte
    for each colour), in which a grey of the middle is behind what shows through."""

    COMPRESSED = "compressed"
    PIXMAP = "pixmap"


class MediaType(OpenEnum):
    """image: a still. video: a movie. livePhoto: a still and its paired video."""

    IMAGE = "image"
    VIDEO = "video"
    LIVE_PHOTO = "livePhoto"


class ResourceType(OpenEnum):
    """One file of an asset. sidecar: what another program keeps beside it (.xmp, .aae, .thm), of which it
    may have several. original: the photo or video as it was before it was edited (ReplaceAsset with an
    adjustment). alternatePhoto: the RAW of the same name that lies beside a photo."""

    PHOTO = "photo"
    PAIRED_VIDEO = "pairedVideo"
    VIDEO = "video"
    SIDECAR = "sidecar"
    ORIGINAL = "original"
    ALTERNATE_PHOTO = "alternatePhoto"


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment(Struct):
    """What was done to a photo or video, for the program that did it to go on from: what it means, only
    those know who know its format."""

    format_identifier: str
    """Whose format the data is in, such as org.example.Editor: 1 to 255 printable ASCII characters without
    a space."""
    format_version: str
    """Which version of that format: 1 to 64 of such characters."""
    data: str
    """The data, in base64 (RFC 4648, with padding): at most 512 KiB of it, for a message has 1 MiB."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Adjustment.FIELDS = (
    Field("formatIdentifier", "format_identifier", values.text, False),
    Field("formatVersion", "format_version", values.text, False),
    Field("data", "data", values.text, False),
)


class LibraryState(OpenEnum):
    """scanning: results are visible as they come. ready: the library is as on disk. degraded: something
    cannot be read or watched. offline: no root is reachable."""

    SCANNING = "scanning"
    READY = "ready"
    DEGRADED = "degraded"
    OFFLINE = "offline"


class SortKey(OpenEnum):
    """What fetched assets are sorted by. added: when the library first had them. custom: the order that
    people have put them in (MoveInAlbum), of what is in one album alone."""

    CREATED = "created"
    MODIFIED = "modified"
    FILENAME = "filename"
    BYTE_COUNT = "byteCount"
    ADDED = "added"
    CUSTOM = "custom"


class CreatedFrom(OpenEnum):
    """What says when a picture came to be. capture: the picture itself, as its camera wrote it. file: the
    file system."""

    CAPTURE = "capture"
    FILE = "file"


class Subtype(OpenEnum):
    """What kind of picture it is, besides its media type."""

    PANORAMA = "panorama"
    SCREENSHOT = "screenshot"
    HDR = "hdr"
    ANIMATED = "animated"
    RAW = "raw"
    MOTION_PHOTO = "motionPhoto"


class SmartAlbumKind(OpenEnum):
    """An album that is no directory, of what is of a kind. recents: everything. favorites: what is one.
    videos, livePhotos: what is of that media type. screenshots, panoramas, raw: what is of that
    subtype. recentlyAdded: everything; fetched alone, it is sorted by added, the latest first, unless
    another order is named."""

    RECENTS = "recents"
    FAVORITES = "favorites"
    VIDEOS = "videos"
    LIVE_PHOTOS = "livePhotos"
    SCREENSHOTS = "screenshots"
    PANORAMAS = "panoramas"
    RAW = "raw"
    RECENTLY_ADDED = "recentlyAdded"


class MomentUnit(OpenEnum):
    """How long a moment is: a day, month or year of the host's."""

    DAY = "day"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True, kw_only=True)
class Location(Struct):
    """Where a picture was taken (WGS 84)."""

    latitude: float
    """Degrees north of the equator."""
    longitude: float
    """Degrees east of Greenwich."""
    altitude: float | None = None
    """Metres above the sea, where known."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Location.FIELDS = (
    Field("latitude", "latitude", values.number, False),
    Field("longitude", "longitude", values.number, False),
    Field("altitude", "altitude", values.number, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundingBox(Struct):
    """A part of the earth."""

    south: float
    """Its southern edge, in degrees north."""
    west: float
    """Its western edge, in degrees east. East of the eastern one where the antimeridian lies between them."""
    north: float
    """Its northern edge, in degrees north."""
    east: float
    """Its eastern edge, in degrees east."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


BoundingBox.FIELDS = (
    Field("south", "south", values.number, False),
    Field("west", "west", values.number, False),
    Field("north", "north", values.number, False),
    Field("east", "east", values.number, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AssetFilter(Struct):
    """A condition on assets: each field that is given holds, and what is given as an empty list, but for
    all and none, holds for nothing. At most 8 filters lie inside of one another, at most 64 are in
    one, and they name at most 10000 albums together."""

    all: Sequence[AssetFilter] | None = None
    """All of these hold."""
    any: Sequence[AssetFilter] | None = None
    """At least one of these holds."""
    none: Sequence[AssetFilter] | None = None
    """None of these holds."""
    media_types: Sequence[MediaType] | None = None
    """It is of one of these kinds."""
    subtypes: Sequence[Subtype] | None = None
    """It is any of these."""
    albums: Sequence[str] | None = None
    """It is in one of these albums."""
    created_after: datetime | None = None
    """It was created at this time (RFC 3339) or later."""
    created_before: datetime | None = None
    """It was created before this time (RFC 3339)."""
    name_contains: str | None = None
    """Its filename contains this, whatever the case of ASCII letters: at most 255 bytes."""
    min_byte_count: int | None = None
    """Its file has so many bytes, or more."""
    max_byte_count: int | None = None
    """Its file has so many bytes, or fewer."""
    is_favorite: bool | None = None
    """It is a favourite; or, where false, it is none."""
    burst_identifier: str | None = None
    """It is of this burst (Asset.burstIdentifier)."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


AssetFilter.FIELDS = (
    Field("all", "all", values.array(AssetFilter.decode), True),
    Field("any", "any", values.array(AssetFilter.decode), True),
    Field("none", "none", values.array(AssetFilter.decode), True),
    Field("mediaTypes", "media_types", values.array(MediaType.decode), True),
    Field("subtypes", "subtypes", values.array(Subtype.decode), True),
    Field("albums", "albums", values.array(values.text), True),
    Field("createdAfter", "created_after", values.instant, True),
    Field("createdBefore", "created_before", values.instant, True),
    Field("nameContains", "name_contains", values.text, True),
    Field("minByteCount", "min_byte_count", values.integer, True),
    Field("maxByteCount", "max_byte_count", values.integer, True),
    Field("isFavorite", "is_favorite", values.boolean, True),
    Field("burstIdentifier", "burst_identifier", values.text, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenIn(Struct):
    """Where in time a page begins."""

    from_: datetime
    """When (RFC 3339)."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


TakenIn.FIELDS = (
    Field("from", "from_", values.instant, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment(Struct):
    """A day, month or year with assets that were created in it."""

    start: datetime
    """When it begins (RFC 3339, UTC): at midnight of the host's."""
    count: int
    """How many assets were created in it."""
    first_id: str
    """The first of them."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Moment.FIELDS = (
    Field("start", "start", values.instant, False),
    Field("count", "count", values.integer, False),
    Field("firstId", "first_id", values.text, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset(Struct):
    """A photo, a video or a live photo."""

    id: str
    """Keeps for the asset's life, through renames, moves and edits."""
    filename: str
    """The file's name. Bytes that are not UTF-8 show as U+FFFD."""
    percent_encoded_filename: str | None = None
    """The name with every byte that is not printable ASCII, and %, as %XX; present only when the name is
    not UTF-8."""
    albums: Sequence[str]
    """The albums that hold it. Empty for a file directly in a root."""
    media_type: MediaType
    """What kind of asset it is."""
    byte_count: int
    """The size of the file."""
    created: datetime
    """When it was taken, where it says so; else when its file came to be (RFC 3339, UTC)."""
    modified: datetime
    """When its content last changed (RFC 3339, UTC)."""
    resources: Sequence[ResourceType]
    """The files that can be opened."""
    pixel_width: int | None = None
    """Width of the picture as shown, where known."""
    pixel_height: int | None = None
    """Height of the picture as shown, where known."""
    duration_seconds: float | None = None
    """Length of the video, or of a live photo's, where known."""
    has_location: bool | None = None
    """Whether the file tells where it was taken, where known."""
    created_from: CreatedFrom | None = None
    """What says when it was created."""
    created_local: str | None = None
    """What the camera's own clock showed when it was taken (ISO 8601), with its offset from UTC where
    known."""
    subtypes: Sequence[Subtype] | None = None
    """What kind of picture it is, where known."""
    location: Location | None = None
    """Where it was taken, for who may know."""
    offline: bool
    """Whether its root cannot be reached at present."""
    content_hash: str | None = None
    """What its photo or video hashes to, as it is now: sha256: and 64 hexadecimal digits, of lower case.
    For who may know where pictures were taken; absent while it is not computed."""
    is_favorite: bool | None = None
    """Whether it is a favourite: true, or absent."""
    is_hidden: bool | None = None
    """Whether it is hidden: true, or absent."""
    has_adjustment: bool | None = None
    """True where the adjustment is known that led from its original to what it is now (GetAdjustment);
    else absent."""
    added: datetime | None = None
    """When the library first had it (RFC 3339, UTC). Only where assets are fetched in that order."""
    burst_identifier: str | None = None
    """The burst that it is of: photos that a camera has taken in one go have this in common. By the name
    that the camera gave it; it means nothing else."""
    represents_burst: bool | None = None
    """Whether its camera has chosen it to stand for its burst: true, or absent. There may be none in a
    burst."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Asset.FIELDS = (
    Field("id", "id", values.text, False),
    Field("filename", "filename", values.text, False),
    Field("percentEncodedFilename", "percent_encoded_filename", values.text, True),
    Field("albums", "albums", values.array(values.text), False),
    Field("mediaType", "media_type", MediaType.decode, False),
    Field("byteCount", "byte_count", values.integer, False),
    Field("created", "created", values.instant, False),
    Field("modified", "modified", values.instant, False),
    Field("resources", "resources", values.array(ResourceType.decode), False),
    Field("pixelWidth", "pixel_width", values.integer, True),
    Field("pixelHeight", "pixel_height", values.integer, True),
    Field("durationSeconds", "duration_seconds", values.number, True),
    Field("hasLocation", "has_location", values.boolean, True),
    Field("createdFrom", "created_from", CreatedFrom.decode, True),
    Field("createdLocal", "created_local", values.text, True),
    Field("subtypes", "subtypes", values.array(Subtype.decode), True),
    Field("location", "location", Location.decode, True),
    Field("offline", "offline", values.boolean, False),
    Field("contentHash", "content_hash", values.text, True),
    Field("isFavorite", "is_favorite", values.boolean, True),
    Field("isHidden", "is_hidden", values.boolean, True),
    Field("hasAdjustment", "has_adjustment", values.boolean, True),
    Field("added", "added", values.instant, True),
    Field("burstIdentifier", "burst_identifier", values.text, True),
    Field("representsBurst", "represents_burst", values.boolean, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Album(Struct):
    """A directory of the library."""

    id: str
    """Keeps for the album's life, through renames and moves."""
    title: str
    """The directory's name. Bytes that are not UTF-8 show as U+FFFD."""
    percent_encoded_title: str | None = None
    """As Asset.percentEncodedFilename."""
    parent: str | None = None
    """The album that it lies in; absent directly beneath a root."""
    asset_count: int
    """How many assets it holds that the caller may see."""
    shared: bool
    """Whether the configuration marks it as shared: limited apps never see it."""
    created_by_caller: bool
    """Whether the calling app created it."""
    smart: SmartAlbumKind | None = None
    """Which smart album it is; absent for a directory. A smart album's id is this word, its title is in
    the language of the caller's person, it lies in no album, and nothing can be put into it or taken
    out."""
    key_asset: str | None = None
    """The asset in it that was chosen to stand for it (SetKeyAsset), where the caller sees that."""
    root: str | None = None
    """What the root is called that it lies beneath (Root.name); absent of a smart album."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Album.FIELDS = (
    Field("id", "id", values.text, False),
    Field("title", "title", values.text, False),
    Field("percentEncodedTitle", "percent_encoded_title", values.text, True),
    Field("parent", "parent", values.text, True),
    Field("assetCount", "asset_count", values.integer, False),
    Field("shared", "shared", values.boolean, False),
    Field("createdByCaller", "created_by_caller", values.boolean, False),
    Field("smart", "smart", SmartAlbumKind.decode, True),
    Field("keyAsset", "key_asset", values.text, True),
    Field("root", "root", values.text, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Root(Struct):
    """A directory tree of the library."""

    path: str | None = None
    """Where it is; for owners only."""
    state: LibraryState
    """How it is."""
    problem: str | None = None
    """What is the matter, when it cannot be reached; for owners only."""
    name: str | None = None
    """What it is called: the last part of where it is."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Root.FIELDS = (
    Field("path", "path", values.text, True),
    Field("state", "state", LibraryState.decode, False),
    Field("problem", "problem", values.text, True),
    Field("name", "name", values.text, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanProgress(Struct):
    """How far the library was compared with the disk."""

    directories_done: int
    """Directories that were looked through since it began."""
    directories_left: int
    """Directories that are known and are still to be looked through. There may be more in them."""
    asset_count: int
    """Assets that are known by now."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


ScanProgress.FIELDS = (
    Field("directoriesDone", "directories_done", values.integer, False),
    Field("directoriesLeft", "directories_left", values.integer, False),
    Field("assetCount", "asset_count", values.integer, False),
)


class SavePurpose(OpenEnum):
    """What pictures are saved for: to be kept, or to be set as the wallpaper."""

    KEEP = "keep"
    WALLPAPER = "wallpaper"


class MoveProblem(OpenEnum):
    """Why something cannot be in a place. otherRoot: that is in another root, or on another file system.
    insideItself: an album would lie in itself. mounted: the album is where a file system is mounted.
    shared: albums that limited apps never see would be others than now, and only an owner decides
    that."""

    OTHER_ROOT = "otherRoot"
    INSIDE_ITSELF = "insideItself"
    MOUNTED = "mounted"
    SHARED = "shared"


class AlbumRemainder(OpenEnum):
    """What keeps an album from being deleted. otherFiles: files that are neither photos nor videos, or are
    not complete. tooMany: more than 10000 assets, about which no owner can be asked at once. notSeen:
    what the caller does not see."""

    OTHER_FILES = "otherFiles"
    TOO_MANY = "tooMany"
    NOT_SEEN = "notSeen"


@dataclass(frozen=True, slots=True, kw_only=True)
class AssetScope(Struct):
    """Which assets a subscription is about: those of the albums, and those named; all when both are
    absent."""

    albums: Sequence[str] | None = None
    """Albums by id, at most 10000."""
    ids: Sequence[str] | None = None
    """Assets by id, at most 10000."""
    include_hidden: bool | None = None
    """Hidden ones as well: of effect for owners and for who sees the whole library. For all others, one
    that is hidden is removed, and inserted when it is not any more."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


AssetScope.FIELDS = (
    Field("albums", "albums", values.array(values.text), True),
    Field("ids", "ids", values.array(values.text), True),
    Field("includeHidden", "include_hidden", values.boolean, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemChange(Struct):
    """An asset or album that changed while staying visible."""

    id: str
    """Its id."""
    content_changed: bool
    """Whether its content changed; else only what is known about it."""
    asset: Asset | None = None
    """The asset as it is now, in a subscription to assets."""
    album: Album | None = None
    """The album as it is now, in a subscription to albums."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


ItemChange.FIELDS = (
    Field("id", "id", values.text, False),
    Field("contentChanged", "content_changed", values.boolean, False),
    Field("asset", "asset", Asset.decode, True),
    Field("album", "album", Album.decode, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemMove(Struct):
    """An asset or album that went from one place to another while staying visible."""

    id: str
    """Its id."""
    content_changed: bool | None = None
    """Whether the content of the asset changed as well; absent for an album."""
    from_: Sequence[str]
    """The albums that held it before (for an album: its parent)."""
    to: Sequence[str]
    """The albums that hold it now (for an album: its parent)."""
    asset: Asset | None = None
    """The asset as it is now, in a subscription to assets."""
    album: Album | None = None
    """The album as it is now, in a subscription to albums."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


ItemMove.FIELDS = (
    Field("id", "id", values.text, False),
    Field("contentChanged", "content_changed", values.boolean, True),
    Field("from", "from_", values.array(values.text), False),
    Field("to", "to", values.array(values.text), False),
    Field("asset", "asset", Asset.decode, True),
    Field("album", "album", Album.decode, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedSidecar(Struct):
    """A sidecar to add, with the photo or film that it is of."""

    file_descriptor: int
    """The index of a readable descriptor of a regular file of at most 32 MiB; it is read from its
    beginning."""
    sidecar_extension: str
    """What follows the name of its photo without the extension, and a dot, in its own, as OpenAsset says
    it: xmp, aae or thm, in any case; or the extension of the photo, or of its paired video, and one of
    these, such as jpg.xmp."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


AddedSidecar.FIELDS = (
    Field("fileDescriptor", "file_descriptor", values.integer, False),
    Field("sidecarExtension", "sidecar_extension", values.text, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddItem(Struct):
    """A file to add."""

    file_descriptor: int
    """The index of a readable descriptor of a regular file; it is read from its beginning."""
    filename: str
    """The name to give it. A name without an extension of what the file holds, a photo or a video, gets
    the usual one of its format after it, and a name that exists a number."""
    paired_video_file_descriptor: int | None = None
    """The index of the paired video's descriptor, for a live photo."""
    paired_video_extension: str | None = None
    """The extension to give that: mov or mp4, in either case. What its content says when absent, or
    another."""
    created: datetime | None = None
    """When it came to be (RFC 3339), where that was before its content last changed; the same time when
    absent."""
    modified: datetime | None = None
    """When its content last changed (RFC 3339); as the file that is brought says when absent. A time to
    come is now. Its movie, its RAW and what is beside it keep their own times."""
    sidecars: Sequence[AddedSidecar] | None = None
    """What other programs keep beside it: at most 48, each of another extension. They get its number,
    where its name exists, and keep their own times."""
    alternate_photo_file_descriptor: int | None = None
    """The index of the descriptor of the RAW of a photo that is none itself. It counts as a file that is
    added."""
    alternate_photo_extension: str | None = None
    """The extension to give that, with which it must come: one of RAW's, in any case."""
    percent_encoded_filename: str | None = None
    """The name's bytes, as Asset.percentEncodedFilename has them, where they are not UTF-8: they count
    then instead of filename."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


AddItem.FIELDS = (
    Field("fileDescriptor", "file_descriptor", values.integer, False),
    Field("filename", "filename", values.text, False),
    Field("pairedVideoFileDescriptor", "paired_video_file_descriptor", values.integer, True),
    Field("pairedVideoExtension", "paired_video_extension", values.text, True),
    Field("created", "created", values.instant, True),
    Field("modified", "modified", values.instant, True),
    Field("sidecars", "sidecars", values.array(AddedSidecar.decode), True),
    Field("alternatePhotoFileDescriptor", "alternate_photo_file_descriptor", values.integer, True),
    Field("alternatePhotoExtension", "alternate_photo_extension", values.text, True),
    Field("percentEncodedFilename", "percent_encoded_filename", values.text, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddFailure(Struct):
    """A file that was not added."""

    item: int
    """Its index among the items."""
    error: str
    """The full name of the error, such as io.albumd.Library.NotMedia."""
    message: str
    """What is the matter, for a person to read: where the caller has named a language, the message of that
    error."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


AddFailure.FIELDS = (
    Field("item", "item", values.integer, False),
    Field("error", "error", values.text, False),
    Field("message", "message", values.text, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GetInfoReply(Struct):
    """What io.albumd.Library.GetInfo answers."""

    token: str
    """The place in the changes that this shows; empty for a caller that may see nothing. For a limited app
    it is spelled differently every time."""
    asset_count: int
    """Assets that the caller may see."""
    album_count: int
    """Albums that the caller may see."""
    state: LibraryState
    """The state of the whole."""
    roots: Sequence[Root]
    """The roots, in the order of the configuration."""
    undescribed: int | None = None
    """How many assets of the library were not read yet for what they say of themselves. What that is
    follows as changed."""
    unhashed: int | None = None
    """How many assets of the library were not hashed yet. Hashes follow as changed; absent where none are
    computed."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


GetInfoReply.FIELDS = (
    Field("token", "token", values.text, False),
    Field("assetCount", "asset_count", values.integer, False),
    Field("albumCount", "album_count", values.integer, False),
    Field("state", "state", LibraryState.decode, False),
    Field("roots", "roots", values.array(Root.decode), False),
    Field("undescribed", "undescribed", values.integer, True),
    Field("unhashed", "unhashed", values.integer, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GetInfo(Method[GetInfoReply]):
    """The state of the library, and how much of it the caller may see."""

    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


GetInfo.FIELDS = ()
GetInfo.NAME = "io.albumd.Library.GetInfo"
GetInfo.REPLY = GetInfoReply


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorStateReply(Struct):
    """What io.albumd.Library.MonitorState answers."""

    state: LibraryState
    """The state of the whole."""
    roots: Sequence[Root]
    """The roots, in the order of the configuration."""
    scan: ScanProgress | None = None
    """How far the comparison is, for who sees all of the library; absent when there is none."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


MonitorStateReply.FIELDS = (
    Field("state", "state", LibraryState.decode, False),
    Field("roots", "roots", values.array(Root.decode), False),
    Field("scan", "scan", ScanProgress.decode, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorState(Method[MonitorStateReply]):
    """How the library is: at once, and whenever that has changed, as long as the caller stays. While it is
    compared with the disk, twice a second how far that is. [Requires 'more' flag]"""

    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


MonitorState.FIELDS = ()
MonitorState.NAME = "io.albumd.Library.MonitorState"
MonitorState.REPLY = MonitorStateReply
MonitorState.REQUIRES_MORE = True


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchAlbumsReply(Struct):
    """What io.albumd.Library.FetchAlbums answers."""

    albums: Sequence[Album]
    """The albums, by title; smart ones in the order of SmartAlbumKind."""
    token: str
    """The place in the changes to go on from. Of many albums that of when the list was begun: what has
    changed since may be in it already, and is told again."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


FetchAlbumsReply.FIELDS = (
    Field("albums", "albums", values.array(Album.decode), False),
    Field("token", "token", values.text, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchAlbums(Method[FetchAlbumsReply]):
    """Albums that the caller may see. More than a few are told a part at a time, and one such list of a
    user is made at a time. Where something is taken from what the caller may see meanwhile, it is made
    anew; after three times that is a SystemFailure."""

    parent: str | None = None
    """Only those directly in this album."""
    ids: Sequence[str] | None = None
    """Only these, at most 10000; unknown ids are left out."""
    smart: bool | None = None
    """The smart albums instead of those that are directories, as of now: that their counts change is not
    told. Not with a parent."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


FetchAlbums.FIELDS = (
    Field("parent", "parent", values.text, True),
    Field("ids", "ids", values.array(values.text), True),
    Field("smart", "smart", values.boolean, True),
)
FetchAlbums.NAME = "io.albumd.Library.FetchAlbums"
FetchAlbums.REPLY = FetchAlbumsReply


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchAssetsReply(Struct):
    """What io.albumd.Library.FetchAssets answers."""

    assets: Sequence[Asset]
    """One page."""
    total: int
    """How many assets match in all."""
    token: str
    """The place in the changes that this shows."""
    cursor: str | None = None
    """Where to go on; absent at the end."""
    ids: Sequence[str] | None = None
    """One page, where only ids were asked for."""
    keys: Sequence[int] | None = None
    """What each of the ids is sorted by: created, modified or added in microseconds since 1970 (UTC), or
    byteCount. Absent where they are sorted by filename or custom."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


FetchAssetsReply.FIELDS = (
    Field("assets", "assets", values.array(Asset.decode), False),
    Field("total", "total", values.integer, False),
    Field("token", "token", values.text, False),
    Field("cursor", "cursor", values.text, True),
    Field("ids", "ids", values.array(values.text), True),
    Field("keys", "keys", values.array(values.integer), True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchAssets(Method[FetchAssetsReply]):
    """Assets that the caller may see. With "more" all pages come as a stream; else one page, and a cursor
    when there is another. [Supports 'more' flag]"""

    albums: Sequence[str] | None = None
    """Only those in one of these albums, at most 10000. Smart albums may be among them, as wherever assets
    are asked for by albums."""
    ids: Sequence[str] | None = None
    """Only these, at most 10000; unknown ids are left out."""
    media_types: Sequence[MediaType] | None = None
    """Only those of these kinds."""
    created_after: datetime | None = None
    """Only those created at this time (RFC 3339) or later."""
    created_before: datetime | None = None
    """Only those created before this time (RFC 3339)."""
    name_contains: str | None = None
    """Only those whose filename contains this, whatever the case of ASCII letters."""
    subtypes: Sequence[Subtype] | None = None
    """Only those that are any of these."""
    taken_in: TakenIn | None = None
    """Begins there instead of at the beginning, in the order of created: the page then goes on from that
    time, or, when descending, back from it. Of no effect with a cursor."""
    bounding_box: BoundingBox | None = None
    """Only those taken in there, for who may know where."""
    sort: SortKey | None = None
    """The order; when absent created, but see recentlyAdded. custom takes one album, and no smart one."""
    descending: bool | None = None
    """The other way round."""
    limit: int | None = None
    """The most assets in a page, at most 1000. With more, a page has fewer where many are asked for."""
    cursor: str | None = None
    """Where the page before ended."""
    matching: AssetFilter | None = None
    """Only those for which this holds."""
    offset: int | None = None
    """Leaves out so many of the first that match. Of no effect with a cursor."""
    content_hashes: Sequence[str] | None = None
    """Only those whose contentHash is one of these, at most 1000; for who may know where pictures were
    taken."""
    is_favorite: bool | None = None
    """Only favourites; or, where false, only others."""
    include_hidden: bool | None = None
    """Hidden ones as well: of effect for owners and for who sees the whole library."""
    only_ids: bool | None = None
    """Ids, and what they are sorted by, in place of assets: for who reads the assets when they are looked
    at. A page then has up to 5000, and fewer for who sees a part of the library."""
    is_hidden: bool | None = None
    """Only hidden ones, for whom includeHidden is of effect, and none for others; or, where false, only
    others."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


FetchAssets.FIELDS = (
    Field("albums", "albums", values.array(values.text), True),
    Field("ids", "ids", values.array(values.text), True),
    Field("mediaTypes", "media_types", values.array(MediaType.decode), True),
    Field("createdAfter", "created_after", values.instant, True),
    Field("createdBefore", "created_before", values.instant, True),
    Field("nameContains", "name_contains", values.text, True),
    Field("subtypes", "subtypes", values.array(Subtype.decode), True),
    Field("takenIn", "taken_in", TakenIn.decode, True),
    Field("boundingBox", "bounding_box", BoundingBox.decode, True),
    Field("sort", "sort", SortKey.decode, True),
    Field("descending", "descending", values.boolean, True),
    Field("limit", "limit", values.integer, True),
    Field("cursor", "cursor", values.text, True),
    Field("matching", "matching", AssetFilter.decode, True),
    Field("offset", "offset", values.integer, True),
    Field("contentHashes", "content_hashes", values.array(values.text), True),
    Field("isFavorite", "is_favorite", values.boolean, True),
    Field("includeHidden", "include_hidden", values.boolean, True),
    Field("onlyIds", "only_ids", values.boolean, True),
    Field("isHidden", "is_hidden", values.boolean, True),
)
FetchAssets.NAME = "io.albumd.Library.FetchAssets"
FetchAssets.REPLY = FetchAssetsReply
FetchAssets.SUPPORTS_MORE = True


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchMomentsReply(Struct):
    """What io.albumd.Library.FetchMoments answers."""

    moments: Sequence[Moment]
    """Those in which there are any."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


FetchMomentsReply.FIELDS = (
    Field("moments", "moments", values.array(Moment.decode), False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchMoments(Method[FetchMomentsReply]):
    """The days, months or years in which assets were created that the caller may see, in order: what a
    gallery's scroll bar needs."""

    unit: MomentUnit
    """How long each is."""
    albums: Sequence[str] | None = None
    """Only of assets in one of these albums, at most 10000."""
    media_types: Sequence[MediaType] | None = None
    """Only of these kinds."""
    matching: AssetFilter | None = None
    """Only of those for which this holds."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


FetchMoments.FIELDS = (
    Field("unit", "unit", MomentUnit.decode, False),
    Field("albums", "albums", values.array(values.text), True),
    Field("mediaTypes", "media_types", values.array(MediaType.decode), True),
    Field("matching", "matching", AssetFilter.decode, True),
)
FetchMoments.NAME = "io.albumd.Library.FetchMoments"
FetchMoments.REPLY = FetchMomentsReply


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscribeReply(Struct):
    """What io.albumd.Library.Subscribe answers."""

    token: str
    """The place after these changes."""
    has_incremental_changes: bool
    """False when changes were lost to this subscriber, or what it may see is another altogether: fetch
    anew, then go on from this token. A changed selection is told as inserted and removed instead."""
    inserted: Sequence[Mapping[str, Any]]
    """The assets (in a subscription to albums: the albums) that are visible now and were not before."""
    removed: Sequence[str]
    """The ids of those that were visible and are not any more."""
    changed: Sequence[ItemChange]
    """Those that changed."""
    moved: Sequence[ItemMove]
    """Those that went from one album to another."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


SubscribeReply.FIELDS = (
    Field("token", "token", values.text, False),
    Field("hasIncrementalChanges", "has_incremental_changes", values.boolean, False),
    Field("inserted", "inserted", values.array(values.mapping), False),
    Field("removed", "removed", values.array(values.text), False),
    Field("changed", "changed", values.array(ItemChange.decode), False),
    Field("moved", "moved", values.array(ItemMove.decode), False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscribe(Method[SubscribeReply]):
    """Changes, from now on or from a place on. The first reply holds the token of where the stream begins;
    each further one what changed, and the token to come back with: whoever stores it and subscribes
    again with it receives everything since, once, in order. A reply names each asset or album once.
    [Requires 'more' flag]"""

    assets: AssetScope | None = None
    """About these assets; about all when this and albums are absent."""
    albums: bool | None = None
    """About the list of albums instead."""
    since: str | None = None
    """The token to go on from; now when absent."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


Subscribe.FIELDS = (
    Field("assets", "assets", AssetScope.decode, True),
    Field("albums", "albums", values.boolean, True),
    Field("since", "since", values.text, True),
)
Subscribe.NAME = "io.albumd.Library.Subscribe"
Subscribe.REPLY = SubscribeReply
Subscribe.REQUIRES_MORE = True


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAssetReply(Struct):
    """What io.albumd.Library.OpenAsset answers."""

    asset: Asset
    """The asset."""
    file_descriptor: int
    """The index of a read-only descriptor."""
    paired_video_extension: str | None = None
    """Of a paired video: the extension of its file, such as MOV. The rest of its name is the asset's."""
    sidecar_extension: str | None = None
    """Of a sidecar: what follows the asset's name without its extension, and a dot, in its own: xmp, or
    jpg.xmp."""
    alternate_photo_extension: str | None = None
    """Of an alternate photo: the extension of its file, such as CR3. The rest of its name is the asset's."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


OpenAssetReply.FIELDS = (
    Field("asset", "asset", Asset.decode, False),
    Field("fileDescriptor", "file_descriptor", values.integer, False),
    Field("pairedVideoExtension", "paired_video_extension", values.text, True),
    Field("sidecarExtension", "sidecar_extension", values.text, True),
    Field("alternatePhotoExtension", "alternate_photo_extension", values.text, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAsset(Method[OpenAssetReply]):
    """Opens a file of an asset for reading. For a caller without location
    (io.albumd.Authorization.GetStatus) that is a copy of the same length, in which what says where it
    was taken is overwritten, and nothing else. Where the caller leaves eight descriptors unread on its
    connection, or fewer where few files may be open, the reply waits until it has read them."""

    id: str
    """The asset."""
    resource: ResourceType | None = None
    """Which of its files; the photo or video itself when absent."""
    without_location: bool | None = None
    """For a caller with location: such a copy all the same, to be passed on."""
    sidecar: int | None = None
    """Which of several sidecars, from 0 in the order of their names; the first when absent."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


OpenAsset.FIELDS = (
    Field("id", "id", values.text, False),
    Field("resource", "resource", ResourceType.decode, True),
    Field("withoutLocation", "without_location", values.boolean, True),
    Field("sidecar", "sidecar", values.integer, True),
)
OpenAsset.NAME = "io.albumd.Library.OpenAsset"
OpenAsset.REPLY = OpenAssetReply


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPreviewReply(Struct):
    """What io.albumd.Library.OpenPreview answers."""

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


OpenPreviewReply.FIELDS = (
    Field("fileDescriptor", "file_descriptor", values.integer, False),
    Field("mediaType", "media_type", values.text, False),
    Field("pixelWidth", "pixel_width", values.integer, False),
    Field("pixelHeight", "pixel_height", values.integer, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPreview(Method[OpenPreviewReply]):
    """Opens a small picture of an asset: upright, in sRGB, without metadata. Of a video its first frame
    that is not black, of a live photo its still, of RAW the picture that the camera has put into the
    file. Who may open the asset may."""

    id: str
    """The asset."""
    pixels: int
    """The most pixels of its longer side, 16 to 4096. It is never enlarged."""
    crop: bool | None = None
    """Whether the square in the middle is cut out first."""
    encoding: PreviewEncoding | None = None
    """What it is written as; absent: compressed. A pixmap has at most 512 pixels of its longer side, and
    is made anew each time."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


OpenPreview.FIELDS = (
    Field("id", "id", values.text, False),
    Field("pixels", "pixels", values.integer, False),
    Field("crop", "crop", values.boolean, True),
    Field("encoding", "encoding", PreviewEncoding.decode, True),
)
OpenPreview.NAME = "io.albumd.Library.OpenPreview"
OpenPreview.REPLY = OpenPreviewReply


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparePreviewsReply(Struct):
    """What io.albumd.Library.PreparePreviews answers."""

    completed: int
    """How many of them are done."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


PreparePreviewsReply.FIELDS = (
    Field("completed", "completed", values.integer, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparePreviews(Method[PreparePreviewsReply]):
    """Makes previews before they are asked for, in the order of the ids: what is on the screen first.
    Hanging up ends it. [Supports 'more' flag]"""

    ids: Sequence[str]
    """The assets, at most 10000. What the caller does not see, or has no preview, is passed over."""
    pixels: int
    """As of OpenPreview."""
    crop: bool | None = None
    """As of OpenPreview."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


PreparePreviews.FIELDS = (
    Field("ids", "ids", values.array(values.text), False),
    Field("pixels", "pixels", values.integer, False),
    Field("crop", "crop", values.boolean, True),
)
PreparePreviews.NAME = "io.albumd.Library.PreparePreviews"
PreparePreviews.REPLY = PreparePreviewsReply
PreparePreviews.SUPPORTS_MORE = True


@dataclass(frozen=True, slots=True, kw_only=True)
class AddAssetsReply(Struct):
    """What io.albumd.Library.AddAssets answers."""

    ids: Sequence[str]
    """The ids of what was added, in the order of the items. An app that may only add gets receipts, which
    it cannot read back. Before the last reply: of what was added so far; a limited app is told of none
    before the last."""
    failures: Sequence[AddFailure]
    """What was not added. A call of which nothing could be added fails with the first item's error."""
    completed: int
    """How many items are done."""
    guide: Guide | None = None
    """What to show the person, where a purpose was given."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


AddAssetsReply.FIELDS = (
    Field("ids", "ids", values.array(values.text), False),
    Field("failures", "failures", values.array(AddFailure.decode), False),
    Field("completed", "completed", values.integer, False),
    Field("guide", "guide", Guide.decode, True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddAssets(Method[AddAssetsReply]):
    """Adds files. Each appears under its name only when it is whole and on disk. Fails with
    io.albumd.Authorization.Throttled where an app has added as much within a day as it may. [Supports
    'more' flag]"""

    items: Sequence[AddItem]
    """The files."""
    album: str | None = None
    """The album to add to; the directory that the configuration names when absent."""
    purpose: SavePurpose | None = None
    """What it is saved for: the reply then says what to show the person."""
    language: str | None = None
    """The language of that, such as "en" or "zh-Hans"."""
    desktop: str | None = None
    """The desktop of the person, as XDG_CURRENT_DESKTOP names it: what to show may depend on it."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


AddAssets.FIELDS = (
    Field("items", "items", values.array(AddItem.decode), False),
    Field("album", "album", values.text, True),
    Field("purpose", "purpose", SavePurpose.decode, True),
    Field("language", "language", values.text, True),
    Field("desktop", "desktop", values.text, True),
)
AddAssets.NAME = "io.albumd.Library.AddAssets"
AddAssets.REPLY = AddAssetsReply
AddAssets.SUPPORTS_MORE = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateAlbumReply(Struct):
    """What io.albumd.Library.CreateAlbum answers."""

    album: Album
    """The album."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


CreateAlbumReply.FIELDS = (
    Field("album", "album", Album.decode, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateAlbum(Method[CreateAlbumReply]):
    """Makes an album. The caller needs readWrite; a limited app sees the albums that it has made, and no
    others."""

    title: str
    """Its title, which is the name of a directory: not empty, no "/", no dot at its beginning, at most 255
    bytes. One that exists gets a number."""
    parent: str | None = None
    """The album it shall lie in; directly beneath a root when absent."""
    root: str | None = None
    """Beneath which root, as Root.name has it, where no parent is named; the first when absent."""
    percent_encoded_title: str | None = None
    """The title's bytes, as Album.percentEncodedTitle has them, where they are not UTF-8: they count then
    instead of title."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


CreateAlbum.FIELDS = (
    Field("title", "title", values.text, False),
    Field("parent", "parent", values.text, True),
    Field("root", "root", values.text, True),
    Field("percentEncodedTitle", "percent_encoded_title", values.text, True),
)
CreateAlbum.NAME = "io.albumd.Library.CreateAlbum"
CreateAlbum.REPLY = CreateAlbumReply


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameAlbumReply(Struct):
    """What io.albumd.Library.RenameAlbum answers."""

    album: Album
    """The album as it is now."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


RenameAlbumReply.FIELDS = (
    Field("album", "album", Album.decode, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameAlbum(Method[RenameAlbumReply]):
    """Gives an album another title. It keeps its id, and all that is in it. The caller needs readWrite; a
    limited app renames the albums that it has made."""

    album: str
    """The album."""
    title: str
    """Its new title, as for CreateAlbum. One that exists there is refused (NameTaken)."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


RenameAlbum.FIELDS = (
    Field("album", "album", values.text, False),
    Field("title", "title", values.text, False),
)
RenameAlbum.NAME = "io.albumd.Library.RenameAlbum"
RenameAlbum.REPLY = RenameAlbumReply


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveAlbumReply(Struct):
    """What io.albumd.Library.MoveAlbum answers."""

    album: Album
    """The album as it is now."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


MoveAlbumReply.FIELDS = (
    Field("album", "album", Album.decode, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveAlbum(Method[MoveAlbumReply]):
    """Has an album lie in another one of the same root. It keeps its id, its title, and all that is in it.
    The caller needs readWrite; a limited app moves the albums that it has made, into such."""

    album: str
    """The album."""
    parent: str | None = None
    """The album it shall lie in; directly beneath its root when absent."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


MoveAlbum.FIELDS = (
    Field("album", "album", values.text, False),
    Field("parent", "parent", values.text, True),
)
MoveAlbum.NAME = "io.albumd.Library.MoveAlbum"
MoveAlbum.REPLY = MoveAlbumReply


@dataclass(frozen=True, slots=True, kw_only=True)
class SetKeyAssetReply(Struct):
    """What io.albumd.Library.SetKeyAsset answers."""

    album: Album
    """The album as it is now."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


SetKeyAssetReply.FIELDS = (
    Field("album", "album", Album.decode, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetKeyAsset(Method[SetKeyAssetReply]):
    """Chooses the asset that stands for an album where its picture is shown. It is kept for the album's
    life, and shown while the asset is in the album and not hidden. The caller needs readWrite; a
    limited app does so for the albums that it has made."""

    album: str
    """The album."""
    asset: str | None = None
    """The asset, one of those in it (NoSuchAsset); none any more when absent."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


SetKeyAsset.FIELDS = (
    Field("album", "album", values.text, False),
    Field("asset", "asset", values.text, True),
)
SetKeyAsset.NAME = "io.albumd.Library.SetKeyAsset"
SetKeyAsset.REPLY = SetKeyAssetReply


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteAlbumReply(Struct):
    """What io.albumd.Library.DeleteAlbum answers."""

    deleted: Sequence[str]
    """The ids of the assets that were deleted with it, and can be restored for some days."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


DeleteAlbumReply.FIELDS = (
    Field("deleted", "deleted", values.array(values.text), False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteAlbum(Method[DeleteAlbumReply]):
    """Deletes an album, and all albums in it. Assets that are elsewhere as well stay there. Where there
    are none, or all are elsewhere as well, the album goes at once; else the owner is asked about all
    that are in it, as DeleteAssets does, which also says how that fails. The caller needs readWrite; a
    limited app deletes albums that it has made."""

    album: str
    """The album. Nothing but photos, videos and albums may lie in it (AlbumNotEmpty)."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


DeleteAlbum.FIELDS = (
    Field("album", "album", values.text, False),
)
DeleteAlbum.NAME = "io.albumd.Library.DeleteAlbum"
DeleteAlbum.REPLY = DeleteAlbumReply


@dataclass(frozen=True, slots=True, kw_only=True)
class AddToAlbumReply(Struct):
    """What io.albumd.Library.AddToAlbum answers."""

    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


AddToAlbumReply.FIELDS = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AddToAlbum(Method[AddToAlbumReply]):
    """Puts assets into another album, where they keep their names as long as those are free. They stay in
    the albums they are in. The caller needs readWrite."""

    ids: Sequence[str]
    """The assets, at most 1000. Those that are in the album stay as they are."""
    album: str
    """The album."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


AddToAlbum.FIELDS = (
    Field("ids", "ids", values.array(values.text), False),
    Field("album", "album", values.text, False),
)
AddToAlbum.NAME = "io.albumd.Library.AddToAlbum"
AddToAlbum.REPLY = AddToAlbumReply


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveFromAlbumReply(Struct):
    """What io.albumd.Library.RemoveFromAlbum answers."""

    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


RemoveFromAlbumReply.FIELDS = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveFromAlbum(Method[RemoveFromAlbumReply]):
    """Takes assets out of an album. Each must be somewhere else as well: what shall go altogether is
    deleted. When an error comes, those before it in the list have been taken out. The caller needs
    readWrite."""

    ids: Sequence[str]
    """The assets, at most 1000. Those that are not in the album stay as they are."""
    album: str
    """The album."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


RemoveFromAlbum.FIELDS = (
    Field("ids", "ids", values.array(values.text), False),
    Field("album", "album", values.text, False),
)
RemoveFromAlbum.NAME = "io.albumd.Library.RemoveFromAlbum"
RemoveFromAlbum.REPLY = RemoveFromAlbumReply


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameAssetReply(Struct):
    """What io.albumd.Library.RenameAsset answers."""

    asset: Asset
    """The asset as it is now."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


RenameAssetReply.FIELDS = (
    Field("asset", "asset", Asset.decode, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameAsset(Method[RenameAssetReply]):
    """Gives an asset another name, in all its albums. It keeps its id, its extension, and with a live
    photo its movie is called after it. The caller needs readWrite."""

    id: str
    """The asset."""
    filename: str
    """Its new name, with its extension or without. One that exists there is refused (NameTaken)."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


RenameAsset.FIELDS = (
    Field("id", "id", values.text, False),
    Field("filename", "filename", values.text, False),
)
RenameAsset.NAME = "io.albumd.Library.RenameAsset"
RenameAsset.REPLY = RenameAssetReply


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveAssetsReply(Struct):
    """What io.albumd.Library.MoveAssets answers."""

    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


MoveAssetsReply.FIELDS = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveAssets(Method[MoveAssetsReply]):
    """Moves assets into an album, or into none, out of all others that the caller sees them in, and from
    beneath the root; out of an album that it does not see, none is taken. They keep their ids, and
    their names as long as those are free. When an error comes, those before it in the list have been
    moved. The caller needs readWrite."""

    ids: Sequence[str]
    """The assets, at most 1000."""
    album: str | None = None
    """The album, in the same root. Absent: directly beneath the root that they are in; one that is
    somewhere else as well, where the caller sees no album, is there alone afterwards."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


MoveAssets.FIELDS = (
    Field("ids", "ids", values.array(values.text), False),
    Field("album", "album", values.text, True),
)
MoveAssets.NAME = "io.albumd.Library.MoveAssets"
MoveAssets.REPLY = MoveAssetsReply


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveInAlbumReply(Struct):
    """What io.albumd.Library.MoveInAlbum answers."""

    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


MoveInAlbumReply.FIELDS = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveInAlbum(Method[MoveInAlbumReply]):
    """Puts assets of an album before another one in it, in the order that they are named in: in which
    FetchAssets sorts by custom. Those that were never put anywhere come after all others, the first
    created first. When an error comes, some may have been put there. The caller needs readWrite; a
    limited app does so in the albums that it has made."""

    album: str
    """The album."""
    ids: Sequence[str]
    """The assets, at most 1000, all of them in the album (NoSuchAsset)."""
    before: str | None = None
    """The one before which they come, which is in the album as well (NoSuchAsset), and none of them; at
    the end when absent."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


MoveInAlbum.FIELDS = (
    Field("album", "album", values.text, False),
    Field("ids", "ids", values.array(values.text), False),
    Field("before", "before", values.text, True),
)
MoveInAlbum.NAME = "io.albumd.Library.MoveInAlbum"
MoveInAlbum.REPLY = MoveInAlbumReply


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFavoriteReply(Struct):
    """What io.albumd.Library.SetFavorite answers."""

    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


SetFavoriteReply.FIELDS = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFavorite(Method[SetFavoriteReply]):
    """Marks assets as favourites, or as none any more. Their files say so for other programs: a tag,
    Favorite, among those of the extended attribute user.xdg.tags. When an error comes, those before it
    in the list have been marked. The caller needs readWrite."""

    ids: Sequence[str]
    """The assets, at most 1000."""
    favorite: bool
    """Whether they are favourites."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


SetFavorite.FIELDS = (
    Field("ids", "ids", values.array(values.text), False),
    Field("favorite", "favorite", values.boolean, False),
)
SetFavorite.NAME = "io.albumd.Library.SetFavorite"
SetFavorite.REPLY = SetFavoriteReply


@dataclass(frozen=True, slots=True, kw_only=True)
class SetHiddenReply(Struct):
    """What io.albumd.Library.SetHidden answers."""

    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


SetHiddenReply.FIELDS = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SetHidden(Method[SetHiddenReply]):
    """Hides assets, or shows them again. What is hidden is left out of all that does not ask for it,
    albums and moments included; for an app that sees a part of the library only it does not exist.
    Their files say so: the extended attribute user.io.albumd.hidden is 1. When an error comes, those
    before it in the list have been hidden. The caller needs readWrite, and to see the whole library:
    another app is refused (org.varlink.service.PermissionDenied)."""

    ids: Sequence[str]
    """The assets, at most 1000."""
    hidden: bool
    """Whether they are hidden."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


SetHidden.FIELDS = (
    Field("ids", "ids", values.array(values.text), False),
    Field("hidden", "hidden", values.boolean, False),
)
SetHidden.NAME = "io.albumd.Library.SetHidden"
SetHidden.REPLY = SetHiddenReply


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaceAssetReply(Struct):
    """What io.albumd.Library.ReplaceAsset answers."""

    asset: Asset
    """The asset as it is now."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


ReplaceAssetReply.FIELDS = (
    Field("asset", "asset", Asset.decode, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaceAsset(Method[ReplaceAssetReply]):
    """Overwrites an asset's photo or video; its id, its name and its albums stay. The owner is asked each
    time. What it was before can be restored, as an asset of its own. With an adjustment, what it was
    before the first one is kept as its original instead, and RevertAsset puts that back; without one
    it has no original any more. The caller needs readWrite. Where the owner cannot be asked it fails
    as DeleteAssets does."""

    id: str
    """The asset."""
    file_descriptor: int
    """The index of a readable descriptor of a regular file of the same kind: a photo for a photo. Of a
    live photo it is the still; its movie stays."""
    adjustment: Adjustment | None = None
    """What was done to it, which replaces what was done before. It counts as bytes that the app adds."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


ReplaceAsset.FIELDS = (
    Field("id", "id", values.text, False),
    Field("fileDescriptor", "file_descriptor", values.integer, False),
    Field("adjustment", "adjustment", Adjustment.decode, True),
)
ReplaceAsset.NAME = "io.albumd.Library.ReplaceAsset"
ReplaceAsset.REPLY = ReplaceAssetReply


@dataclass(frozen=True, slots=True, kw_only=True)
class GetAdjustmentReply(Struct):
    """What io.albumd.Library.GetAdjustment answers."""

    adjustment: Adjustment
    """What was done."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


GetAdjustmentReply.FIELDS = (
    Field("adjustment", "adjustment", Adjustment.decode, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GetAdjustment(Method[GetAdjustmentReply]):
    """What was done to an asset last, with ReplaceAsset. NoAdjustment where that is not known, or where
    another program has changed the file since. Fails with LocationCannotBeRemoved for a caller without
    location where anybody who has edited it so had that."""

    id: str
    """The asset."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


GetAdjustment.FIELDS = (
    Field("id", "id", values.text, False),
)
GetAdjustment.NAME = "io.albumd.Library.GetAdjustment"
GetAdjustment.REPLY = GetAdjustmentReply


@dataclass(frozen=True, slots=True, kw_only=True)
class RevertAssetReply(Struct):
    """What io.albumd.Library.RevertAsset answers."""

    asset: Asset
    """The asset as it is now."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


RevertAssetReply.FIELDS = (
    Field("asset", "asset", Asset.decode, False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RevertAsset(Method[RevertAssetReply]):
    """Puts an asset's original back; its id, its name and its albums stay. The owner is asked each time.
    What it was before can be restored, as an asset of its own. The caller needs readWrite.
    NoAdjustment where no original is kept. Where the owner cannot be asked it fails as DeleteAssets
    does."""

    id: str
    """The asset."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


RevertAsset.FIELDS = (
    Field("id", "id", values.text, False),
)
RevertAsset.NAME = "io.albumd.Library.RevertAsset"
RevertAsset.REPLY = RevertAssetReply


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteAssetsReply(Struct):
    """What io.albumd.Library.DeleteAssets answers."""

    deleted: Sequence[str]
    """The ids of what was deleted. A call that could delete nothing fails with the first error."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


DeleteAssetsReply.FIELDS = (
    Field("deleted", "deleted", values.array(values.text), False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteAssets(Method[DeleteAssetsReply]):
    """Deletes assets, from all their albums. The owner is asked each time, and can restore them for some
    days. The caller needs readWrite. Fails with io.albumd.Authorization.NoAgent when no agent of an
    owner is there, with io.albumd.Authorization.Busy while another prompt of the app is open, and with
    io.albumd.Authorization.Throttled for a while after three that the owner refused or put off."""

    ids: Sequence[str]
    """The assets, at most 1000."""
    unknown_fields: Mapping[str, Any] = field(default_factory=nothing, hash=False, repr=False)
    """What another version says besides."""


DeleteAssets.FIELDS = (
    Field("ids", "ids", values.array(values.text), False),
)
DeleteAssets.NAME = "io.albumd.Library.DeleteAssets"
DeleteAssets.REPLY = DeleteAssetsReply


class NotAuthorized(RemoteError):
    """The caller may not do this."""

    NAME = "io.albumd.Library.NotAuthorized"
    FIELDS = (
        Field("accessLevel", "access_level", AccessLevel.decode, False),
        Field("status", "status", AuthorizationStatus.decode, False),
        Field("guide", "guide", Guide.decode, False),
        Field("message", "message", values.text, True),
    )

    access_level: AccessLevel
    """The level that it needs."""
    status: AuthorizationStatus
    """Its status."""
    guide: Guide
    """What to show the person: in the language that the call names; where it names none, in that of the
    connection (SetLanguage), else in the one that the app named last (Request, AddAssets, Pick), else
    in the daemon's."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class NoSuchAsset(RemoteError):
    """No asset of this id, as far as the caller may see."""

    NAME = "io.albumd.Library.NoSuchAsset"
    FIELDS = (
        Field("id", "id", values.text, False),
        Field("message", "message", values.text, True),
    )

    id: str
    """The id."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class LocationCannotBeRemoved(RemoteError):
    """The caller may not learn where the photo was taken, and its file cannot be had without that: it is
    of a format in which places cannot be found, or cannot be read to its end."""

    NAME = "io.albumd.Library.LocationCannotBeRemoved"
    FIELDS = (
        Field("id", "id", values.text, False),
        Field("message", "message", values.text, True),
    )

    id: str
    """The asset's id."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class NoSuchResource(RemoteError):
    """The asset has no such file."""

    NAME = "io.albumd.Library.NoSuchResource"
    FIELDS = (
        Field("id", "id", values.text, False),
        Field("resource", "resource", ResourceType.decode, False),
        Field("message", "message", values.text, True),
    )

    id: str
    """The asset's id."""
    resource: ResourceType
    """What it does not have; resources of the asset says what it has."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class NoAdjustment(RemoteError):
    """What was done to the asset is not known; to RevertAsset: it has no original."""

    NAME = "io.albumd.Library.NoAdjustment"
    FIELDS = (
        Field("id", "id", values.text, False),
        Field("message", "message", values.text, True),
    )

    id: str
    """The asset's id."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class PreviewUnavailable(RemoteError):
    """There is no preview of an asset, for now or as long as its file stays as it is."""

    NAME = "io.albumd.Library.PreviewUnavailable"
    FIELDS = (
        Field("id", "id", values.text, False),
        Field("reason", "reason", PreviewProblem.decode, False),
        Field("message", "message", values.text, True),
    )

    id: str
    """The asset."""
    reason: PreviewProblem
    """Why."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class NoSuchAlbum(RemoteError):
    """No album of this id, as far as the caller may see."""

    NAME = "io.albumd.Library.NoSuchAlbum"
    FIELDS = (
        Field("id", "id", values.text, False),
        Field("message", "message", values.text, True),
    )

    id: str
    """The id."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class TokenExpired(RemoteError):
    """The token is of another journal, or older than the changes that are kept. Fetch anew."""

    NAME = "io.albumd.Library.TokenExpired"
    FIELDS = (
        Field("message", "message", values.text, True),
    )

    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class Offline(RemoteError):
    """The root cannot be reached at present."""

    NAME = "io.albumd.Library.Offline"
    FIELDS = (
        Field("root", "root", values.text, False),
        Field("message", "message", values.text, True),
    )

    root: str
    """Its name."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class NotMedia(RemoteError):
    """The file is neither a photo nor a video, by its content; or, to overwrite an asset, not of its kind."""

    NAME = "io.albumd.Library.NotMedia"
    FIELDS = (
        Field("item", "item", values.integer, False),
        Field("message", "message", values.text, True),
    )

    item: int
    """Its index among the items."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class TooLarge(RemoteError):
    """A file to add is larger than the configuration allows."""

    NAME = "io.albumd.Library.TooLarge"
    FIELDS = (
        Field("item", "item", values.integer, False),
        Field("limit", "limit", values.integer, False),
        Field("message", "message", values.text, True),
    )

    item: int
    """Its index among the items."""
    limit: int
    """The most bytes."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class NoSpace(RemoteError):
    """The file system of the library is full. Nothing half-made was left."""

    NAME = "io.albumd.Library.NoSpace"
    FIELDS = (
        Field("message", "message", values.text, True),
    )

    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class UserRefused(RemoteError):
    """The owner was asked and did not agree. Nothing was changed."""

    NAME = "io.albumd.Library.UserRefused"
    FIELDS = (
        Field("message", "message", values.text, True),
    )

    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class LastAlbum(RemoteError):
    """The asset is in no other place: to remove it altogether, delete it."""

    NAME = "io.albumd.Library.LastAlbum"
    FIELDS = (
        Field("id", "id", values.text, False),
        Field("message", "message", values.text, True),
    )

    id: str
    """The asset."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class CannotLink(RemoteError):
    """The asset cannot be in that album as well."""

    NAME = "io.albumd.Library.CannotLink"
    FIELDS = (
        Field("id", "id", values.text, False),
        Field("reason", "reason", values.text, False),
        Field("message", "message", values.text, True),
    )

    id: str
    """The asset."""
    reason: str
    """Why, for a person to read; such as that the album is on another file system."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class AlbumNotEmpty(RemoteError):
    """The album cannot be deleted, because of what is in it."""

    NAME = "io.albumd.Library.AlbumNotEmpty"
    FIELDS = (
        Field("id", "id", values.text, False),
        Field("reason", "reason", AlbumRemainder.decode, False),
        Field("message", "message", values.text, True),
    )

    id: str
    """The album."""
    reason: AlbumRemainder
    """What that is."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class NameTaken(RemoteError):
    """There is something else of that name."""

    NAME = "io.albumd.Library.NameTaken"
    FIELDS = (
        Field("name", "name", values.text, False),
        Field("message", "message", values.text, True),
    )

    name: str
    """The name."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class CannotMove(RemoteError):
    """It cannot be there."""

    NAME = "io.albumd.Library.CannotMove"
    FIELDS = (
        Field("id", "id", values.text, False),
        Field("reason", "reason", MoveProblem.decode, False),
        Field("message", "message", values.text, True),
    )

    id: str
    """What was to be moved."""
    reason: MoveProblem
    """Why not."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class FlagsNotSupported(RemoteError):
    """The asset's file cannot be marked: its file system keeps no extended attributes, there is no room
    for another, or the file is not albumd's to write."""

    NAME = "io.albumd.Library.FlagsNotSupported"
    FIELDS = (
        Field("id", "id", values.text, False),
        Field("message", "message", values.text, True),
    )

    id: str
    """The asset."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class ReadOnly(RemoteError):
    """The file system of the library cannot be written."""

    NAME = "io.albumd.Library.ReadOnly"
    FIELDS = (
        Field("root", "root", values.text, False),
        Field("message", "message", values.text, True),
    )

    root: str
    """The name of its root."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class TooManyAlbums(RemoteError):
    """The app has created as many albums as the configuration allows (limits.albumsPerApp)."""

    NAME = "io.albumd.Library.TooManyAlbums"
    FIELDS = (
        Field("limit", "limit", values.integer, False),
        Field("message", "message", values.text, True),
    )

    limit: int
    """The most that may be there."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class TooDeep(RemoteError):
    """The album would lie inside more others than the configuration allows (limits.albumDepth)."""

    NAME = "io.albumd.Library.TooDeep"
    FIELDS = (
        Field("limit", "limit", values.integer, False),
        Field("message", "message", values.text, True),
    )

    limit: int
    """The most albums inside one another, the new one counted."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""


class InvalidFileDescriptor(RemoteError):
    """A descriptor cannot be read, is not a regular file, or is missing."""

    NAME = "io.albumd.Library.InvalidFileDescriptor"
    FIELDS = (
        Field("item", "item", values.integer, False),
        Field("reason", "reason", values.text, False),
        Field("message", "message", values.text, True),
    )

    item: int
    """The index of the item."""
    reason: str
    """What is the matter."""
    message: str | None
    """The same as a sentence, in the language that the caller has named; absent where it has named none."""
