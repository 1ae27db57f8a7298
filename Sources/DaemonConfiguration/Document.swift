import Glibc
import Yams

/// One YAML file, parsed.
struct Document {
  /// Larger files are refused before they are parsed.
  static let byteLimit = 1 << 20

  let file: String
  let root: Node

  /// The file's name without directory and `.yaml`.
  var stem: String { Self.stem(of: file) }

  /// The name of a file without directory and `.yaml`.
  static func stem(of file: String) -> String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return name.hasSuffix(".yaml") ? String(name.dropLast(5)) : name
  }

  /// Reads and parses a file; nil after an error.
  static func read(_ file: String, _ errors: inout FileErrors) -> Document? {
    do throws(ConfigurationError) {
      return Document(file: file, root: try parse(try contents(of: file), file: file))
    } catch {
      errors.append(error)
      return nil
    }
  }

  /// Parses what was read already; nil after an error.
  static func parse(_ bytes: [UInt8], file: String, _ errors: inout FileErrors) -> Document? {
    do throws(ConfigurationError) {
      return Document(file: file, root: try parse(bytes, file: file))
    } catch {
      errors.append(error)
      return nil
    }
  }

  /// Reads a file that is not larger than a configuration file can be.
  static func contents(of file: String) throws(ConfigurationError) -> [UInt8] {
    func unreadable(_ why: String) -> ConfigurationError {
      ConfigurationError(code: .unreadable, file: file, line: 1, column: 1, message: why)
    }
    // Opening a pipe must not wait for its other end, fifo(7).
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw unreadable("cannot be read: \(reason(errno))") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable("cannot be read: \(reason(errno))") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw unreadable("is not a regular file") }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw unreadable("cannot be read: \(reason(errno))")
      }
      bytes += chunk[..<count]
      guard bytes.count <= byteLimit else {
        throw unreadable("is larger than \(byteLimit) bytes, the most for a configuration file")
      }
    }
  }

  private static func parse(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> Node {
    func failure(_ mark: Place?, _ message: String, _ code: ConfigurationError.Code = .syntax)
      -> ConfigurationError
    {
      ConfigurationError(
        code: code, file: file, line: mark?.line ?? 1, column: mark?.column ?? 1, message: message)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw failure(firstInvalid(bytes), "is not UTF-8")
    }
    if let cost = ParserCost.first(in: text) { throw failure(cost.place, cost.message) }
    do {
      // A date is a text here.
      if let root = try Parser(yaml: text, resolver: Resolver.default.removing(.timestamp), encoding: .utf8)
        .singleRoot()
      {
        return root
      }
      throw failure(nil, "is empty; expected a mapping of keys to values")
    } catch let error as ConfigurationError {
      throw error
    } catch let error as YamlError {
      switch error {
      case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
        .composer(_, let problem, let mark, _):
        throw failure(Place(mark), "is not YAML: \(problem)")
      case .reader(let problem, let offset, _, _):
        throw failure(place(of: offset, in: text), "is not YAML: \(problem)")
      case .duplicatedKeysInMapping(let duplicates, let context):
        let keys = duplicates.prefix(FileErrors.most).map { quoted("\($0)") }.joined(separator: ", ")
        throw failure(Place(context.mark), "\(keys) is given more than once here; keep one", .duplicateKey)
      case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
        throw failure(nil, "cannot be parsed: \(error)")
      }
    } catch {
      throw failure(nil, "cannot be parsed: \(error)")
    }
  }
}

/// The message of strerror(3).
func reason(_ code: CInt) -> String { String(cString: strerror(code)) }

/// The place of the first byte that is not UTF-8.
private func firstInvalid(_ bytes: [UInt8]) -> Place {
  var line = 1
  for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
    if String(validating: part, as: UTF8.self) == nil { break }
    line += 1
  }
  return Place(line: line, column: 1)
}

private func place(of offset: Int?, in text: String) -> Place {
  let before = text.prefix(offset ?? 0)
  let line = before.lazy.filter(\.isNewline).count + 1
  let column = before.reversed().prefix { !$0.isNewline }.count + 1
  return Place(line: line, column: column)
}
