import Authorization
import LibraryModel
import Testing

@testable import AlbumDaemon

@Suite("What answers a question to the owner")
struct OwnerQuestionTests {
  private func accepts(_ question: OwnerQuestion, _ answer: AuthorizationAnswer) -> Bool {
    do { try question.check(answer, of: app) } catch { return false }
    return true
  }

  private let app = PeerIdentity(
    appID: "org.example.App", uid: 1000, evidence: .init(.flatpak, "org.example.App"), isVerified: true,
    manifest: nil, manifestFile: "/etc/albumd/apps.d/org.example.App.yaml")

  private func answer(
    _ choice: PromptChoice, _ assets: Set<String>? = nil, albums: Set<String> = []
  ) -> AuthorizationAnswer {
    AuthorizationAnswer(choice, selection: assets.map { Selection(assets: $0, albums: albums) })
  }

  @Test("S23: a picker takes at least one asset and at most its limit, with allow; and no albums")
  func picker() {
    let question = OwnerQuestion.picker(.init(mediaTypes: [.image], limit: 2))
    #expect(accepts(question, answer(.allow, ["a"])))
    #expect(accepts(question, answer(.limited, ["a", "b"])))
    #expect(!accepts(question, answer(.allow, ["a", "b", "c"])))
    #expect(!accepts(question, answer(.allow)))
    #expect(!accepts(question, answer(.allow, [])))
    #expect(!accepts(question, answer(.allow, ["a"], albums: ["b"])))
    #expect(accepts(question, answer(.notNow)))
    #expect(accepts(question, answer(.deny)))
    #expect(!accepts(question, answer(.notNow, ["a"])))
    #expect(accepts(.picker(.init()), answer(.allow, Set((0..<999).map(String.init)))))
  }

  @Test("S105: a picker with a minimum takes as many or more, or that nothing is picked")
  func minimum() {
    let question = OwnerQuestion.picker(.init(limit: 3, minimum: 2))
    #expect(!accepts(question, answer(.allow, ["a"])))
    #expect(accepts(question, answer(.allow, ["a", "b"])))
    #expect(accepts(question, answer(.allow, ["a", "b", "c"])))
    #expect(!accepts(question, answer(.allow, ["a", "b", "c", "d"])))
    #expect(!accepts(question, answer(.allow, [])))
    #expect(accepts(question, answer(.notNow)))
    #expect(accepts(question, answer(.deny)))
  }

  @Test("S20: a limited picker takes assets and albums with limited, or full access")
  func limitedPicker() {
    let question = OwnerQuestion.limitedPicker(Selection())
    #expect(question.choices == [.limited, .allow, .notNow])
    #expect(accepts(question, answer(.limited, [], albums: ["b"])))
    #expect(accepts(question, answer(.allow)))
    #expect(!accepts(question, answer(.allow, ["a"])))
    #expect(!accepts(question, answer(.limited)))
    #expect(!accepts(question, answer(.deny)))
  }

  @Test("S23: about access to photos: all, none, or some of those that were asked about")
  func photoAccess() {
    let question = OwnerQuestion.photoAccess(["a", "b"])
    for choice in [PromptChoice.allow, .deny, .notNow] { #expect(accepts(question, answer(choice))) }
    #expect(accepts(question, answer(.limited, ["b"])))
    #expect(accepts(question, answer(.limited, [])))
    #expect(!accepts(question, answer(.limited, ["c"])))
    #expect(!accepts(question, answer(.limited, ["a"], albums: ["b"])))
    #expect(!accepts(question, answer(.allow, ["a"])))
  }

  @Test("S71: of one photo there are no others to leave out; who answers so all the same has meant it")
  func onePhoto() {
    let question = OwnerQuestion.photoAccess(["a"])
    #expect(question.choices == [.allow, .deny, .notNow])
    #expect(OwnerQuestion.photoAccess(["a", "b"]).choices == [.allow, .limited, .deny, .notNow])
    #expect(accepts(question, answer(.limited, ["a"])) && accepts(question, answer(.limited, [])))
    #expect(!accepts(question, answer(.limited, ["b"])))
  }

  @Test("S33: deleting and overwriting are allowed or not, about exactly what the prompt names")
  func confirmation() {
    for question in [OwnerQuestion.deletion(["a", "b"]), .replacement("a", by: nil), .reversion("a")] {
      #expect(question.choices == [.allow, .deny, .notNow])
      for choice in question.choices {
        #expect(accepts(question, answer(choice)))
        #expect(!accepts(question, answer(choice, ["a"])))
      }
      #expect(!accepts(question, answer(.limited)))
      #expect(!accepts(question, answer(.limited, ["a"])))
    }
  }

  @Test("S32: a receipt is the id of nothing, and of no two photos the same")
  func receipts() {
    let ids = OpaqueIDs(key: (1, 2))
    let receipts = (0..<100).map { _ in Receipt.random() }
    #expect(Set(receipts).count == receipts.count)
    for receipt in receipts { #expect(ids.asset(receipt) == nil && ids.album(receipt) == nil) }
  }

  @Test("S10: only access itself is granted for a time")
  func duration() {
    let questions: [OwnerQuestion] = [
      .limitedPicker(Selection()), .photoAccess(["a"]), .deletion(["a"]), .replacement("a", by: nil),
    ]
    for question in questions {
      #expect(accepts(question, AuthorizationAnswer(.allow)))
      #expect(!accepts(question, AuthorizationAnswer(.allow, duration: .always)))
    }
  }
}
