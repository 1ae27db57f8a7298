import AlbumAPI
import LibraryModel
import Testing
import Varlink

@testable import AlbumDaemon

@Suite("What an app would have the owner pick")
struct PickerWishTests {
  typealias Filter = PickerInterface.PickerFilter

  private let ids = OpaqueIDs(key: (1, 2))

  private func wish(
    _ parameters: PickerInterface.Pick.Parameters, isBounded: Bool = false
  ) throws -> PickerWish {
    try PickerWish(parameters, isBounded: isBounded, ids)
  }

  /// The parameter that is wrong; nil where none is.
  private func refused(_ parameters: PickerInterface.Pick.Parameters, isBounded: Bool = false) -> String? {
    do {
      _ = try wish(parameters, isBounded: isBounded)
      return nil
    } catch { return (error as? InvalidParameter)?.parameter ?? "\(error)" }
  }

  private func deep(_ depth: Int) -> Filter {
    (1..<depth).reduce(Filter()) { filter, _ in .init(none: [filter]) }
  }

  @Test("S105: as much of a filter as FetchAssets takes is taken, and more is refused with the place")
  func filters() throws {
    for filter in [Filter(), deep(8), .init(all: Array(repeating: .init(), count: 63))] {
      #expect(refused(.init(filter: filter)) == nil)
    }
    let inner = String(repeating: ".none[0]", count: 8)
    #expect(refused(.init(filter: deep(9))) == "filter\(inner)")
    #expect(refused(.init(filter: .init(all: Array(repeating: .init(), count: 64)))) == "filter.all[63]")
    #expect(
      refused(.init(filter: .init(any: [deep(8)]))) == "filter.any[0]"
        + String(repeating: ".none[0]", count: 7))
  }

  @Test("S105: agents are told the filter as it was asked for, and nothing in it twice, however long it was")
  func told() throws {
    let long = Filter(
      any: [.init(mediaTypes: Array(repeating: .video, count: 10_000))],
      subtypes: Array(repeating: .panorama, count: 10_000) + [.screenshot])
    let wish = try wish(.init(filter: long))
    #expect(
      wish.toldFilter
        == .init(any: [.init(mediaTypes: [.video])], subtypes: [.panorama, .screenshot]))
    #expect(try self.wish(.init(filter: deep(8))).toldFilter == deep(8))
    #expect(try self.wish(.init()).toldFilter == nil)
  }

  @Test("S105: a minimum is up to the limit, of one reply as well, and bounded where there is none")
  func minimum() throws {
    for (minimum, limit, isBounded, refusal) in [
      (0, 0, false, nil), (0, 2, false, nil), (2, 2, false, nil), (3, 2, false, "minimum"),
      (-1, 0, false, "minimum"), (PickerInterface.mostRequired, 0, false, nil),
      (PickerInterface.mostRequired + 1, 0, false, "minimum"), (.max, 0, false, "minimum"),
      (PickerInterface.mostItems, 0, true, nil), (PickerInterface.mostItems + 1, 0, true, "minimum"),
      (PickerInterface.mostItems + 1, 1000, true, "minimum"), (1, -1, false, "selectionLimit"),
    ] as [(Int, Int, Bool, String?)] {
      let asked = PickerInterface.Pick.Parameters(selectionLimit: limit, minimum: minimum)
      #expect(refused(asked, isBounded: isBounded) == refusal, "\(minimum) of \(limit)")
    }
    #expect(try wish(.init()).minimum == 0)
  }

  @Test("S105: so many ids may be named as picked, and no more")
  func preselected() {
    let most = PickerInterface.mostPreselected
    #expect(refused(.init(preselected: Array(repeating: "x", count: most))) == nil)
    #expect(refused(.init(preselected: Array(repeating: "x", count: most + 1))) == "preselected")
  }
}
