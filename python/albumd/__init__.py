"""albumd's photo library for Python programs: what an app may do, its photos, their changes, and adding to them.

    from albumd import PhotoLibrary

    with PhotoLibrary() as library:
        library.request_authorization()
        for asset in library.fetch_assets(descending=True, limit=10):
            with library.open(asset) as photo:
                print(asset.filename, len(photo.read()))

`albumd.aio` has the same for asyncio. `albumd.interfaces` has every method of the daemon as a class, which
`Connection.call` and `Connection.stream` take.
"""

from . import interfaces as interfaces
from .adjustment import PhotoAdjustment as PhotoAdjustment
from .blocking import AlbumChanges as AlbumChanges, AssetChanges as AssetChanges, Connection as Connection
from .blocking import FetchResult as FetchResult, PhotoLibrary as PhotoLibrary
from .blocking import PhotoLibraryAgent as PhotoLibraryAgent, Statuses as Statuses, Stream as Stream
from .blocking import PhotoLibraryPermissionManager as PhotoLibraryPermissionManager
from .changes import Changes as Changes
from .descriptors import Descriptors as Descriptors
from .errors import *
from .interfaces.agent import Answer as Answer, Decision as Decision, Duration as Duration
from .interfaces.agent import InvalidAnswer as InvalidAnswer, NotAnOwner as NotAnOwner, NoSuchPrompt as NoSuchPrompt
from .interfaces.agent import Prompt as Prompt, PromptKind as PromptKind
from .interfaces.authorization import AccessLevel as AccessLevel, AuthorizationStatus as AuthorizationStatus
from .interfaces.authorization import Busy as Busy, Guide as Guide, Identity as Identity, NoAgent as NoAgent
from .interfaces.authorization import Throttled as Throttled, UnidentifiedPeer as UnidentifiedPeer
from .interfaces.authorization import UsageDescriptionMissing as UsageDescriptionMissing
from .interfaces.library import Album as Album, Asset as Asset, CannotLink as CannotLink
from .interfaces.library import InvalidFileDescriptor as InvalidFileDescriptor, LastAlbum as LastAlbum
from .interfaces.library import LocationCannotBeRemoved as LocationCannotBeRemoved
from .interfaces.library import LibraryState as LibraryState, MediaType as MediaType, NoSpace as NoSpace
from .interfaces.library import AlbumNotEmpty as AlbumNotEmpty, CannotMove as CannotMove
from .interfaces.library import FlagsNotSupported as FlagsNotSupported
from .interfaces.library import AssetFilter as AssetFilter, SmartAlbumKind as SmartAlbumKind, Subtype as Subtype
from .interfaces.library import NameTaken as NameTaken, NoAdjustment as NoAdjustment, ReadOnly as ReadOnly
from .interfaces.library import NoSuchAlbum as NoSuchAlbum, NoSuchAsset as NoSuchAsset
from .interfaces.library import NoSuchResource as NoSuchResource, NotAuthorized as NotAuthorized
from .interfaces.library import NotMedia as NotMedia, Offline as Offline, ResourceType as ResourceType
from .interfaces.library import SavePurpose as SavePurpose, SortKey as SortKey, TokenExpired as TokenExpired
from .interfaces.library import TooDeep as TooDeep, TooLarge as TooLarge, TooManyAlbums as TooManyAlbums
from .interfaces.library import UserRefused as UserRefused
from .interfaces.picker import PickerFilter as PickerFilter
from .loading import LoadedPick as LoadedPick, NotLoaded as NotLoaded, PickProgress as PickProgress
from .media import MediaItem as MediaItem, PickedAsset as PickedAsset, PickedSidecar as PickedSidecar
from .media import PickResult as PickResult, Sidecar as Sidecar
from .media import SavedPhotos as SavedPhotos, SaveProgress as SaveProgress
from .permission import PermissionOutcome as PermissionOutcome
