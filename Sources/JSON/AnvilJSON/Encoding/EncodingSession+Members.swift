internal import AnvilBase

extension EncodingSession {
  /// The member count from which an index is used to find earlier members with the same key.
  private static let indexedCount = 128

  /// Begins a member of the innermost object: separator, key and colon.
  ///
  /// - Returns: The number of the earlier member of the object with the same key, if there is one. It must be replaced
  ///   once the value has been encoded.
  @inline(__always)
  func beginMember(_ name: String) -> Int? {
    let top = slots.top
    let count = slots[top].count
    if count > 0 { output.append(.comma) }
    if isPretty { breakLine(depth: slots[top].depth &+ 1) }
    let start = output.count
    output.append(quoted: name, escapingSlashes: escapesSlashes)
    let hash = hash(from: start)
    if isPretty {
      output.reserve(3)
      output.put((0x203A20 as UInt32).littleEndian, length: 3)
    } else {
      output.append(.colon)
    }
    members.push(EncodedMember(start: start, value: output.count, hash: hash))
    slots[top].count = count &+ 1
    let bit: UInt64 = 1 &<< (hash &>> 58)
    let seen = slots[top].seen
    slots[top].seen = seen | bit
    return seen & bit == 0 && count < Self.indexedCount ? nil : earlierMember(name)
  }

  /// Returns a hash of the quoted text from `start` on, computed from its ends and its length.
  @inline(__always)
  private func hash(from start: Int) -> UInt64 {
    let length = output.count &- start
    var mixed = UInt64(truncatingIfNeeded: length)
    if length >= 8 {
      mixed ^= output.word(at: start) ^ (output.word(at: output.count &- 8) &* 0x9E37_79B9_7F4A_7C15)
    } else {
      for offset in start..<output.count { mixed = mixed &<< 8 | UInt64(truncatingIfNeeded: output[offset]) }
    }
    mixed = (mixed ^ mixed &>> 32) &* 0xD6E8_FEB8_6659_FD93
    return mixed ^ mixed &>> 29 &* 0xBF58_476D_1CE4_E5B9
  }

  /// Returns the number of the earlier member with the same key as the last member; `nil` if no other member has that key.
  @inline(never)
  private func earlierMember(_ name: String) -> Int? {
    let first = slots[slots.top].firstMember
    let last = members.top
    if slots[slots.top].count > Self.indexedCount { return indexedMember(name) }
    for index in first..<last where members[index].hash == members[last].hash && !members[index].isReplaced {
      if hasSameKey(index, last) { return index - first }
    }
    return nil
  }

  private func indexedMember(_ name: String) -> Int? {
    let slot = slots[slots.top]
    let last = members.top - slot.firstMember
    if indexes[slot.identity] == nil {
      var index: [ScalarKey: Int] = [:]
      for number in 0..<last where !members[slot.firstMember + number].isReplaced {
        index[ScalarKey(key(of: slot.firstMember + number))] = number
      }
      indexes[slot.identity] = index
    }
    return indexes[slot.identity]?.updateValue(last, forKey: ScalarKey(name))
  }

  private func hasSameKey(_ index: Int, _ other: Int) -> Bool {
    let first = keyRange(of: index)
    let second = keyRange(of: other)
    guard first.count == second.count else { return false }
    return zip(first, second).allSatisfy { output[$0] == output[$1] }
  }

  /// Returns the range of the key of the member at `index` in the text, without its quotation marks.
  private func keyRange(of index: Int) -> Range<Int> {
    let member = members[index]
    return member.start + 1..<member.value - (isPretty ? 4 : 2)
  }

  /// Returns the key of the member at `index`, without escapes.
  private func key(of index: Int) -> String {
    let range = keyRange(of: index)
    return output.withSpan(range.lowerBound - 1..<range.upperBound + 1) { text in
      // Safety: `UInt8` has no padding.
      TokenScanner(unsafe text.bytes).string(Token(kind: .string(isClosed: true), range: 0..<text.count))
    }
  }

  /// Marks a member of an object as replaced by the last member that was begun, which takes its position.
  @inline(never)
  func replaceMember(_ number: Int, of identity: Int) {
    guard activate(identity) else { return }
    let top = slots.top
    let index = slots[top].firstMember + number
    members[index].isReplaced = true
    let position = members[index].firstPosition
    members[members.top].firstPosition = position >= 0 ? position : Int32(truncatingIfNeeded: number)
    slots[top].hasReplacedMembers = true
  }

  /// Removes the last member of the innermost object, which has begun and does not replace the member `number` after all.
  func removeLastMember(_ name: String, replacing number: Int?) {
    members.truncate(to: members.top)
    slots[slots.top].count -= 1
    indexes[slots[slots.top].identity]?[ScalarKey(name)] = number
  }

