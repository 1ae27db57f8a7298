// varlink-interfaces --output DIRECTORY [--hints FILE] INTERFACE.varlink...
//
// Writes Swift for definitions of interfaces: INTERFACE.swift for each, into the directory. The plugin
// VarlinkInterfaces runs it for the .varlink files of a target.

import FoundationEssentials
import Glibc
import Varlink
import VarlinkGenerator

/// What is wrong, and in which file, as compilers say it.
struct Problem: Error {
  let text: String

  init(_ path: String, line: Int? = nil, _ reason: String) {
    text = [path, line.map(String.init), " error", " \(reason)"].compactMap { $0 }.joined(separator: ":")
  }
}

func read(_ path: String) throws(Problem) -> [UInt8] {
  do { return Array(try Data(contentsOf: URL(filePath: path))) } catch { throw Problem(path, "\(error)") }
}

func interface(at path: String) throws(Problem) -> InterfaceDescription {
  guard let text = String(validating: try read(path), as: UTF8.self) else {
    throw Problem(path, "it is not UTF-8")
  }
  let interface: InterfaceDescription
  do { interface = try InterfaceDescription(parsing: text) } catch {
    throw Problem(path, line: error.line, error.reason)
  }
  guard URL(filePath: path).lastPathComponent == "\(interface.name).varlink" else {
    throw Problem(path, "it defines \(interface.name), so it should be called \(interface.name).varlink")
  }
  return interface
}

func hints(at path: String) throws(Problem) -> SwiftHints {
  let bytes = try read(path)
  let json: JSON
  do { json = try JSON(parsing: bytes) } catch { throw Problem(path, "\(error)") }
  do { return try SwiftHints(json) } catch { throw Problem(path, error.description) }
}

func run(_ arguments: [String]) throws(Problem) {
  var arguments = arguments
  var options: [String: String] = [:]
  for name in ["--output", "--hints"] {
    guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { continue }
    options[name] = arguments[index + 1]
    arguments.removeSubrange(index...(index + 1))
  }
  guard let output = options["--output"], !arguments.isEmpty else {
    throw Problem("usage", "varlink-interfaces --output DIRECTORY [--hints FILE] INTERFACE.varlink...")
  }
  var interfaces: [InterfaceDescription] = []
  for path in arguments { interfaces.append(try interface(at: path)) }
  let hints = try options["--hints"].map(hints(at:)) ?? SwiftHints()
  let sources: [String: String]
  do { sources = try SwiftGenerator(interfaces, hints: hints).sources() } catch {
    throw Problem(options["--hints"] ?? arguments[0], error.description)
  }
  for (name, source) in sources {
    let path = "\(output)/\(name).swift"
    // What is as it was stays untouched, so that nothing is compiled anew.
    if let written = try? Data(contentsOf: URL(filePath: path)), written == Data(source.utf8) { continue }
    do { try Data(source.utf8).write(to: URL(filePath: path)) } catch { throw Problem(path, "\(error)") }
  }
}

do { try run(Array(CommandLine.arguments.dropFirst())) } catch {
  _ = "\(error.text)\n".withCString { write(STDERR_FILENO, $0, strlen($0)) }
  exit(1)
}
