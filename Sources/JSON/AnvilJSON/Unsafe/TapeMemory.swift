internal import AnvilBase

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
      unsafe HeapMemory.deallocate(base)
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

/// The memory of the values that are taken from a partial parser, one value at a time.
///
/// A value of an unfinished document differs from the previous value in the words at the end, and in the words of the containers
/// that were open. Only these are copied, so that taking all values of a document costs as much as copying it once.
///
/// Safety: the memory is written only by ``document(of:openString:)``, which the parser calls while no document refers to it. Each document
/// keeps it alive.
@safe
final class PartialMemory: @unchecked Sendable {
  private var bytes: UnsafeMutableRawPointer
  private var byteCapacity = 256
  private var byteCount = 0
  private var tape = TapeMemory(capacity: 64)
  /// The number of words that equal those of the builder, except for those of open values.
  private(set) var wordCount = 0
  /// The indices of the words of open values, outermost first.
  private var open: [Int] = []

  init() {
    unsafe bytes = HeapMemory.allocate(byteCount: byteCapacity + PaddedBytes.padding)
  }

  deinit {
    unsafe HeapMemory.deallocate(bytes)
    tape.deallocate(used: 0)
  }

  /// Returns the document that `builder` contains so far. No other document may refer to this memory.
  ///
  /// - Parameter openString: The index of the last word's value if it is a string that is open.
  func document(of builder: DocumentBuilder, openString: Int? = nil) -> Document {
    copyBytes(builder.bytes)
    copyWords(builder)
    let count = builder.words.count
    for (index, members) in builder.open {
      let isObject = tape[index].is(.object)
      tape[index] = .container(isObject: isObject, count: members, span: count - index)
    }
    open = builder.open.map(\.index)
    wordCount = count
    if let openString {
      open.append(openString)
      // Its words are not the builder's last ones for long.
      wordCount = openString
    }
    let text = unsafe PaddedBytes(base: bytes, count: byteCount)
    return Document(bytes: text, tape: tape, wordCount: count, in: self, open: open)
  }

  private func copyBytes(_ source: [UInt8]) {
    if source.count > byteCapacity {
      byteCapacity = max(source.count, 2 * byteCapacity)
      unsafe bytes = HeapMemory.resize(bytes, to: byteCapacity + PaddedBytes.padding)
    }
    // Safety: the source has the bytes of the range, the target has room for them and for the padding, and they do not overlap.
    unsafe source.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      unsafe (bytes + byteCount).copyMemory(from: start + byteCount, byteCount: source.count - byteCount)
    }
    byteCount = source.count
    unsafe (bytes + byteCount).initializeMemory(as: UInt8.self, repeating: 0, count: PaddedBytes.padding)
  }

  private func copyWords(_ builder: DocumentBuilder) {
    if builder.words.count > tape.capacity { tape = tape.grown(to: max(builder.words.count, 2 * tape.capacity)) }
    // Those that were open may be closed now.
    for index in open where index < wordCount { tape[index] = TapeWord(bits: builder.words[index]) }
    for index in wordCount..<builder.words.count { tape[index] = TapeWord(bits: builder.words[index]) }
  }
}

/// Memory of the C library, which can be shrunk in place.
///
/// Safety: memory that is allocated here is freed here, once.
enum HeapMemory {
  /// Returns `byteCount` bytes of uninitialised memory, aligned for any word.
  static func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
    guard let memory = unsafe malloc(max(byteCount, 1)) else { outOfMemory(byteCount) }
    return unsafe memory
  }

  /// Returns `memory` resized to `byteCount` bytes, usually at the same address.
  static func resize(_ memory: UnsafeMutableRawPointer, to byteCount: Int) -> UnsafeMutableRawPointer {
    guard let resized = unsafe realloc(memory, max(byteCount, 1)) else { outOfMemory(byteCount) }
    return unsafe resized
  }

  static func deallocate(_ memory: UnsafeMutableRawPointer) {
    unsafe free(memory)
  }

  /// Terminates the process, as the standard library does.
  @inline(never)
  private static func outOfMemory(_ byteCount: Int) -> Never {
    fatalError("cannot allocate \(byteCount) bytes")
  }
}

/// Reusable memory for the text of a double.
final class DigitMemory {
  private let output = OutputMemory(capacity: 128)

  deinit { output.deallocate() }

  /// Calls `body` with the text of `value`, which must be finite, in the format of ECMAScript.
  func withText(of value: Double, _ body: (Span<UInt8>) -> Void) {
    write(value)
    output.withSpan(0..<output.count, body)
  }

  func text(of value: Double) -> String {
    write(value)
    return output.string()
  }

  private func write(_ value: Double) {
    output.truncate(to: 0)
    output.append(ecmaScript: value)
  }
}
