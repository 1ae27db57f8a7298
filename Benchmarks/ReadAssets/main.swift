import AlbumAPI
import AlbumClient
import Glibc

// read-assets SOCKET: for each line on standard input, fetches every asset by `AlbumClient`, and says in one line what they
// come to. src/assets.c does the same in C, and must say the same.

/// What of all assets is told: each kind of field is among it, so that none can be left out.
struct Sums {
  var assets = 0
  var text = 0
  var byteCount: Int64 = 0
  var microseconds: Int64 = 0
  var pixels = 0
  var words = 0
  var places = 0.0

  mutating func add(_ asset: LibraryInterface.Asset) {
    assets += 1
    text += asset.id.utf8.count + asset.filename.utf8.count + (asset.createdLocal?.utf8.count ?? 0)
    for album in asset.albums { text += album.utf8.count }
    byteCount += asset.byteCount
    microseconds &+= asset.created.microseconds &+ asset.modified.microseconds
    pixels += (asset.pixelWidth ?? 0) + (asset.pixelHeight ?? 0)
    words += asset.resources.count + (asset.subtypes?.count ?? 0)
    if asset.mediaType == .image { words += 1 }
    if asset.createdFrom == .capture { words += 1 }
    if let location = asset.location { places += location.latitude + location.longitude }
  }
}

func run() throws(AlbumError) {
  let connection = try AlbumConnection(socket: CommandLine.arguments.dropFirst().first)
  // Then it is told where photos were taken as well.
  try connection.actAsOwner()
  while readLine() != nil {
    var assets: [LibraryInterface.Asset] = []
    let pages = try connection.assets(.init(limit: 1000))
    while let page = try pages.next() { assets += page.assets }
    var sums = Sums()
    for asset in assets { sums.add(asset) }
    print(
      sums.assets, sums.text, sums.byteCount, sums.microseconds, sums.pixels, sums.words,
      Int((sums.places * 1000).rounded()))
    fflush(nil)
  }
}

do {
  try run()
} catch {
  "read-assets: \(error)\n".withCString { _ = write(STDERR_FILENO, $0, strlen($0)) }
  exit(1)
}
