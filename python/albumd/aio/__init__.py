"""The same for asyncio: `from albumd.aio import PhotoLibrary`. What one waits for is awaited, and iterated with
`async for`; the rest is albumd's own."""

from .agent import PhotoLibraryAgent as PhotoLibraryAgent
from .changes import AlbumChanges as AlbumChanges, AssetChanges as AssetChanges, States as States, Statuses as Statuses
from .connection import Connection as Connection, Stream as Stream
from .fetching import FetchResult as FetchResult
from .library import PhotoLibrary as PhotoLibrary
from .permission import PhotoLibraryPermissionManager as PhotoLibraryPermissionManager
