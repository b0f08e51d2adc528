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
    unsafe HeapMemory.free(bytes)
    tape.deallocate(used: 0)
  }

  /// Returns whether the value at `index` is open.
  func isOpen(at index: Int) -> Bool { open.contains(index) }

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
    return Document(bytes: text, tape: tape, wordCount: count, in: self)
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
