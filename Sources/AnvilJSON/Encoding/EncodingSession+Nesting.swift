/// Nested containers and encoders of superclasses, to which callers may write at any time.
extension EncodingSession {
  /// Returns a container for the value of `key` in the object at `identity`, or the existing container if it is of the same kind.
  ///
  /// - Returns: The identity of its place. The place is not open if the object is closed or the key has a value of another kind.
  func nested(_ kind: Place.Kind, forKey key: some CodingKey, in identity: Int) -> Int {
    let name = convertedKey(key, in: identity)
    guard activate(identity) else { return makeIdentity() }
    if let number = member(named: name) { return reopened(kind, number, name, key) }
    _ = begin(name)
    return opened(kind, at: push(key))
  }

  /// Creates a container for the next element of the array at `identity`.
  func nestedElement(_ kind: Place.Kind, in identity: Int) -> Int {
    guard activate(identity) else { return makeIdentity() }
    return opened(kind, at: pushNextElement())
  }

  private func opened(_ kind: Place.Kind, at identity: Int) -> Int {
    openOrFail(kind) ? identity : makeIdentity()
  }

  /// Creates a place for the value of `key`, which replaces an existing value.
  func superPlace(forKey key: some CodingKey, in identity: Int) -> Int {
    let name = convertedKey(key, in: identity)
    guard activate(identity) else { return makeIdentity() }
    let replaced = begin(name)
    if let replaced { replaceMember(replaced, of: identity) }
    return push(key)
  }

  /// Creates a place for the next element of the array at `identity`.
  func superElement(in identity: Int) -> Int {
    activate(identity) ? pushNextElement() : makeIdentity()
  }

  /// Continues the container that is the value of a member.
  private func reopened(_ kind: Place.Kind, _ number: Int, _ name: String, _ key: some CodingKey) -> Int {
    let object = places[places.top].identity
    let range = valueRange(ofMember: number)
    if let part = holes.first(where: { $0.offset == range.lowerBound })?.part, detached[part.root] === part {
      return activate(part.root) ? opened(kind, at: part.root) : makeIdentity()
    }
    // The value is closed, so its text is copied into a new place for the same key.
    let text = output.withSpan(range) { bytes in bytes.indices.map { bytes[$0] } }
    replaceMember(number, of: object)
    _ = begin(name)
    let identity = push(key)
    guard text.first == (kind == .object ? 0x7B : 0x5B) else {
      places[places.top].kind = text.first == 0x7B ? .object : text.first == 0x5B ? .array : .scalar
      output.append(text.span)
      return opened(kind, at: identity)
    }
    guard openOrFail(kind) else { return makeIdentity() }
    for piece in StringText.pieces(of: text) { append(Array(text[piece]), kind) }
    return identity
  }

  /// Appends an encoded element or member to the innermost container.
  private func append(_ piece: [UInt8], _ kind: Place.Kind) {
    guard kind == .object else {
      beginElement()
      return output.append(piece.span)
    }
    let end = StringText.endOfString(piece, at: 0)
    let name = StringText.unescaped(piece.span.extracting(1..<max(1, end)))
    _ = begin(String(decoding: name, as: UTF8.self))
    let value = end + (isPretty ? 4 : 2)
    output.append(piece.span.extracting(min(value, piece.count)..<piece.count))
  }

  // The functions that are inlined where values are written, as calls.

  @inline(never)
  private func begin(_ name: String) -> Int? { beginMember(name) }

  @inline(never)
  private func push(_ key: any CodingKey) -> Int { pushMember(key) }

  @inline(never)
  private func pushNextElement() -> Int { pushElement() }

  /// Returns the keys and indices that lead to a place; empty if it is closed.
  func codingPath(of identity: Int) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var part = current
    var place: Int? = identity
    while let wanted = place {
      if part.holdsNo(wanted, in: self) { part = detached[wanted] ?? main }
      let (places, keys) = part === current ? (self.places, self.keys) : (part.places, part.keys)
      guard let index = (0..<places.count).last(where: { places[$0].identity == wanted }) else {
        return path.reversed()
      }
      var keyed = (0...index).count { places[$0].isKeyed }
      for place in (0...index).reversed() {
        if let position = places[place].position {
          path.append(EncodingKey(intValue: position))
        } else if places[place].isKeyed {
          keyed -= 1
          path.append(keys[keyed])
        }
      }
      place = part.parent
    }
    return path.reversed()
  }
}

extension Part {
  fileprivate func holdsNo(_ identity: Int, in session: EncodingSession) -> Bool {
    let places = self === session.current ? session.places : places
    return !(0..<places.count).contains { places[$0].identity == identity }
  }
}
