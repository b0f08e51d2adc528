/// The words of a tape while and after it is written.
///
/// Safety: `base` points to `capacity` words that live until `deallocate()` and have one owner at a time; the first
/// `count` of a finished tape are initialised. Indices are checked by `assert`, as those of ``PaddedBytes``; the parser's
/// are in range because a text of *n* bytes has at most ``capacity(for:depthLimit:)`` words.
@safe
struct TapeMemory {
  private let base: UnsafeMutablePointer<UInt64>
  let capacity: Int

  /// The most words that `count` bytes can become before the parser has refused them or come to their end.
  ///
  /// With what follows it a value has two bytes or more for one word (`0,`) and three or more for two (`-0,`): two words for
  /// three bytes are the most. A container has one byte for its word until it is closed, so that each open one (`[[[[…`)
  /// takes a third of a word more.
  static func capacity(for count: Int, depthLimit: Int) -> Int {
    (2 * count + max(0, min(depthLimit, count))) / 3 + 4
  }

  init(capacity: Int) {
    self.capacity = capacity
    unsafe base = .allocate(capacity: capacity)
  }

  func deallocate() {
    unsafe base.deallocate()
  }

  @inline(__always)
  subscript(index: Int) -> TapeWord {
    get {
      assert(index >= 0 && index < capacity)
      return unsafe TapeWord(bits: base[index])
    }
    nonmutating set {
      assert(index >= 0 && index < capacity)
      unsafe base[index] = newValue.bits
    }
  }

  /// The first `count` words in memory of just their size.
  func shrunk(to count: Int) -> TapeMemory {
    let result = TapeMemory(capacity: max(count, 1))
    // Safety: both have at least `count` words and are different allocations.
    unsafe result.base.update(from: base, count: count)
    return result
  }
}
