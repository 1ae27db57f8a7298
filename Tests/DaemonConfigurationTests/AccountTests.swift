import Glibc
import Testing

@testable import DaemonConfiguration

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

  @Test(
    "S38, S44: users that cannot be read to the end are an error, not fewer owners",
    arguments: [EIO, EMFILE, 0])
  func broken(code: CInt) throws {
    var users: [(uid: UInt32, gid: UInt32)] = [(1000, 7), (1001, 8), (1002, 7)]
    func members() throws(AccountError) -> Set<UInt32> {
      try primaryMembers(of: 7) { users.isEmpty ? (nil, code) : (users.removeFirst(), 0) }
    }
    if code == 0 { return #expect(try members() == [1000, 1002]) }
    let error = #expect(throws: AccountError.self) { try members() }
    #expect(error == AccountError(code: code, call: "getpwent"))
  }
}
