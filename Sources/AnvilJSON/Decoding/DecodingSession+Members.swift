/// Members of objects by key.
extension DecodingSession {
  /// The index of the value of `key` in the object that `frame` stands in, of its first member where several have that
  /// key; `nil` when none has. `bit` is the frame's for the key.
  ///
  /// - Complexity: O(1) where keys are asked for in the order of the text, else O(*n*), *n* the number of members; O(1) on
  ///   average in objects of 256 members or more.
  @inline(__always)
  func value(of key: String, _ bit: UInt64, in frame: MemberFrame) -> Int? {
    let next = frame.next
    let isNext = key.withUTF8Span { next < frame.end && document.key(at: next, equals: $0) }
    guard isNext, frame.order == .distinct || frame.order == .unknown && !frame.ask(bit) else {
      return uncommonValue(of: key, in: frame)
    }
    let value = next &+ tape[next].scalarSpan
    frame.advance(past: next, to: value &+ tape[value].span)
    return value
  }

  /// The index of the value of a member that is not the next, or may not be the first with its key.
  @inline(never)
  private func uncommonValue(of key: String, in frame: MemberFrame) -> Int? {
    switch frame.order {
    case .unknown, .distinct:
      // The key that was read last is often asked for twice: contains, then decode.
      let latest = frame.latest
      if latest != frame.object, key.withUTF8Span({ document.key(at: latest, equals: $0) }) {
        return latest &+ tape[latest].scalarSpan
      }
      guard let found = search(for: key, in: frame) else { return nil }
      if frame.order == .unknown {
        // Members were passed over: one of them may have the key of a later one.
        frame.order = order(ofKeysIn: frame)
        if frame.order != .distinct { return uncommonValue(of: key, in: frame) }
      }
      let value = found &+ tape[found].scalarSpan
      frame.advance(past: found, to: value &+ tape[value].span)
      return value
    case .ambiguous: return document.value(of: key, inObjectAt: frame.object)
    case .indexed: return index(ofObjectAt: frame.object)[key]
    case .converted:
      return members(of: frame.object).first { convertedKey(at: $0) == key }.map { $0 + tape[$0].span }
    }
  }

  /// The index of a key that equals `key`: from the next member on, then of those before it.
  private func search(for key: String, in frame: MemberFrame) -> Int? {
    key.withUTF8Span { key in
      search(for: key, from: frame.next, to: frame.end) ?? search(for: key, from: frame.object &+ 1, to: frame.next)
    }
  }

  @inline(__always)
  private func search(for key: Span<UInt8>, from start: Int, to end: Int) -> Int? {
    var next = start
    while next < end {
      if document.key(at: next, equals: key) { return next }
      let value = next &+ tape[next].scalarSpan
      next = value &+ tape[value].span
    }
    return nil
  }

  private func order(ofKeysIn frame: MemberFrame) -> MemberFrame.Order {
    if document.count(ofContainerAt: frame.object) >= Self.indexedCount { return .indexed }
    return document.hasDistinctKeys(inObjectAt: frame.object) ? .distinct : .ambiguous
  }

  /// Objects of so many members are indexed: read in another order than theirs, they would take time by the square.
  private static var indexedCount: Int { 256 }

  /// The members of a large object by key, each the first that has it.
  private func index(ofObjectAt object: Int) -> [String: Int] {
    if let index = indexes[object] { return index }
    var index: [String: Int] = [:]
    index.reserveCapacity(document.count(ofContainerAt: object))
    for member in members(of: object) {
      let key = document.string(at: member)
      if index[key] == nil { index[key] = member + tape[member].span }
    }
    // Those of the objects that are open at once; any other is soon made again.
    if indexes.count >= 8 { indexes.removeAll(keepingCapacity: true) }
    indexes[object] = index
    return index
  }

  /// The indices of an object's keys.
  func members(of object: Int) -> some Sequence<Int> {
    let document = document
    let end = object + document.tape[object].span
    return sequence(state: object + 1) { (next: inout Int) -> Int? in
      guard next < end else { return nil }
      let key = next
      let value = key + document.tape[key].span
      next = value + document.tape[value].span
      return key
    }
  }

  /// The key at `index` as the type knows it.
  func convertedKey(at index: Int) -> String {
    let key = document.string(at: index)
    switch options.keys {
    case .useDefaultKeys: return key
    case .convertFromSnakeCase:
      if let converted = convertedKeys[key] { return converted }
      let converted = KeyConversion.fromSnakeCase(key)
      convertedKeys[key] = converted
      return converted
    case .custom(let convert):
      return convert(codingPath(ofContainerAround: index) + [DecodingKey(stringValue: key)]).stringValue
    }
  }
}
