import AlbumAPI
import AlbumClient
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("The client library's pictures", .blocking, .timeLimit(.minutes(30)))
struct ImageManagerTests {
  private func host(_ prepare: (TemporaryLibrary) throws -> Void) throws -> (Host, PhotoLibrary, ImageManager)
  {
    let host = try Host {
      try $0.describeThisProcess()
      try prepare($0)
    }
    try host.set(.client, .authorized)
    let library = PhotoLibrary(socketPath: host.library.socket)
    return (host, library, ImageManager(library))
  }

  @Test("S54: a small picture comes first, marked as degraded, and then the one that was asked for")
  func degraded() async throws {
    let (host, library, images) = try host { try PictureTools.halves($0.path("a.jpg")) }
    defer { withExtendedLifetime(host) {} }
    let asset = try #require(try await library.fetchAssets().first)
    func sizes(_ options: ImageRequestOptions, _ side: Int) async throws -> [[Int]] {
      var found: [[Int]] = []
      for try await result in images.requestImage(
        for: asset, targetSize: ImageSize(width: side, height: side), options: options)
      {
        #expect(result.mediaType == "image/jpeg" && result.bytes.starts(with: [0xFF, 0xD8, 0xFF]))
        found.append([result.size.width, result.size.height, result.isDegraded ? 1 : 0])
      }
      return found
    }
    #expect(try await sizes(.init(), 1024) == [[256, 192, 1], [1024, 768, 0]])
    #expect(try await sizes(.init(), 200) == [[200, 150, 0]])
    #expect(try await sizes(.init(deliveryMode: .highQualityFormat), 1024) == [[1024, 768, 0]])
    #expect(try await sizes(.init(deliveryMode: .fastFormat), 1024) == [[256, 192, 0]])
  }

  @Test(
    "S54: that the picture is there is told before it comes, and nothing of the small one that comes first")
  func progress() async throws {
    let (host, library, images) = try host { try PictureTools.halves($0.path("a.jpg")) }
    defer { withExtendedLifetime(host) {} }
    let asset = try #require(try await library.fetchAssets().first)
    let told = Mutex<[Double]>([])
    let options = ImageRequestOptions(progressHandler: { done in told.withLock { $0.append(done) } })
    var results: [ImageResult] = []
    for try await result in images.requestImage(
      for: asset, targetSize: ImageSize(width: 1024, height: 1024), options: options)
    {
      results.append(result)
    }
    #expect(results.map(\.isDegraded) == [true, false])
    #expect(told.withLock { $0 } == [0, 1])
  }

  @Test("S54: to fill a square is the square in the middle")
  func fill() async throws {
    let (host, library, images) = try host { try PictureTools.halves($0.path("a.jpg")) }
    defer { withExtendedLifetime(host) {} }
    let asset = try #require(try await library.fetchAssets().first)
    for try await result in images.requestImage(
      for: asset, targetSize: ImageSize(width: 256, height: 256), contentMode: .aspectFill)
    {
      #expect(result.size == ImageSize(width: 256, height: 256))
    }
  }

  @Test("S54: of what is no picture an error comes, with what it is")
  func failure() async throws {
    let (host, library, images) = try host { try $0.add("a.jpg") }
    defer { withExtendedLifetime(host) {} }
    let asset = try #require(try await library.fetchAssets().first)
    do {
      for try await _ in images.requestImage(for: asset, targetSize: .maximum) { Issue.record("a picture") }
    } catch let error as AlbumError { #expect(error.code == .previewUnavailable) }
  }

  @Test("the file itself comes with progress")
  func data() async throws {
    let (host, library, images) = try host { try PictureTools.halves($0.path("a.jpg")) }
    let asset = try #require(try await library.fetchAssets().first)
    let told = Mutex<[Double]>([])
    let bytes = try await images.requestImageData(
      for: asset, options: .init(progressHandler: { done in told.withLock { $0.append(done) } }))
    #expect(try bytes == [UInt8](Data(contentsOf: URL(filePath: host.library.path("a.jpg")))))
    let steps = told.withLock { $0 }
    #expect(steps.first == 0 && steps.last == 1 && steps == steps.sorted())
  }

  @Test("S54: what is prepared ahead is kept by the daemon; what is not wanted any more is not made")
  func caching() async throws {
    let (host, library, images) = try host { library in
      for number in 0..<6 { try PictureTools.halves(library.path("\(number).png"), width: 64, height: 48) }
    }
    let assets = Array(try await library.fetchAssets())
    images.startCachingImages(for: assets, targetSize: ImageSize(width: 256, height: 256))
    let cache = "\(host.library.directory)/state/previews"
    func count() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: cache).count) ?? 0 }
    let deadline = Deadline.generous
    // Each look at the first is a round trip, in which others get on.
    while count() < 6 {
      try #require(!deadline.hasPassed)
      for try await _ in images.requestImage(for: assets[0], targetSize: ImageSize(width: 256, height: 256)) {
      }
    }
    images.stopCachingImages(for: assets, targetSize: ImageSize(width: 256, height: 256))
    images.stopCachingImagesForAllAssets()
  }
}