  /// Returns the range of the value of a member of the innermost object.
  func valueRange(ofMember number: Int) -> Range<Int> {
    let index = slots[slots.top].firstMember + number
    let end = index == members.top ? output.count : members[index + 1].start - separatorLength
    return members[index].value..<end
  }

  /// The number of bytes between two members of the innermost object.
  private var separatorLength: Int { isPretty ? 2 + 2 * (slots[slots.top].depth + 1) : 1 }

  /// Removes the replaced members of the innermost object, and sorts the others if requested.
  @inline(never)
  func arrangeMembers() {
    let slot = slots[slots.top]
    let first = slot.firstMember
    guard members.count > first else { return }
    var order = (first..<members.count).filter { !members[$0].isReplaced }
    if sortsKeys {
      sort(&order)
    } else if slot.hasReplacedMembers {
      order = order.map { (index: $0, position: position(of: $0, after: first)) }.sorted { $0.position < $1.position }
        .map(\.index)
    }
    if order.count == slot.count, zip(order, order.dropFirst()).allSatisfy({ $0 < $1 }) { return }
    let ranges = order.map { members[$0].start..<valueRange(ofMember: $0 - first).upperBound }
    let origin = members[first].start
    let text = output.cut(from: origin)
    for (number, range) in ranges.enumerated() {
      if number > 0 {
        output.append(.comma)
        if isPretty { breakLine(depth: slot.depth + 1) }
      }
      output.append(text.elementSpan.extracting(range.lowerBound - origin..<range.upperBound - origin))
    }
  }

  /// Returns the position of the member at `index` in the text, where a member takes that of the first one with its key.
  private func position(of index: Int, after first: Int) -> Int {
    let position = members[index].firstPosition
    return position >= 0 ? Int(position) : index - first
  }

  private func sort(_ order: inout [Int]) {
    let hasEscapes = order.contains { keyRange(of: $0).contains { output[$0] == .backslash } }
    guard hasEscapes else { return order.sort(by: precedes) }
    let keys = order.map { key(of: $0).utf8 }
    let sorted = order.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
    order = sorted.map { order[$0] }
  }

  /// Returns whether the key of the member at `index` sorts before the key of the member at `other`. Both are compared without escapes.
  private func precedes(_ index: Int, _ other: Int) -> Bool {
    let first = keyRange(of: index)
    let second = keyRange(of: other)
    for offset in 0..<min(first.count, second.count) {
      let byte = output[first.lowerBound + offset]
      let otherByte = output[second.lowerBound + offset]
      if byte != otherByte { return byte < otherByte }
    }
    return first.count < second.count
  }
}

/// Nested containers and encoders of superclasses, to which callers may write at any time.
extension EncodingSession {
  /// Opens a container for the value of `key` in the object at `identity`, or continues the existing container if it is of the same kind.
  ///
  /// - Returns: The identity of its ``ValueSlot``. The slot is not open if the object is closed or the key has a value of another kind.
  func nested(_ kind: ValueSlot.Kind, forKey key: some CodingKey, in identity: Int) -> Int {
    let name = convertedKey(key, in: identity)
    guard activate(identity) else { return makeIdentity() }
    if let number = begin(name) { return reopened(kind, number, name, key) }
    return opened(kind, at: push(key))
  }

  /// Creates a container for the next element of the array at `identity`, and returns the identity of its ``ValueSlot``.
  func nestedElement(_ kind: ValueSlot.Kind, in identity: Int) -> Int {
    guard activate(identity) else { return makeIdentity() }
    return opened(kind, at: pushNextElement())
  }

  private func opened(_ kind: ValueSlot.Kind, at identity: Int) -> Int {
    openOrFail(kind) ? identity : makeIdentity()
  }

  /// Creates a ``ValueSlot`` for the value of `key` and returns its identity. The new value replaces an existing one.
  func superMember(forKey key: some CodingKey, in identity: Int) -> Int {
    let name = convertedKey(key, in: identity)
    guard activate(identity) else { return makeIdentity() }
    let replaced = begin(name)
    if let replaced { replaceMember(replaced, of: identity) }
    return push(key)
  }

  /// Creates a ``ValueSlot`` for the next element of the array at `identity`, and returns the identity of the slot.
  func superElement(in identity: Int) -> Int {
    activate(identity) ? pushNextElement() : makeIdentity()
  }

