/// A set of key hashes, used while the keys of an object are compared with each other.
///
/// Safety: `words` has `wordCount` initialised words that live while the body of ``with(_:)`` runs; every index is masked to a value below
/// `wordCount`.
@safe
struct KeyBits {
  private static let wordCount = 32
  /// The number of bits of a hash that are used.
  static let hashWidth = 11
  private let words: UnsafeMutableBufferPointer<UInt64>

  /// Returns the result of `body` for an empty set, which is on the stack and must not be kept.
  @inline(__always)
  static func with<Result>(_ body: (KeyBits) -> Result) -> Result {
    // Safety: the words are initialised before they are used, and need not be deinitialised.
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: wordCount) { buffer in
      unsafe buffer.initialize(repeating: 0)
      return unsafe body(KeyBits(words: buffer))
    }
  }

  private init(words: UnsafeMutableBufferPointer<UInt64>) { unsafe self.words = words }

  /// Adds `hash`, and returns true if the set already contained it.
  @inline(__always)
  func insert(_ hash: UInt64) -> Bool {
    let index = Int(truncatingIfNeeded: hash &>> 6) & (Self.wordCount &- 1)
    let bit: UInt64 = 1 &<< (hash & 63)
    let word = unsafe words[index]
    unsafe words[index] = word | bit
    return word & bit != 0
  }
}
