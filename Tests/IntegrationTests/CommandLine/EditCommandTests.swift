import AlbumAPI
import Foundation
import TestSupport
import Testing

@Suite("albumctl replace and revert", .blocking)
struct EditCommandTests {
  private func host() throws -> (Host, id: String, file: String, data: String) {
    let host = try Host { try $0.add("one.jpg", Photo.jpeg("one")) }
    let file = try host.library.add("../edited.jpg", Photo.jpeg("edited"))
    let data = try host.library.add("../edit.json", Array("{\"crop\": 1}".utf8))
    return (host, try host.owner().asset("one.jpg").id, file, data)
  }

  @Test("S94: replace keeps the original, open --resource original writes it, revert puts it back")
  func reverted() throws {
    let (host, id, file, data) = try host()
    let edited = try host.albumctl(
      "replace", id, file, "--adjustment", "org.example.Editor", "1", data, "--owner")
    #expect(edited.status == 0 && edited.lines == ["\(id)  one.jpg"], "\(edited.output)")
    let owner = try host.owner()
    let kept = try owner.call(LibraryInterface.GetAdjustment.self, .init(id: id)).adjustment
    #expect(kept.formatIdentifier == "org.example.Editor" && kept.formatVersion == "1")
    #expect(Data(base64Encoded: kept.data) == Data("{\"crop\": 1}".utf8))
    let target = host.library.path("../original.jpg")
    let opened = try host.albumctl("open", id, "--owner", "--resource", "original", "-o", target)
    #expect(opened.status == 0, "\(opened.output)")
    #expect(try [UInt8](Data(contentsOf: URL(filePath: target))) == Photo.jpeg("one"))
    let reverted = try host.albumctl("revert", id, "--owner", "--json")
    #expect(try reverted.object(LibraryInterface.Asset.self).hasAdjustment == nil)
    #expect(try owner.content(of: id) == Photo.jpeg("one"))
    let again = try host.albumctl("revert", id, "--owner")
    #expect(again.status == 1 && again.output.contains("its original is not kept"), "\(again.output)")
  }

  @Test("S94, S33: as an app, if the owner agrees; one who does not, is 5, and no agent 4")
  func asked() throws {
    let (host, id, file, data) = try host()
    try host.set(.wallpapers, .authorized)
    let arguments = ["replace", id, file, "--adjustment", "org.example.Editor", "1", data]
    #expect(try host.albumctl(["revert", id], as: .wallpapers).status == 1)
    #expect(try host.albumctl(arguments, as: .wallpapers).status == 4)
    let agent = try host.agent()
    func answered(_ arguments: [String], _ decision: AgentInterface.Decision) throws -> CInt? {
      let running = try host.begin(arguments, as: .wallpapers)
      try agent.answer(agent.prompt(), decision)
      return try running.outcome().status
    }
    #expect(try answered(arguments, .deny) == 5)
    #expect(try answered(arguments, .allow) == 0)
    #expect(try answered(["revert", id], .deny) == 5)
    #expect(try host.owner().content(of: id) == Photo.jpeg("edited"))
    #expect(try answered(["revert", id], .allow) == 0)
    #expect(try host.owner().content(of: id) == Photo.jpeg("one"))
  }

  @Test("what is wrong with an adjustment is said before anything is sent, or by the daemon")
  func wrong() throws {
    let (host, id, file, data) = try host()
    let two = try host.albumctl("replace", id, file, "--adjustment", "org.example.Editor", data, "--owner")
    #expect(two.status == 2 && two.output.contains("takes three values"), "\(two.output)")
    let none = try host.albumctl("replace", id, file, "--adjustment", "a", "1", "/nowhere", "--owner")
    #expect(none.status == 1 && none.output.contains("/nowhere"), "\(none.output)")
    let long = try host.library.add("../long", [UInt8](repeating: 0, count: (512 << 10) + 1))
    let much = try host.albumctl("replace", id, file, "--adjustment", "a", "1", long, "--owner")
    #expect(much.status == 1 && much.output.contains("adjustment.data"), "\(much.output)")
    #expect(try host.owner().content(of: id) == Photo.jpeg("one"))
  }
}
