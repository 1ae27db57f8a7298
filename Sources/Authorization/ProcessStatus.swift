/// The user and group of a process, as proc_pid_status(5) tells them.
package struct ProcessStatus: Hashable, Sendable {
  private let users: [UInt32]
  private let groups: [UInt32]

  /// Reads what `/proc/PID/status` says; nil when that is not understood.
  package init?(_ text: String) {
    func ids(_ key: String) -> [UInt32]? {
      // Its name comes first, with line feeds written otherwise: nothing in it looks like another line.
      let line = text.utf8.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: key.utf8) }
      let ids = line?.dropFirst(key.utf8.count).split(separator: UInt8(ascii: "\t")).map {
        UInt32(Substring($0))
      }
      guard let ids, ids.count == 4 else { return nil }
      let numbers = ids.compactMap(\.self)
      return numbers.count == 4 ? numbers : nil
    }
    guard let users = ids("Uid:"), let groups = ids("Gid:") else { return nil }
    self.users = users
    self.groups = groups
  }

  /// Whether its real and its effective user and group are these, so that it runs nothing for somebody else: a set-uid
  /// or set-gid program is not its caller, and not its owner either.
  package func isOf(uid: UInt32, gid: UInt32) -> Bool {
    users.prefix(2).allSatisfy { $0 == uid } && groups.prefix(2).allSatisfy { $0 == gid }
  }
}

extension ProcessInstance {
  /// When a process began: field 22 of proc_pid_stat(5).
  package static func startTime(_ status: String) -> UInt64? {
    // The second field is a name in parentheses, which may hold anything.
    guard let nameEnd = status.utf8.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = status.utf8[status.utf8.index(after: nameEnd)...].split(separator: UInt8(ascii: " "))
    return fields.count > 19 ? UInt64(Substring(fields[19])) : nil
  }
}
