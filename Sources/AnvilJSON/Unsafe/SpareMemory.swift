internal import Synchronization

/// Memory that one text is parsed in, and then the next: for the process, whoever parses takes it out.
///
/// A tape has room for the most words that its text can become, of which few are written; with the copy of the text it is
/// mostly gone as soon as a model has been made. Allocating it anew costs a tenth of the time of parsing 500 bytes. From some
/// 20 KB on the C library may give it back to the system each time, and have fresh pages mapped for the next: a third to half of
/// the time of parsing.
///
/// Safety: memory is behind a header that says how many bytes there are, and belongs to who has taken it until it is given
/// back; taking and giving back are atomic.
@safe
struct SpareMemory: ~Copyable, @unchecked Sendable {
  /// For words of tapes.
  static let tapes = SpareMemory()
  /// For copies of texts.
  static let texts = SpareMemory()

  /// Room for more bytes than these, 16 MiB, is not kept: that of the tapes of texts of 3 MB.
  static let largestCapacity = 1 << 24
  /// What has been written to more bytes than these, 4 MiB, is not kept.
  static let largestUse = 1 << 22
  /// The least room, 64 KiB: that of the tapes of texts of 12 KB.
  private static let smallestCapacity = 1 << 16
  /// As much as keeps the memory behind it aligned for anything.
  private static let headerSize = 16

  private let spare = unsafe Atomic<UnsafeMutableRawPointer?>(nil)

  /// Memory for at least `byteCount` bytes, at most ``largestCapacity``; they are not initialised.
  func take(_ byteCount: Int) -> UnsafeMutableRawPointer {
    if let start = unsafe spare.exchange(nil, ordering: .acquiring) {
      if unsafe start.load(as: Int.self) >= byteCount { return unsafe start + Self.headerSize }
      unsafe HeapMemory.free(start)
    }
    var capacity = Self.smallestCapacity
    while capacity < byteCount { capacity *= 2 }
    let start = unsafe HeapMemory.allocate(byteCount: capacity + Self.headerSize)
    unsafe start.storeBytes(of: capacity, as: Int.self)
    return unsafe start + Self.headerSize
  }

  /// Takes `memory` back, of which at most `used` bytes have been written to.
  func giveBack(_ memory: UnsafeMutableRawPointer, used: Int) {
    let start = unsafe memory - Self.headerSize
    if used <= Self.largestUse,
      unsafe spare.compareExchange(expected: nil, desired: start, ordering: .releasing).exchanged
    {
      return
    }
    unsafe HeapMemory.free(start)
  }
}
