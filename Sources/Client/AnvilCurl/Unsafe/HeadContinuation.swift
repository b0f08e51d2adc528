internal import AnvilBase

/// The memory to which the next bytes of a request's body are copied. It must not be kept after the callback that received it.
@safe
struct UploadTarget {
  private let room: UnsafeMutableRawBufferPointer

  /// - Parameter room: Memory that stays valid as long as the target, and targets derived from it, are used.
  init(_ room: UnsafeMutableRawBufferPointer) {
    unsafe self.room = room
  }

  func fill(from bytes: Data) -> Int {
    let part = unsafe bytes.prefix(room.count)
    // Safety: the part is not longer than the memory.
    unsafe part.copyBytes(to: room)
    return part.count
  }

  /// Returns the part of the target after its first `count` bytes. The target must have so many bytes.
  func dropping(_ count: Int) -> UploadTarget {
    unsafe UploadTarget(UnsafeMutableRawBufferPointer(rebasing: room[count...]))
  }
}

/// A task that waits for a response's head.
///
/// It is not a checked continuation, which would add an object and a lock to each request. It must be resumed exactly once. An exchange
/// ensures this: it has the only copy and, under its lock, removes it from its state before resuming it.
@safe
struct HeadContinuation: Sendable {
  private let continuation: UnsafeContinuation<Void, Never>

  static func wait(
    isolation: isolated (any Actor)? = #isolation, _ body: (HeadContinuation) -> Void
  ) async {
    // Safety: as above.
    await unsafe withUnsafeContinuation { unsafe body(HeadContinuation(continuation: $0)) }
  }

  func resume() {
    unsafe continuation.resume()
  }
}
