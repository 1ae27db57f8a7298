internal import GRDBSQLite
internal import LibraryModel

/// `burst(mediaType, name)` of SQL: the burst that an asset is of, or NULL, as ``Burst`` says it (S100). Of peers' queries alone: no
/// schema may name it, so that every program can open the index.
enum BurstFunction {
  /// Makes it known to a connection.
  static func add(to connection: OpaquePointer, path: String) throws(StorageError) {
    let result = sqlite3_create_function_v2(
      connection, "burst", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, _, arguments in
        guard let arguments, sqlite3_value_int64(arguments[0]) != Int64(MediaType.video.rawValue),
          let name = sqlite3_value_blob(arguments[1]),
          let burst = Burst(
            photo: UnsafeRawBufferPointer(start: name, count: Int(sqlite3_value_bytes(arguments[1]))))
        else { return sqlite3_result_null(context) }
        sqlite3_result_text(
          context, burst.identifier, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
      }, nil, nil, nil)
    guard result == SQLITE_OK else { throw StorageError(sqlite: connection, result, path: path) }
  }
}
