internal import CDigests

/// SHA-256 (FIPS 180-4), by libgcrypt, which libsystemd brings along: it uses what the processor has for it.
package final class SHA256 {
  private let digest: digests_sha256

  /// Of nothing yet.
  package init() {
    guard let digest = digests_sha256_open() else { preconditionFailure("libgcrypt has no SHA-256") }
    self.digest = digest
  }

  deinit { digests_sha256_close(digest) }

  /// Goes on with these bytes.
  package func update(_ bytes: UnsafeRawBufferPointer) {
    digests_sha256_update(digest, bytes.baseAddress, bytes.count)
  }

  /// The 32 bytes, of all so far. Nothing can follow.
  package func finalize() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      digests_sha256_read(digest, buffer.baseAddress)
      count = 32
    }
  }

  /// The 32 bytes of a text's digest.
  package static func digest(_ text: some Sequence<UInt8>) -> [UInt8] {
    let digest = SHA256()
    Array(text).withUnsafeBytes { digest.update($0) }
    return digest.finalize()
  }
}
