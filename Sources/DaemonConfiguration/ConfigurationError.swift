import Varlink

/// One thing that is wrong with a configuration file, and where (rule S38).
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of thing.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// The file or directory cannot be read.
    case unreadable
    /// The file is not YAML.
    case syntax
    /// The key is none of those known here.
    case unknownKey
    /// The key is given twice.
    case duplicateKey
    /// A key that must be there is not.
    case missingKey
    /// The value is of another type.
    case wrongType
    /// The value is of the right type and cannot be used.
    case invalidValue
    /// Two files contradict each other.
    case conflict
    /// There is more that is wrong with the file than is told.
    case more
  }

  /// What kind of thing.
  package let code: Code
  /// The file's path.
  package let file: String
  /// Counted from one; one where the file as a whole is meant.
  package let line: Int
  /// Counted from one, in Unicode scalars.
  package let column: Int
  /// What is wrong and what was expected.
  package let message: String

  /// The most bytes of a message: of a longer one the beginning is told.
  package static let messageLimit = 4096

  /// An error at a place.
  package init(code: Code, file: String, line: Int, column: Int, message: String) {
    self.code = code
    self.file = file
    self.line = line
    self.column = column
    self.message = String(describing: Quoted(message, byteLimit: Self.messageLimit))
  }

  /// As compilers write it: `file:line:column: message`.
  package var description: String { "\(file):\(line):\(column): \(message)" }
}

/// Everything that is wrong with a configuration: never just the first thing, and of one file no more than anybody reads.
package struct ConfigurationErrors: Error, Hashable, Sendable, CustomStringConvertible {
  /// By file, line and column.
  package let errors: [ConfigurationError]

  /// One error a line.
  package var description: String { errors.map(\.description).joined(separator: "\n") }
}
