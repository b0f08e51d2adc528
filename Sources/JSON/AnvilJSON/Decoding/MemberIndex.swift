/// The first member with each key of a large object, by key. It is a hash table with linear probing that contains the positions of
/// keys on the tape.
///
/// It uses four bytes per slot and at most two thirds of the slots, so the indexes of all objects of a document together
/// are smaller than its tape. Keys are hashed with the random seed of the process, so a text cannot be made to cause collisions.
struct MemberIndex {
  /// Indices of keys. An empty slot contains 0, which is never the index of a key. The count is a power of two.
  private var slots: [UInt32]

  /// Creates the index of the members of `object`.
  ///
  /// - Complexity: O(*n*) on average, where *n* is the number of members.
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

  /// Returns the index of the first key with the bytes `text`; `nil` if no member has it.
  ///
  /// - Complexity: O(1) on average, plus the length of the key.
  func key(_ text: Span<UInt8>, in document: Document) -> Int? {
    let key = slots[slot(of: text, in: document)]
    return key == 0 ? nil : Int(key)
  }

  /// Returns the slot that contains the key `text`, or the empty slot for it.
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
  /// Calls `body` with the bytes of the key at `index`.
  @inline(__always)
  fileprivate func withKey(at index: Int, _ body: (Span<UInt8>) -> Void) {
    bytes.withSpan(at: tape[index].offset, length: stringLength(at: index)) { body($0) }
  }
}
