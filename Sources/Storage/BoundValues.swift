internal import LibraryModel

/// What the values of a row are bound to: a statement that is to run, or what is written down of one that runs later.
///
/// The numbers of values begin at 1.
protocol BoundValues {
  func bind(_ index: CInt, _ value: Int64)
  /// Binds bytes, which are copied.
  func bind(_ index: CInt, _ bytes: UnsafeRawBufferPointer)
  func bindNull(_ index: CInt)
}

extension BoundValues {
  func bind(_ index: CInt, _ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bind(index, $0) }
  }

  func bind(_ index: CInt, _ value: UInt64) {
    bind(index, Int64(bitPattern: value))
  }

  func bind(_ index: CInt, _ value: Int64?) {
    if let value { bind(index, value) } else { bindNull(index) }
  }

  func bind(_ index: CInt, _ name: FileName) {
    bind(index, name.bytes)
  }

  /// Binds what is told of files beside what their file system says.
  func bind(_ index: CInt, _ description: AssetDescription?) {
    if let description { bind(index, description.bytes) } else { bindNull(index) }
  }
}

extension RedoValues: BoundValues {
  func bind(_ index: CInt, _ value: Int64) { append(index, value) }
  func bind(_ index: CInt, _ bytes: UnsafeRawBufferPointer) { append(index, .blob, bytes) }
  func bindNull(_ index: CInt) { append(index) }
}
