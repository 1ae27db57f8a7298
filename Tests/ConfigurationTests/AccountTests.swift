import Configuration
import Testing

struct AccountTests {
  @Test("S44: the members of a group are the same, however many ask for them at a time")
  func together() async throws {
    // root is a member by its primary group alone, as a rule.
    let alone = try Accounts.system.group("root")
    #expect(alone?.contains(0) == true)
    let found = await withTaskGroup(of: [Set<UInt32>?].self) { group in
      for _ in 0..<8 {
        group.addTask { (0..<300).map { _ in try? Accounts.system.group("root") } }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(found.allSatisfy { $0 == alone })
  }
}
