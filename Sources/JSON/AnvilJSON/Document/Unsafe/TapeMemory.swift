/// The words of a tape, during and after writing.
///
/// Safety: `base` points to `capacity` words that live until `deallocate(used:)` and have one owner at a time; the first `count` of a
/// finished tape are initialised. Indices are checked by `assert`, like those of ``PaddedBytes``. The indices of the parser are in range
/// because a text of *n* bytes has at most ``capacity(for:depthLimit:)`` words.
@safe
struct TapeMemory {
  private let base: UnsafeMutablePointer<UInt64>
  let capacity: Int
  /// True if the memory was taken from ``BufferPool``.
  private let isSpare: Bool

  /// Returns the maximum number of words for `count` bytes before the parser has rejected them or reached their end.
  ///
  /// With the character after it, a value has at least two bytes for one word (`0,`) and at least three for two (`-0,`). Two words for
  /// three bytes are therefore the maximum. An open container (`[[[[…`) has one word for only one byte, so each one adds a third of a word
  /// to this maximum.
  static func capacity(for count: Int, depthLimit: Int) -> Int {
    (2 * count + max(0, min(depthLimit, count))) / 3 + 4
  }

  /// Creates a tape that is kept.
  init(capacity: Int) {
    unsafe self.init(Self.allocate(capacity), capacity: capacity, isSpare: false)
  }

  /// Creates a tape for the time of parsing or decoding. The memory is usually reused.
  init(parsingUpTo capacity: Int) {
    let byteCount = capacity * MemoryLayout<UInt64>.stride
    if byteCount <= BufferPool.largestCapacity {
      unsafe self.init(Self.words(BufferPool.tapes.take(byteCount), capacity), capacity: capacity, isSpare: true)
    } else {
      self.init(capacity: capacity)
    }
  }

  private init(_ base: UnsafeMutablePointer<UInt64>, capacity: Int, isSpare: Bool) {
    unsafe self.base = base
    self.capacity = capacity
    self.isSpare = isSpare
  }

  /// Releases the memory, of which at most `used` words have been written.
  func deallocate(used: Int) {
    if isSpare {
      unsafe BufferPool.tapes.giveBack(base, used: used * MemoryLayout<UInt64>.stride)
    } else {
      unsafe HeapMemory.free(base)
    }
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

  /// Returns the tape's first `count` words in memory of exactly that size. This tape must not be used afterwards.
  func shrunk(to count: Int) -> TapeMemory {
    guard isSpare else {
      let base = unsafe HeapMemory.resize(base, to: count * MemoryLayout<UInt64>.stride)
      return unsafe TapeMemory(Self.words(base, count), capacity: count, isSpare: false)
    }
    let result = TapeMemory(capacity: count)
    // Safety: both have at least `count` words and are different allocations.
    unsafe result.base.update(from: base, count: count)
    deallocate(used: count)
    return result
  }

  /// Returns a tape with the same words and room for `capacity` of them. This tape, which is not one for parsing, must not be used afterwards.
  func grown(to capacity: Int) -> TapeMemory {
    assert(!isSpare && capacity >= self.capacity)
    let base = unsafe HeapMemory.resize(base, to: capacity * MemoryLayout<UInt64>.stride)
    return unsafe TapeMemory(Self.words(base, capacity), capacity: capacity, isSpare: false)
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt64> {
    unsafe words(HeapMemory.allocate(byteCount: capacity * MemoryLayout<UInt64>.stride), capacity)
  }

  private static func words(_ memory: UnsafeMutableRawPointer, _ count: Int) -> UnsafeMutablePointer<UInt64> {
    unsafe memory.bindMemory(to: UInt64.self, capacity: count)
  }
}
