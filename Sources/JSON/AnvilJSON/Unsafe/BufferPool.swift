internal import Synchronization

/// Process-wide memory that is reused for parsing one text after another. A parser takes the memory while it is in use.
///
/// A tape has room for the maximum number of words that its text may need, but few of them are written. The tape and the copy of the text
/// are usually released as soon as a model has been decoded. A new allocation costs a tenth of the time of parsing 500 bytes. From about 20
/// KB on, the C library may return the memory to the system each time and map new pages for the next text, which takes a third to half of
/// the time of parsing.
///
/// Safety: the memory follows a header that stores its size. It belongs to the code that has taken it until it is given
/// back. Taking and giving back are atomic.
@safe
struct BufferPool: ~Copyable, @unchecked Sendable {
  /// The memory for words of tapes.
  static let tapes = BufferPool()
  /// The memory for copies of texts.
  static let texts = BufferPool()

  /// The maximum capacity of memory that is kept. 16 MiB is enough for the tape of a text of 3 MB.
  static let largestCapacity = 1 << 24
  /// The maximum number of written bytes in memory that is kept, 4 MiB.
  static let largestUse = 1 << 22
  /// The minimum capacity. 64 KiB is enough for the tape of a text of 12 KB.
  private static let smallestCapacity = 1 << 16
  /// The size of the header, chosen so that the memory after it is aligned for any type.
  private static let headerSize = 16

  private let spare = unsafe Atomic<UnsafeMutableRawPointer?>(nil)

  /// Returns uninitialised memory for at least `byteCount` bytes, at most ``largestCapacity``.
  func take(_ byteCount: Int) -> UnsafeMutableRawPointer {
    if let start = unsafe spare.exchange(nil, ordering: .acquiring) {
      if unsafe start.load(as: Int.self) >= byteCount { return unsafe start + Self.headerSize }
      unsafe HeapMemory.deallocate(start)
    }
    var capacity = Self.smallestCapacity
    while capacity < byteCount { capacity *= 2 }
    let start = unsafe HeapMemory.allocate(byteCount: capacity + Self.headerSize)
    unsafe start.storeBytes(of: capacity, as: Int.self)
    return unsafe start + Self.headerSize
  }

  /// Takes back `memory`, of which at most `used` bytes have been written.
  func giveBack(_ memory: UnsafeMutableRawPointer, used: Int) {
    let start = unsafe memory - Self.headerSize
    if used <= Self.largestUse,
      unsafe spare.compareExchange(expected: nil, desired: start, ordering: .releasing).exchanged
    {
      return
    }
    unsafe HeapMemory.deallocate(start)
  }
}
