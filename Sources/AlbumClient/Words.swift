public import AlbumAPI

/// A photo, a video or a live photo. PhotoKit: `PHAsset`.
public typealias Asset = LibraryInterface.Asset
/// ``Asset`` by the name that it has beside others of this kind. PhotoKit: `PHAsset`.
public typealias PhotoAsset = Asset
/// A directory of the library. PhotoKit: `PHAssetCollection`; **differs**: albums nest.
public typealias Album = LibraryInterface.Album
/// What kind of asset it is. PhotoKit: `PHAssetMediaType`; **differs**: a live photo is a kind of its own.
public typealias MediaType = LibraryInterface.MediaType
/// One file of an asset. PhotoKit: `PHAssetResourceType`.
public typealias ResourceType = LibraryInterface.ResourceType
/// May add, or read and add (S2). PhotoKit: `PHAccessLevel`.
public typealias AccessLevel = AuthorizationInterface.AccessLevel
/// The five statuses (S1). PhotoKit: `PHAuthorizationStatus`.
public typealias AuthorizationStatus = AuthorizationInterface.AuthorizationStatus
/// What to show a person whose app was refused (S15). PhotoKit has none: apps write their own.
public typealias Guide = AuthorizationInterface.Guide
