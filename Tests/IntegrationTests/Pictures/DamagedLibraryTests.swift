import AlbumAPI
import Foundation
import Glibc
import TestSupport
import Testing
import Varlink

/// `DAMAGED=100000` has so many instead, of other seeds each time (docs/decisions/0088-damaged-pictures.md).
@Suite("Damaged pictures in a library", .blocking, .timeLimit(.minutes(240)))
struct DamagedLibraryTests {
  private static let count = Damage.count(else: 220)
  /// In one library.
  private static let most = 500

  @Test("R7, S51, S52: the daemon serves on, and every undamaged neighbour is described and has its preview")
  func damaged() throws {
    let maker = try PictureMaker()
    for kind in PictureMaker.kinds { try maker.add("whole-\(kind).\(kind)", kind, TakenFacts()) }
    let whole = try maker.files()
    let seed = Damage.seed
    var random = SeededGenerator(seed: seed)
    var left = Self.count
    while left > 0 {
      try serves(whole, min(left, Self.most), &random, "seed \(seed), \(left) left")
      left -= Self.most
    }
  }

  private func serves(
    _ whole: [String: [UInt8]], _ count: Int, _ random: inout SeededGenerator, _ about: Comment
  ) throws {
    let kinds = PictureMaker.kinds
    let host = try Host { library in
      for number in 0..<count {
        let kind = kinds[number % kinds.count]
        try library.add(
          "damaged-\(number).\(kind)", Damage.damaged(whole["whole-\(kind).\(kind)"] ?? [], using: &random))
      }
      for (name, bytes) in whole { try library.add(name, bytes) }
    }
    let owner = try host.owner()
    try owner.waitUntilDescribed(Deadline(seconds: 3600))
    let described = try readers(of: host)
    let assets = try owner.assets(.init(limit: 1000))
    #expect(assets.count == count + kinds.count, about)
    try prepare(assets.map(\.id), owner)
    let prepared = try readers(of: host)
    // They stay for a minute.
    #expect(max(described, prepared) > 0 && max(described, prepared) <= 4, about)
    let neighbours = assets.filter { $0.filename.hasPrefix("whole-") }
    #expect(neighbours.count == kinds.count, about)
    for asset in neighbours {
      #expect(asset.pixelWidth != nil, "\(asset.filename), \(about)")
      let kind = String(asset.filename.split(separator: ".").last ?? "")
      guard !PictureMaker.withoutPreview.contains(kind) else { continue }
      let reply = try owner.call(LibraryInterface.OpenPreview.self, .init(id: asset.id, pixels: 256))
      #expect(max(reply.pixelWidth, reply.pixelHeight) == 96, "\(asset.filename), \(about)")
    }
    #expect(host.daemon.isRunning, about)
    try host.daemon.stop()
  }

  /// Asks for previews of all, which ends when each was made or cannot be.
  private func prepare(_ ids: [String], _ owner: Connection) throws {
    var done = 0
    for start in stride(from: 0, to: ids.count, by: 100) {
      let some = Array(ids[start..<min(ids.count, start + 100)])
      try owner.begin(LibraryInterface.PreparePreviews.self, .init(ids: some, pixels: 256), more: true)
      while true {
        let answer = try owner.receive()
        let completed = try answer.decoded(LibraryInterface.PreparePreviews.self).completed
        if answer.reply.continues { continue }
        done += completed
        break
      }
    }
    #expect(done == ids.count)
  }

  /// How many processes read pictures for it.
  private func readers(of host: Host) throws -> Int {
    entries(of: "/proc").count { pid in
      let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
      return status.contains("Name:\talbumd-pictures") && status.contains("PPid:\t\(host.daemon.pid)\n")
    }
  }
}
