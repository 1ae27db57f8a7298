import Authorization
import Testing

@Suite("The automatic picker")
struct AutomaticPickerTests {
  private func app(asks: Bool?) -> PeerIdentity {
    let manifest = asks.map { asks in
      AppManifest(
        appID: "A", name: LocalizedText(english: "A"), bindings: [.init(.snap, "a")],
        automaticLimitedPicker: asks, file: "A.yaml", fileToWrite: "A.yaml")
    }
    return PeerIdentity(
      appID: "A", uid: 1000, evidence: .init(.snap, "a"), isVerified: true, manifest: manifest,
      manifestFile: "A.yaml")
  }

  @Test("S21: it is off unless the manifest asks, and in every status but limited")
  func off() {
    for status in AuthorizationStatus.allCases {
      #expect(AutomaticPickerOffers.concern(app(asks: true), status: status) == (status == .limited))
      #expect(!AutomaticPickerOffers.concern(app(asks: false), status: status))
      #expect(!AutomaticPickerOffers.concern(app(asks: nil), status: status))
    }
    let plain = AppManifest(
      appID: "A", name: LocalizedText(english: "A"), bindings: [], file: "A.yaml", fileToWrite: "A.yaml")
    #expect(!plain.automaticLimitedPicker, "a manifest that says nothing does not ask")
  }

  @Test("S21: once per life of a process; another process, and another life of its number, have their own")
  func once() {
    var offers = AutomaticPickerOffers()
    let (first, second) = (process(7), process(8))
    let later = ProcessInstance(pid: 7, startTime: first.startTime + 1, bootID: first.bootID)
    var offered = [first, first, second, later, first].map { offers.begin($0, of: 1000) }
    #expect(offered == [true, false, true, true, false])
    offers.ended(first)
    offered = [second, later].map { offers.begin($0, of: 1000) }
    #expect(offered == [false, false])
  }

  @Test(
    "a user's processes are remembered up to a number; another's have their own, and those that end make room"
  )
  func quota() {
    var offers = AutomaticPickerOffers()
    let most = Int32(AutomaticPickerOffers.processesPerUser)
    let offered = (1...most).map { offers.begin(process($0), of: 1000) }
    #expect(offered.allSatisfy { $0 })
    var more = offers.begin(process(most + 1), of: 1000)
    #expect(!more)
    more = offers.begin(process(most + 2), of: 1001)
    #expect(more)
    offers.ended(process(1))
    more = offers.begin(process(most + 1), of: 1000)
    #expect(more)
  }
}
