/// The first member with each key of a large object, by key: a hash table with linear probing of where the keys stand on the
/// tape.
///
/// Four bytes a slot and at most two thirds of the slots in use, so that the indexes of all objects of a document together
/// are smaller than its tape. Keys are hashed with the process's own seed: a text cannot be made so that all of them collide.
struct MemberIndex {
  /// Indices of keys; 0, where no key can stand, in empty slots. A power of two of them.
  private var slots: [UInt32]

  /// - Complexity: O(*n*) on average, *n* the number of members.
  init(of object: Int, in session: DecodingSession) {
    let document = session.document
    let count = document.count(ofContainerAt: object)
    session.noteVisits(count)
    slots = Array(repeating: 0, count: 1 &<< (Int.bitWidth - (count + count / 2).leadingZeroBitCount))
    for key in session.members(of: object) {
      document.withKey(at: key) { text in
        let slot = slot(of: text, in: document)
        if slots[slot] == 0 { slots[slot] = UInt32(truncatingIfNeeded: key) }
      }
    }
  }

  /// The index of the first key with the bytes `text`; `nil` when no member has it.
  ///
  /// - Complexity: O(1) on average, and the length of the key.
  func key(_ text: Span<UInt8>, in document: Document) -> Int? {
    let key = slots[slot(of: text, in: document)]
    return key == 0 ? nil : Int(key)
  }

  /// The slot that has the key `text`, or the empty one in which it belongs.
  private func slot(of text: Span<UInt8>, in document: Document) -> Int {
    var hasher = Hasher()
    // Safety: the bytes are alive and initialised as long as the span.
    unsafe text.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    let mask = slots.count &- 1
    var slot = hasher.finalize() & mask
    while case let key = slots[slot], key != 0, !document.key(at: Int(key), equals: text) { slot = (slot &+ 1) & mask }
    return slot
  }
}

extension Document {
  /// The bytes of the key at `index`, for as long as `body` runs.
  @inline(__always)
  fileprivate func withKey(at index: Int, _ body: (Span<UInt8>) -> Void) {
    bytes.withSpan(at: tape[index].offset, length: stringLength(at: index)) { body($0) }
  }
}
