import AlbumAPI
import AlbumClient
import TestSupport
import Testing

@Suite("The client library: where a result begins", .blocking, .timeLimit(.minutes(30)))
struct FetchOptionTests {
  /// Days in September 2020, from the 13th.
  private static let times = (0..<6).map {
    Instant(microseconds: 1_600_000_000_000_000 + Int64($0) * 86_400_000_000)
  }

  /// `0.jpg` to `5.jpg`, a day each.
  private func host() throws -> (Host, PhotoLibrary) {
    let host = try Host { try $0.describeThisProcess() }
    try host.set(.client, .authorized)
    let connection = try AlbumConnection(socket: host.library.socket)
    let items = Self.times.enumerated().map { number, time in
      MediaItem(.bytes(Photo.jpeg("\(number)")), named: "\(number).jpg", modified: time)
    }
    for result in connection.save(items) { _ = try result.get() }
    return (host, PhotoLibrary(socketPath: host.library.socket))
  }

  /// What a whole fetch finds, and a lazy one as well.
  private func names(_ library: PhotoLibrary, _ options: FetchOptions) async throws -> [String] {
    let whole = try await library.fetchAssets(with: options).map(\.filename)
    let lazily = try await library.fetchAssets(lazily: options)
    var found: [String] = []
    for try await asset in lazily { found.append(asset.filename) }
    #expect(found == whole && lazily.count == whole.count)
    return whole
  }

  @Test("S59, S92: a result begins at a time, in either direction, or after so many of the first")
  func beginnings() async throws {
    let (host, library) = try host()
    let third = Self.times[3]
    #expect(try await names(library, .init(takenIn: third)) == ["3.jpg", "4.jpg", "5.jpg"])
    #expect(
      try await names(library, .init(ascending: false, takenIn: third)) == [
        "3.jpg", "2.jpg", "1.jpg", "0.jpg",
      ])
    #expect(try await names(library, .init(fetchLimit: 2, takenIn: Self.times[1])) == ["1.jpg", "2.jpg"])
    #expect(try await names(library, .init(fetchOffset: 4)) == ["4.jpg", "5.jpg"])
    #expect(try await names(library, .init(fetchLimit: 2, fetchOffset: 1)) == ["1.jpg", "2.jpg"])
    #expect(try await names(library, .init(fetchOffset: 6)).isEmpty)
    #expect(try await names(library, .init(fetchOffset: -1)).count == 6)
    #expect(try await names(library, .init(takenIn: third, fetchOffset: 1)) == ["4.jpg", "5.jpg"])
    let error = await #expect(throws: AlbumError.self) {
      try await library.fetchAssets(with: .init(sortKey: .filename, takenIn: third))
    }
    #expect(error?.code == .invalidParameter)
    // More ids than one question takes: what is left out is so of all answers together.
    let ids = try await library.fetchAssets().map(\.id)
    let unknown = (0..<700).map { "\($0 % 36)" + String(repeating: "z", count: 240) + "\($0)" }
    let some = try await library.fetchAssets(
      withLocalIdentifiers: ids + unknown, options: .init(fetchLimit: 2, fetchOffset: 3))
    #expect(some.map(\.filename) == ["3.jpg", "4.jpg"])
    let most = try await library.fetchAssets(
      withLocalIdentifiers: ids + unknown, options: .init(fetchLimit: .max, fetchOffset: 5))
    #expect(most.map(\.filename) == ["5.jpg"])
    #expect(try host.owner().assets().count == 6)
  }

  @Test("S106: a result of hidden assets alone, and one without them")
  func hidden() async throws {
    let (host, library) = try host()
    let owner = try host.owner()
    try owner.call(
      LibraryInterface.SetHidden.self, .init(ids: [try owner.asset("2.jpg").id], hidden: true))
    #expect(try await names(library, .init(isHidden: true)) == ["2.jpg"])
    #expect(
      try await names(library, .init(includeHiddenAssets: true, isHidden: false))
        == ["0.jpg", "1.jpg", "3.jpg", "4.jpg", "5.jpg"])
    try host.set(.client, .limited)
    #expect(try await names(library, .init(isHidden: true)).isEmpty)
  }

  @Test("S59, S106: albumctl begins at a time, and lists hidden ones alone")
  func command() throws {
    let (host, _) = try host()
    let owner = try host.owner()
    try owner.call(
      LibraryInterface.SetHidden.self, .init(ids: [try owner.asset("4.jpg").id], hidden: true))
    func listed(_ arguments: String...) throws -> [String] {
      let outcome = try host.albumctl(["assets", "--owner"] + arguments, environment: ["LANG=C.UTF-8"])
      #expect(outcome.status == 0, "\(outcome)")
      return (0..<6).map { "\($0).jpg" }.filter(outcome.output.contains)
    }
    #expect(try listed("--taken-in", "2020-09-16") == ["3.jpg", "5.jpg"])
    #expect(try listed("--taken-in", "2020-09-16", "--descending") == ["0.jpg", "1.jpg", "2.jpg"])
    #expect(try listed("--only-hidden") == ["4.jpg"])
    #expect(try listed("--offset", "4") == ["5.jpg"])
    let refused = try host.albumctl("assets", "--owner", "--taken-in", "2020-09-16", "--sort", "filename")
    #expect(refused.status == 2 && refused.output.contains("--taken-in"))
  }
}
