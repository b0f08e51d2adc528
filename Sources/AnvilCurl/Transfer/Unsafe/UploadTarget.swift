#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Where libcurl wants the next bytes of a request's body. Not to be kept beyond the callback that got it.
@safe
struct UploadTarget {
  private let room: UnsafeMutableRawBufferPointer

  /// - Parameter room: valid as long as this and what is made of it is used.
  init(_ room: UnsafeMutableRawBufferPointer) {
    unsafe self.room = room
  }

  /// Copies as many of `bytes` as there is room for and tells how many.
  func fill(from bytes: Data) -> Int {
    let part = unsafe bytes.prefix(room.count)
    // Safety: the part is no longer than the room.
    unsafe part.copyBytes(to: room)
    return part.count
  }

  /// What is left after `count` bytes, which there are.
  func dropping(_ count: Int) -> UploadTarget {
    unsafe UploadTarget(UnsafeMutableRawBufferPointer(rebasing: room[count...]))
  }
}
