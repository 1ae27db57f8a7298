internal import CSystemd
internal import Linux

/// One reference to an sd_event_source: disabled and released together, in that order, as
/// sd_event_source_disable_unref(3) does.
///
/// libsystemd gets an unretained pointer to the owner; the owner holds this object, so the pointer is
/// dead exactly when the source is.
final class EventSource {
  let pointer: OpaquePointer

  /// Adds a source by `add`, which receives where to put it and the context for its callback.
  init(
    owner: AnyObject, priority: Int64 = 0, call: StaticString,
    _ add: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutableRawPointer) -> CInt
  ) throws(SystemError) {
    var added: OpaquePointer?
    let result = add(&added, Unmanaged.passUnretained(owner).toOpaque())
    guard result >= 0, let added else { throw SystemError(call, code: -result) }
    pointer = added
    if priority != 0 { sd_event_source_set_priority(added, priority) }
  }

  deinit {
    _ = sd_event_source_disable_unref(pointer)
  }
}
