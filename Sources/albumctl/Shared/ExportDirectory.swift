internal import AlbumClient
internal import AlbumTerminal
internal import Glibc
internal import Linux

/// A directory of the person's that files are saved into.
final class ExportDirectory {
  private let path: String
  private let directory: OwnedDescriptor

  init(_ path: String) throws {
    self.path = path
    do throws(SystemError) {
      let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
      directory = try OwnedDescriptor(Glibc.open(path, flags), call: "open", subject: path)
    } catch {
      let advice = error.code == ENOENT ? " Make it first." : ""
      throw CommandFailure(.failed, "\(path): \(error.reason).\(advice)")
    }
  }

  /// Saves a file; a name that exists gets a number.
  ///
  /// - Returns: the name that it got.
  func save(_ file: borrowing OwnedDescriptor, as name: ExportName) throws -> ExportName {
    do { return try FileCopy.add(file, as: name, in: directory) } catch let error as SystemError {
      throw CommandFailure(.failed, "\(error).")
    }
  }

  /// The path of a file in it, to show.
  func path(of name: ExportName) -> String { "\(path)/\(String(decoding: name.bytes, as: UTF8.self))" }
}
