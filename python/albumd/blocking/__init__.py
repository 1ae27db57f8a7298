"""What a thread waits for. `albumd` itself has all of it."""

from .agent import PhotoLibraryAgent as PhotoLibraryAgent
from .changes import AlbumChanges as AlbumChanges, AssetChanges as AssetChanges, Statuses as Statuses
from .connection import Connection as Connection, Stream as Stream
from .fetching import FetchResult as FetchResult
from .library import PhotoLibrary as PhotoLibrary
from .permission import PhotoLibraryPermissionManager as PhotoLibraryPermissionManager
