internal import AlbumTerminal
internal import Glibc
internal import Linux
internal import Words

/// Opens a link that nobody else may read in the desktop's browser.
///
/// What a program is started with anybody on this computer can read (proc(5), `cmdline`). So the browser is started with
/// the name of a file that leads to the link, and that only this user reads. The next one replaces it.
enum BrowserLaunch {
  /// - Throws: ``AlbumTerminal/CommandFailure`` where there is no place for the file or no xdg-open(1).
  static func open(_ link: String) throws {
    try open(page: "<meta http-equiv=\"refresh\" content=\"0; url=\(escaped(link))\"><title>albumd</title>")
  }

  /// Says something in the browser, to whom no terminal is.
  ///
  /// - Throws: as ``open(_:)``.
  static func say(_ text: String) throws {
    let title = escaped(Person.words[.pageTitle])
    try open(page: "<title>\(title)</title><h1>\(title)</h1><p>\(escaped(text))</p>")
  }

  private static func open(page: String) throws {
    do throws(SystemError) {
      let path = try written(page)
      var pid = pid_t()
      let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(path), nil]
      defer { for argument in arguments { free(argument) } }
      let result = posix_spawnp(&pid, "xdg-open", nil, nil, arguments, environ)
      guard result == 0 else {
        errno = result
        throw SystemError("xdg-open")
      }
    } catch {
      throw CommandFailure(
        .failed, Person.words[.pageNotOpened, ["reason": "\(error.call): \(error.reason)"]])
    }
  }

  /// A file with a page that only this user reads.
  private static func written(_ page: String) throws(SystemError) -> String {
    // A relative path is to be ignored (XDG Base Directory Specification).
    guard let runtime = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), runtime.hasPrefix("/") else {
      errno = ENOENT
      throw SystemError("XDG_RUNTIME_DIR")
    }
    let directory = runtime + "/albumctl"
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw SystemError("mkdir") }
    let (path, temporary) = (directory + "/page.html", directory + "/page.html.\(getpid())")
    _ = unlink(temporary)
    let file = try OwnedDescriptor(
      Glibc.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600), call: "open")
    let text = Array(
      """
      <!DOCTYPE html><meta charset="utf-8"><meta name="referrer" content="no-referrer">
      \(page)

      """.utf8)
    guard write(file.number, text, text.count) == text.count, rename(temporary, path) == 0 else {
      throw SystemError("write")
    }
    return path
  }

  private static func escaped(_ link: String) -> String {
    link.unicodeScalars.map { scalar in
      switch scalar {
      case "&", "<", ">", "\"", "'", ";": "&#\(scalar.value);"
      default: String(scalar)
      }
    }.joined()
  }
}
