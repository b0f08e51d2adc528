extension DecodingSession {
  /// Returns the index of the value of `key` in the object of `frame`; `nil` if the key is missing. If several members share the key, the
  /// first is used. `bit` is the key's ``MemberFrame/bit(of:)``.
  ///
  /// - Complexity: O(1) on average over all lookups in an object. A single lookup that does not follow the order of the text takes O(*n*)
  ///   in an object of fewer than 256 members, where *n* is the number of members.
  @inline(__always)
  func value(of key: String, _ bit: UInt64, in frame: MemberFrame) -> Int? {
    let next = frame.next
    let isNext = key.withUTF8Span { next < frame.end && document.key(at: next, equals: $0) }
    guard isNext, frame.order == .distinct || frame.order == .unknown && !frame.markRequested(bit) else {
      return uncommonValue(of: key, in: frame)
    }
    let value = next &+ tape[next].scalarSpan
    frame.advance(past: next, to: value &+ tape[value].span)
    return value
  }

  /// Returns the index of the value of `key` if its member is not the next one, or may share the key with an earlier member.
  @inline(never)
  private func uncommonValue(of key: String, in frame: MemberFrame) -> Int? {
    switch frame.order {
    case .unknown, .distinct:
      // The key that was read last is often looked up twice: by `contains`, then by `decode`.
      let latest = frame.latest
      if latest != frame.object, key.withUTF8Span({ document.key(at: latest, equals: $0) }) {
        return latest &+ tape[latest].scalarSpan
      }
      if isLarge(frame.object), indexes[frame.object] != nil {
        frame.order = .indexed
        return uncommonValue(of: key, in: frame)
      }
      guard let found = search(for: key, in: frame) else {
        if isLarge(frame.object) { noteFruitlessSearch(in: frame) }
        return nil
      }
      if frame.order == .unknown {
        // Members were skipped, and one of them may have the same key as a later one.
        frame.order = order(ofKeysIn: frame)
        if frame.order != .distinct { return uncommonValue(of: key, in: frame) }
      }
      let value = found &+ tape[found].scalarSpan
      frame.advance(past: found, to: value &+ tape[value].span)
      return value
    case .ambiguous:
      return key.withUTF8Span { search(for: $0, from: frame.object &+ 1, to: frame.end) }
        .map { $0 &+ tape[$0].scalarSpan }
    case .indexed:
      let index = index(ofObjectAt: frame.object)
      return key.withUTF8Span { index.key($0, in: document) }.map { $0 &+ tape[$0].scalarSpan }
    case .converted: return frame.converted?.value(of: key)
    }
  }

  /// Returns the index of a key that equals `key`. Searches from the next member on, then the members before it.
  private func search(for key: String, in frame: MemberFrame) -> Int? {
    key.withUTF8Span { key in
      search(for: key, from: frame.next, to: frame.end) ?? search(for: key, from: frame.object &+ 1, to: frame.next)
    }
  }

  @inline(__always)
  private func search(for key: Span<UInt8>, from start: Int, to end: Int) -> Int? {
    var next = start
    while next < end {
      noteVisits()
      if document.key(at: next, equals: key) { return next }
      let value = next &+ tape[next].scalarSpan
      next = value &+ tape[value].span
    }
    return nil
  }

  /// Counts a search that found nothing. After the fourth one in an object, an index is used, because further searches would take longer.
  private func noteFruitlessSearch(in frame: MemberFrame) {
    fruitlessSearches[frame.object, default: 0] += 1
    if fruitlessSearches[frame.object, default: 0] >= 4 { frame.order = .indexed }
  }

  private func order(ofKeysIn frame: MemberFrame) -> MemberFrame.Order {
    if isLarge(frame.object) { return .indexed }
    return document.hasDistinctKeys(inObjectAt: frame.object) ? .distinct : .ambiguous
  }

  /// Returns whether an object has so many members that it is indexed when it is read out of order. Searching it for each of its keys would
  /// be quadratic.
  func isLarge(_ object: Int) -> Bool { tape[object].count >= 256 }

  func index(ofObjectAt object: Int) -> MemberIndex {
    if let index = indexes[object] { return index }
    let index = MemberIndex(of: object, in: self)
    indexes[object] = index
    return index
  }
}

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
    for member in document.members(ofContainerAt: object) {
      document.withString(at: member.key) { text in
        let slot = slot(of: text, in: document)
        if slots[slot] == 0 { slots[slot] = UInt32(truncatingIfNeeded: member.key) }
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
