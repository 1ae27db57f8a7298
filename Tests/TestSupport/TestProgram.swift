internal import Glibc

/// A program that a test writes and runs.
public enum TestProgram {
  /// It could not be written.
  public struct Failure: Error {
    let what: String
  }

  /// Writes it, by another process: what this one has open for writing, a child that another test forks has as well for a
  /// moment, and nobody can run it then (ETXTBSY, execve(2)).
  public static func install(_ text: String, at path: String) throws {
    let source = "\(path).text"
    guard let file = fopen(source, "we") else { throw Failure(what: "\(source): errno \(errno)") }
    let count = text.utf8.count
    let isWritten = text.withCString { fwrite($0, 1, count, file) } == count
    guard fclose(file) == 0, isWritten else { throw Failure(what: "\(source): errno \(errno)") }
    let words = ["install", "-m", "755", source, path]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var (pid, status) = (pid_t(), CInt())
    let result = StartOfProcesses.alone { posix_spawnp(&pid, words[0], nil, nil, &arguments, environ) }
    guard result == 0, waitpid(pid, &status, 0) == pid, status == 0 else {
      throw Failure(what: "install \(path): \(result), status \(status)")
    }
  }
}
