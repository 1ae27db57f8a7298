/// The kernel's table of TCP sockets as text (proc(5), `net/tcp`).
package enum SocketTable {
  /// The user whose socket a row is about.
  ///
  /// - Parameters:
  ///   - row: a line of the table.
  ///   - local: the socket's own end, as the table writes it.
  ///   - remote: the other one.
  /// - Returns: nil where the row is of another socket, or of one that no process has any more: up to Linux 6.15 that
  ///   one counts as root's there, whoever has closed it.
  package static func owner(_ row: some StringProtocol, from local: String, to remote: String) -> UInt32? {
    // sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode
    let columns = row.split(whereSeparator: \.isWhitespace)
    guard columns.count > 9, columns[1] == local, columns[2] == remote, columns[9] != "0" else { return nil }
    return UInt32(columns[7])
  }
}
