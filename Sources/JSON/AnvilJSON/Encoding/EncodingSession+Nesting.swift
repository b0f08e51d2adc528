/// Nested containers and encoders of superclasses, to which callers may write at any time.
extension EncodingSession {
  /// Opens a container for the value of `key` in the object at `identity`, or continues the existing container if it is of the same kind.
  ///
  /// - Returns: The identity of its ``ValueSlot``. The slot is not open if the object is closed or the key has a value of another kind.
  func nested(_ kind: ValueSlot.Kind, forKey key: some CodingKey, in identity: Int) -> Int {
    let name = convertedKey(key, in: identity)
    guard activate(identity) else { return makeIdentity() }
    if let number = member(named: name) { return reopened(kind, number, name, key) }
    _ = begin(name)
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

  /// Continues the container that is the value of the member `number` of the innermost object.
  ///
  /// - Returns: The identity of the container's ``ValueSlot``. The slot is not open if the value is of another kind.
  private func reopened(_ kind: ValueSlot.Kind, _ number: Int, _ name: String, _ key: some CodingKey) -> Int {
    let object = slots[slots.top].identity
    let range = valueRange(ofMember: number)
    if let fragment = gaps.first(where: { $0.offset == range.lowerBound })?.fragment,
      detached[fragment.root] === fragment
    {
      return activate(fragment.root) ? opened(kind, at: fragment.root) : makeIdentity()
    }
    // The value is closed, so its text is copied into a new slot for the same key.
    let text = output.withSpan(range) { bytes in bytes.indices.map { bytes[$0] } }
    _ = begin(name)
    replaceMember(number, of: object)
    let identity = push(key)
    guard text.first == (kind == .object ? 0x7B : 0x5B) else {
      slots[slots.top].kind = text.first == 0x7B ? .object : text.first == 0x5B ? .array : .scalar
      output.append(text.elementSpan)
      return opened(kind, at: identity)
    }
    guard openOrFail(kind) else { return makeIdentity() }
    for piece in StringText.pieces(of: text) { append(Array(text[piece]), kind) }
    return identity
  }

  /// Appends an encoded element or member to the innermost container.
  private func append(_ piece: [UInt8], _ kind: ValueSlot.Kind) {
    guard kind == .object else {
      beginElement()
      return output.append(piece.elementSpan)
    }
    let end = StringText.endOfString(piece, at: 0)
    let name = StringText.unescaped(piece.elementSpan.extracting(1..<max(1, end)))
    _ = begin(String(decoding: name, as: UTF8.self))
    let value = end + (isPretty ? 4 : 2)
    output.append(piece.elementSpan.extracting(min(value, piece.count)..<piece.count))
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
