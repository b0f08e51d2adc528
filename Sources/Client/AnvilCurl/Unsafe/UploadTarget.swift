internal import AnvilBase

/// The memory to which the next bytes of a request's body are copied. It must not be kept after the callback that received it.
@safe
struct UploadTarget {
  private let room: UnsafeMutableRawBufferPointer

  /// Creates a target.
  ///
  /// - Parameter room: Memory that stays valid as long as the target, and targets derived from it, are used.
  init(_ room: UnsafeMutableRawBufferPointer) {
    unsafe self.room = room
  }

  /// Copies as many of `bytes` as fit and returns their number.
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
