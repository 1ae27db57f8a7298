import Glibc
import Synchronization

/// Turns names of users and groups into user ids.
package struct Accounts: Sendable {
  /// The id of a user; nil when there is no such user.
  package let user: @Sendable (String) throws(AccountError) -> UInt32?
  /// The ids of a group's members; nil when there is no such group.
  package let group: @Sendable (String) throws(AccountError) -> Set<UInt32>?

  /// Accounts from somewhere else than the system's database.
  package init(
    user: @escaping @Sendable (String) throws(AccountError) -> UInt32?,
    group: @escaping @Sendable (String) throws(AccountError) -> Set<UInt32>?
  ) {
    self.user = user
    self.group = group
  }

  /// The system's database, nsswitch.conf(5).
  ///
  /// Members of a group are those listed in it and those who have it as their primary group. The latter are
  /// found by getpwent(3): where a directory service does not enumerate its users, list them in the group.
  package static let system = Accounts(user: userID, group: members)
}

/// The database of users or groups could not be asked.
package struct AccountError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error number, errno(3).
  package let code: CInt
  /// The call's name.
  package let call: String

  /// A failure of that call.
  package init(code: CInt, call: String) {
    self.code = code
    self.call = call
  }

  /// Reason and call in one line.
  package var description: String { "\(reason(code)) (\(call))" }
}

private func userID(_ name: String) throws(AccountError) -> UInt32? {
  try lookUp("getpwnam_r") { buffer, count throws(AccountError) -> Found<UInt32> in
    var entry = passwd()
    var result: UnsafeMutablePointer<passwd>?
    let code = getpwnam_r(name, &entry, buffer, count, &result)
    return Found(code: code, value: result?.pointee.pw_uid)
  }
}

private func members(_ name: String) throws(AccountError) -> Set<UInt32>? {
  let found = try lookUp("getgrnam_r") { buffer, count throws(AccountError) -> Found<(gid_t, [String])> in
    var entry = Glibc.group()
    var result: UnsafeMutablePointer<Glibc.group>?
    let code = getgrnam_r(name, &entry, buffer, count, &result)
    guard let group = result?.pointee else { return Found(code: code, value: nil) }
    var names: [String] = []
    var member = group.gr_mem
    while let text = member?.pointee {
      names.append(String(cString: text))
      member = member?.advanced(by: 1)
    }
    return Found(code: code, value: (group.gr_gid, names))
  }
  guard let (gid, names) = found else { return nil }
  var uids: Set<UInt32> = []
  // A member who does not exist any more is nobody.
  for name in names { if let uid = try userID(name) { uids.insert(uid) } }
  return uids.union(try primaryMembers(of: gid))
}

/// getpwent(3) has one place in the database for the whole process: two that read at a time would each get a part.
private let enumeration = Mutex(())

private func primaryMembers(of gid: gid_t) throws(AccountError) -> Set<UInt32> {
  let uids = enumeration.withLock { _ -> Result<Set<UInt32>, AccountError> in
    setpwent()
    defer { endpwent() }
    do throws(AccountError) {
      return .success(
        try primaryMembers(of: gid) {
          errno = 0
          let entry = getpwent()?.pointee
          return (entry.map { (uid: $0.pw_uid, gid: $0.pw_gid) }, entry == nil ? errno : 0)
        })
    } catch { return .failure(error) }
  }
  return try uids.get()
}

/// Those of the whole list who have it as their primary group.
///
/// - Parameter next: the next user, or none with the error number, 0 at the end of the list.
/// - Throws: what kept the list from being read to its end: a part of it would shut out owners, and say nothing.
func primaryMembers(
  of gid: gid_t, next: () -> (user: (uid: UInt32, gid: UInt32)?, code: CInt)
) throws(AccountError) -> Set<UInt32> {
  var uids: Set<UInt32> = []
  while true {
    let (user, code) = next()
    if let user {
      if user.gid == gid { uids.insert(user.uid) }
      continue
    }
    switch code {
    // Some databases say so at their end, getpwent(3).
    case 0, ENOENT, ESRCH: return uids
    case EINTR: continue
    default: throw AccountError(code: code, call: "getpwent")
    }
  }
}

private struct Found<Value> {
  let code: CInt
  let value: Value?
}

/// Calls with a larger buffer until the entry fits (ERANGE), as getpwnam_r(3) asks.
private func lookUp<Value>(
  _ call: String,
  _ body: (UnsafeMutablePointer<CChar>, Int) throws(AccountError) -> Found<Value>
) throws(AccountError) -> Value? {
  var size = 1 << 12
  while true {
    let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
    defer { buffer.deallocate() }
    let found = try body(buffer, size)
    switch found.code {
    case 0: return found.value
    case EINTR: continue
    case ERANGE where size < 1 << 24: size *= 2
    // What some databases say for "no such name", getpwnam_r(3).
    case ENOENT, ESRCH: return nil
    default: throw AccountError(code: found.code, call: call)
    }
  }
}

extension Accounts {
  /// The login name of a user; nil when the id has none, or the database cannot be asked.
  package static func name(of uid: UInt32) -> String? {
    let found = try? lookUp("getpwuid_r") { buffer, count throws(AccountError) -> Found<String> in
      var entry = passwd()
      var result: UnsafeMutablePointer<passwd>?
      let code = getpwuid_r(uid, &entry, buffer, count, &result)
      return Found(code: code, value: result.map { String(cString: $0.pointee.pw_name) })
    }
    return found
  }
}
