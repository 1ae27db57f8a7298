internal import EventLoop
internal import Glibc
internal import LibraryIO
internal import LibraryModel
internal import Linux
internal import VarlinkServer

/// Files that somebody brings, by the indexes that a call's parameters name: values and copies, never the files.
@EventLoopActor
protocol BroughtFiles: AnyObject {
  /// The beginning of a regular file, so many bytes at most.
  func look(at index: Int, _ count: Int) async throws(PeerFiles.Failure) -> [UInt8]
  /// Copies a regular file into an empty one, of so many bytes at most, and brings it to disk.
  ///
  /// - Parameter goesOn: told as it grows how many bytes there are; says whether more are wanted.
  func copy(
    _ index: Int, to target: CInt, limit: Int64, goesOn: @escaping @EventLoopActor (Int64) -> Bool
  ) async throws(PeerFiles.Failure) -> Int64
}

extension PeerFiles: BroughtFiles {}

extension BroughtFiles {
  /// The format of a file, by its beginning; `nil` when it is no media.
  ///
  /// - Throws: ``LibraryIO/LibraryFileError``: `notRegular`, `unreadableSource`.
  func format(of index: Int) async throws(LibraryFileError) -> MediaFormat? {
    do throws(PeerFiles.Failure) {
      return MediaFormat(beginning: try await look(at: index, MediaFormat.beginningLength))
    } catch {
      throw LibraryFileError(error, "the file")
    }
  }

  /// Copies a file into a new one, whole and on disk.
  ///
  /// - Parameters:
  ///   - growing: what it must not exceed.
  ///   - most: how many bytes it may have besides.
  ///   - disk: where the library's disk is waited for.
  /// - Throws: ``LibraryIO/LibraryFileError``: as ``format(of:)``, `tooLarge`, `noSpace`, `gone` (the directory),
  ///   or `system`.
  func copy(
    _ index: Int, to new: NewFiles, as name: FileName, _ growing: GrowingCopies, most: Int64 = .max,
    _ disk: DiskThreads.Place
  ) async throws(LibraryFileError) {
    let file = try await disk.run { () throws(LibraryFileError) in try new.make(as: name) }
    do throws(LibraryFileError) {
      let byteCount = try await disk.whileAnswering { () async throws(LibraryFileError) -> Int64 in
        // It is open for as long as somebody writes, also where nobody waits for the disk any more.
        defer { withExtendedLifetime(new) {} }
        let limit = growing.begin(most: most, on: disk)
        do throws(PeerFiles.Failure) {
          return try await self.copy(index, to: file, limit: limit) { growing.goesOn($0) }
        } catch {
          if error.code == .stopped { throw growing.stopped(name.description) }
          throw LibraryFileError(error, name.description)
        }
      }
      try growing.filled(byteCount, name.description)
      new.filled(byteCount)
    } catch {
      // Who copies may have it for as long as its bringer likes.
      new.abandon()
      try? await disk.run { () throws(LibraryFileError) in new.emptyAbandoned() }
      throw error
    }
  }
}

extension LibraryFileError {
  fileprivate init(_ failure: PeerFiles.Failure, _ subject: String) {
    switch failure.code {
    case .notRegular: self.init(.notRegular, subject: subject)
    case .missing, .unreadable, .stopped: self.init(.unreadableSource, subject: subject, cause: failure.cause)
    case .tooLarge: self.init(.tooLarge, subject: subject)
    case .target:
      let isFull = failure.cause.code == ENOSPC || failure.cause.code == EDQUOT
      self.init(isFull ? .noSpace : .system, subject: subject, cause: failure.cause)
    }
  }
}

extension SerialThread {
  /// Runs a body here, and comes back to the loop.
  @EventLoopActor
  func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      async {
        let result: Result<Value, Failure>
        do throws(Failure) { result = .success(try body()) } catch { result = .failure(error) }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }
}

extension SharedThread {
  /// Runs a body here when it is this user's turn, and comes back to the loop.
  @EventLoopActor
  func run<Value: Sendable, Failure: Error>(
    for user: UInt32, _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      async(for: user) {
        let result: Result<Value, Failure>
        do throws(Failure) { result = .success(try body()) } catch { result = .failure(error) }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }
}

extension MediaFormat {
  /// The format of a copy, by its beginning.
  init?(descriptor: CInt) throws(LibraryFileError) {
    var beginning = [UInt8](repeating: 0, count: MediaFormat.beginningLength)
    let count = pread(descriptor, &beginning, beginning.count, 0)
    guard count >= 0 else {
      throw LibraryFileError(.unreadableSource, subject: "the file", cause: SystemError("pread"))
    }
    self.init(beginning: beginning.prefix(count))
  }
}
