internal import AnvilJSON

/// A type that decodes all of its elements or members, regardless of errors in the others.
///
/// An element that fails does not prevent decoding the next one, because no code of a model runs between them.
protocol CollectedContainer: Decodable {
  static func decodeCollecting(_ decoder: CollectingDecoder) throws -> Self

  static var kinds: [JSON.Kind] { get }

  /// Returns an empty value. An optional is `nil` for ``Placeholders/Variant/first``, and otherwise contains a placeholder of the wrapped
  /// type.
  static func placeholder(_ placeholders: Placeholders) -> Self
}

protocol OptionalContainer: CollectedContainer {
  static var wrappedType: any Decodable.Type { get }
}

extension Optional: CollectedContainer, OptionalContainer where Wrapped: Decodable {
  static var wrappedType: any Decodable.Type { Wrapped.self }
  static var kinds: [JSON.Kind] { [] }

  static func decodeCollecting(_ decoder: CollectingDecoder) throws -> Wrapped? {
    let session = decoder.session
    if session.base.isNull(at: decoder.index) { return nil }
    return try session.orNil { try session.decode(Wrapped.self, at: decoder.index, for: decoder.property) }
  }

  static func placeholder(_ placeholders: Placeholders) -> Wrapped? {
    placeholders.variant == .first ? nil : placeholders.make(Wrapped.self)
  }
}

extension CollectingSession {
  /// Returns the result of `decode`. Returns `nil` if it fails only because no placeholder could be made for a value that is known to be
  /// wrong.
  func orNil<Value>(_ decode: () throws -> Value) throws -> Value? {
    do {
      return try decode()
    } catch {
      let faults = faults(of: error)
      guard isOnlyUnsubstitutable(faults) else { throw error }
      leaveOut(faults)
      return nil
    }
  }

  fileprivate func elements<Element: Decodable>(_ type: Element.Type, of decoder: CollectingDecoder) throws -> [Element]
  {
    let array = decoder.index
    guard base.kind(at: array) == .array else { throw decoder.mismatch([Any].self, kinds: [.array]) }
    var elements: [Element] = []
    try forEachPart(base.elements(ofArrayAt: array)) { element in
      elements.append(try decode(type, at: element, for: decoder.property))
    }
    return elements
  }
}

extension ValueReader {
  fileprivate func elements(ofArrayAt array: Int) -> some Sequence<Int> {
    let end = index(after: array)
    return sequence(state: array + 1) { [self] next in
      guard next < end else { return nil }
      defer { next = index(after: next) }
      return next
    }
  }

  fileprivate func keys(ofObjectAt object: Int) -> some Sequence<Int> {
    let end = index(after: object)
    return sequence(state: object + 1) { [self] next in
      guard next < end else { return nil }
      defer { next = index(after: index(after: next)) }
      return next
    }
  }
}

extension Array: CollectedContainer where Element: Decodable {
  static var kinds: [JSON.Kind] { [.array] }
  static func decodeCollecting(_ decoder: CollectingDecoder) throws -> [Element] {
    try decoder.session.elements(Element.self, of: decoder)
  }
  static func placeholder(_ placeholders: Placeholders) -> [Element] { [] }
}

extension ContiguousArray: CollectedContainer where Element: Decodable {
  static var kinds: [JSON.Kind] { [.array] }
  static func decodeCollecting(_ decoder: CollectingDecoder) throws -> ContiguousArray {
    ContiguousArray(try decoder.session.elements(Element.self, of: decoder))
  }
  static func placeholder(_ placeholders: Placeholders) -> ContiguousArray { [] }
}

extension Set: CollectedContainer where Element: Decodable {
  static var kinds: [JSON.Kind] { [.array] }
  static func decodeCollecting(_ decoder: CollectingDecoder) throws -> Set {
    Set(try decoder.session.elements(Element.self, of: decoder))
  }
  static func placeholder(_ placeholders: Placeholders) -> Set { [] }
}

extension Dictionary: CollectedContainer where Key: Decodable, Value: Decodable {
  static var kinds: [JSON.Kind] { Key.self == String.self ? [.object] : [.object, .array] }

  static func decodeCollecting(_ decoder: CollectingDecoder) throws -> [Key: Value] {
    // For other keys, the rules of the standard library apply.
    guard let members = try (self as? any StringKeyed.Type)?.decodeMembers(decoder) as? [Key: Value] else {
      return try [Key: Value](from: decoder)
    }
    return members
  }

  static func placeholder(_ placeholders: Placeholders) -> [Key: Value] { [:] }
}

/// A dictionary whose keys are strings. The decoder's key strategy does not convert them.
private protocol StringKeyed {
  static func decodeMembers(_ decoder: CollectingDecoder) throws -> Self
}

extension Dictionary: StringKeyed where Key == String, Value: Decodable {
  static func decodeMembers(_ decoder: CollectingDecoder) throws -> [String: Value] {
    let session = decoder.session
    guard session.base.kind(at: decoder.index) == .object else {
      throw decoder.mismatch([String: Any].self, kinds: [.object])
    }
    var members: [String: Value] = [:]
    var seen: Set<String> = []
    try session.forEachPart(session.base.keys(ofObjectAt: decoder.index)) { key in
      let name = session.base.string(at: key)
      // Only the first of several members with the same key counts.
      guard seen.insert(name).inserted else { return }
      members[name] = try session.decode(Value.self, at: session.base.index(after: key), for: decoder.property)
    }
    return members
  }
}