  /// Continues the container that is the value of the member `number` of the innermost object, whose last member was begun with the same
  /// key.
  ///
  /// - Returns: The identity of the container's ``ValueSlot``. The slot is not open if the value is of another kind.
  private func reopened(_ kind: ValueSlot.Kind, _ number: Int, _ name: String, _ key: some CodingKey) -> Int {
    let object = slots[slots.top].identity
    let range = valueRange(ofMember: number)
    let gap = firstGap(from: range.lowerBound)
    if gap < gaps.count, gaps[gap].offset == range.lowerBound, case let fragment = gaps[gap].fragment,
      detached[fragment.root] === fragment
    {
      output.truncate(to: members[members.top].start - separatorLength)
      removeLastMember(name, replacing: number)
      return activate(fragment.root) ? opened(kind, at: fragment.root) : makeIdentity()
    }
    // The value is closed, so its text is copied into a new slot for the same key.
    let text = output.withSpan(range) { bytes in bytes.indices.map { bytes[$0] } }
    replaceMember(number, of: object)
    let identity = push(key)
    guard text.first == (kind == .object ? .openBrace : .openBracket) else {
      slots[slots.top].kind = text.first == .openBrace ? .object : text.first == .openBracket ? .array : .scalar
      output.append(text.elementSpan)
      return opened(kind, at: identity)
    }
    guard openOrFail(kind) else { return makeIdentity() }
    var tokens = text.tokens(from: 1)
    while let child = tokens.nextChild(ofObject: kind == .object) {
      if let key = child.key { _ = begin(tokens.string(key)) } else { beginElement() }
      tokens.skip(child.value)
      output.append(text.elementSpan.extracting(child.value.range.lowerBound..<tokens.offset))
    }
    return identity
  }

  // The inlined functions as calls, which keep the code small.

  @inline(never)
  private func begin(_ name: String) -> Int? { beginMember(name) }

  @inline(never)
  private func push(_ key: any CodingKey) -> Int { pushMember(key) }

  @inline(never)
  private func pushNextElement() -> Int { pushElement() }

  /// Returns the keys and indices that lead to the ``ValueSlot`` with this identity; empty if it is closed.
  func codingPath(of identity: Int) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var fragment = current
    var slot: Int? = identity
    while let wanted = slot {
      if fragment.lacksSlot(wanted, in: self) { fragment = detached[wanted] ?? main }
      let (slots, keys) = fragment === current ? (self.slots, self.keys) : (fragment.slots, fragment.keys)
      guard let index = (0..<slots.count).last(where: { slots[$0].identity == wanted }) else {
        return path.reversed()
      }
      var keyed = (0...index).count { slots[$0].isKeyed }
      for slot in (0...index).reversed() {
        if let position = slots[slot].position {
          path.append(EncodingKey(intValue: position))
        } else if slots[slot].isKeyed {
          keyed -= 1
          path.append(keys[keyed])
        }
      }
      slot = fragment.parent
    }
    return path.reversed()
  }
}

extension TextFragment {
  fileprivate func lacksSlot(_ identity: Int, in session: EncodingSession) -> Bool {
    let slots = self === session.current ? session.slots : slots
    return !(0..<slots.count).contains { slots[$0].identity == identity }
  }
}

/// A slot for one value: the root, the value of a member, or an element. It is open from its creation until the
/// `encode(to:)` that created it, or for which it was created, returns.
///
/// Encoders and containers refer to slots by their identity. The open slots in one fragment of the text form a stack, in which
/// each is inside the one below it.
struct ValueSlot: BitwiseCopyable {
  /// The kind of value written so far.
  enum Kind: UInt8 {
    case nothing, scalar, array, object
  }

  /// The identity of the slot, which is unique within a session.
  let identity: Int
  /// The number of containers around it.
  let depth: Int
  /// The index of the slot in the array around it; `nil` for the root and for members, whose keys are on a separate stack.
  let position: Int?
  let isKeyed: Bool
  var kind = Kind.nothing
  var hasReplacedMembers = false
  /// The offset of the value's first byte in the fragment's text.
  var start: Int
  /// The number of elements or members begun.
  var count = 0
  /// The index of its first member on the stack of members.
  var firstMember: Int
  /// A bit for each of 64 classes of key hashes, which is set if a member has a key in the class.
  var seen: UInt64 = 0
}

/// A member of an open object.
struct EncodedMember: BitwiseCopyable {
  /// The offset of the key's first quotation mark.
  var start: Int
  /// The offset of the value's first byte.
  var value: Int
  /// The hash of the key's text.
  let hash: UInt64
  var isReplaced = false
  /// The position, among the members of its object, of the first member with this key; -1 if there is no earlier one.
  var firstPosition: Int32 = -1
}

/// A key or an index on a coding path.
typealias EncodingKey = DecodingKey
