internal import GRDB

extension StorageError {
  /// What went wrong with a database, whoever said so.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as StorageError: self = error
    case let error as DatabaseError:
      self.init(
        sqliteCode: error.extendedResultCode.rawValue, message: error.message ?? "SQLite failed", path: path)
    default: self.init(code: .failed, message: "\(error)", path: path, advice: "please report it")
    }
  }
}
