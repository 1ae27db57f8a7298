import Varlink

/// What is wrong with one file: what is found first of it, and how much there is beyond that. A file of an app's package
/// may be wrong at a hundred thousand places.
struct FileErrors {
  /// So many are told of a file.
  static let most = 20

  private var first: [ConfigurationError] = []
  /// How many there are, told or not.
  private(set) var count = 0

  /// - Parameter error: only made where it is told.
  mutating func append(_ error: @autoclosure () -> ConfigurationError) {
    if count < Self.most { first.append(error()) }
    count += 1
  }

  /// Those that are told, by line and column, and last how many there are beyond them.
  var told: [ConfigurationError] {
    let told = first.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    guard count > told.count, let last = told.last else { return told }
    let more = ConfigurationError(
      code: .more, file: last.file, line: last.line, column: last.column,
      message: "and \(count - told.count) more in this file")
    return told + [more]
  }
}

/// What is wrong with several files.
struct FoundErrors {
  private var files: [String: FileErrors] = [:]

  /// What is wrong with a file, or with a directory of them.
  subscript(_ path: String) -> FileErrors {
    get { files[path, default: FileErrors()] }
    _modify { yield &files[path, default: FileErrors()] }
  }

  var isEmpty: Bool { files.values.allSatisfy { $0.count == 0 } }

  /// By file, line and column.
  var told: [ConfigurationError] { files.sorted { $0.key < $1.key }.flatMap(\.value.told) }
}

/// What a file says, as an error quotes it: no more than the beginning of it.
func quoted(_ text: some StringProtocol) -> String { "“\(Quoted(text))”" }
