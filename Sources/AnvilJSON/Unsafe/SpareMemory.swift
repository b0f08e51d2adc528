internal import Synchronization

/// The memory into which the next text is parsed, and then the next: one for the process, which whoever parses takes out.
///
/// A tape has room for the most words that its text can become, of which few are written. Allocating that anew costs a tenth
/// of the time of parsing 500 bytes; for texts of some 20 KB and more the system maps fresh pages each time, which costs a
/// third to half of the time.
///
/// Safety: `words` are behind one more that says how many there are, and belong to who has taken them until they are given
/// back; taking and giving back are atomic.
enum SpareMemory {
  /// Room for more words than these, 16 MiB, is not kept: texts of 3 MB.
  static let largestCapacity = 1 << 21
  /// What has been written to more words than these, 4 MiB, is not kept.
  private static let largestUse = 1 << 19
  /// The least room, 64 KiB: texts of 12 KB.
  private static let smallestCapacity = 1 << 13

  private nonisolated(unsafe) static let spare = unsafe Atomic<UnsafeMutablePointer<UInt64>?>(nil)

  /// Memory for at least `capacity` words, at most ``largestCapacity``; they are not initialised.
  static func take(_ capacity: Int) -> UnsafeMutablePointer<UInt64> {
    if let start = unsafe spare.exchange(nil, ordering: .acquiring) {
      if unsafe start.pointee >= UInt64(capacity) { return unsafe start + 1 }
      unsafe HeapMemory.free(start)
    }
    var count = smallestCapacity
    while count < capacity { count *= 2 }
    let memory = unsafe HeapMemory.allocate(byteCount: (count + 1) * MemoryLayout<UInt64>.stride)
    let start = unsafe memory.bindMemory(to: UInt64.self, capacity: count + 1)
    unsafe start.pointee = UInt64(count)
    return unsafe start + 1
  }

  /// Takes `words` back, of which at most `used` have been written to.
  static func giveBack(_ words: UnsafeMutablePointer<UInt64>, used: Int) {
    let start = unsafe words - 1
    if used <= largestUse, unsafe spare.compareExchange(expected: nil, desired: start, ordering: .releasing).exchanged {
      return
    }
    unsafe HeapMemory.free(start)
  }
}
