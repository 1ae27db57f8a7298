import AlbumAPI
import Foundation
import TestSupport
import Testing

@Suite("albumctl open", .blocking)
struct OpenCommandTests {
  @Test("what a link leads to is replaced, and the link stays")
  func link() throws {
    let host = try Host { library in
      try library.add("one.jpg", Photo.jpeg("one"))
      try library.add("../out/old.jpg", Array("old".utf8))
    }
    let id = try host.owner().asset("one.jpg").id
    let (link, target) = (host.library.path("../link.jpg"), host.library.path("../out/old.jpg"))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    let opened = try host.albumctl("open", id, "--owner", "-o", link)
    #expect(opened.status == 0, "\(opened.output)")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
    #expect(try [UInt8](Data(contentsOf: URL(filePath: target))) == Photo.jpeg("one"))
  }
}
