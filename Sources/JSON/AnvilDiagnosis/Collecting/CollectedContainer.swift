internal import AnvilJSON

/// A type that decodes all of its elements or members, regardless of errors in the others.
///
/// An element that fails does not prevent decoding the next one, because no code of a model runs between them.
///
/// Its placeholder is an empty value. An optional is `nil` for ``Placeholders/Variant/first``, and otherwise contains a placeholder of the
/// wrapped type.
protocol CollectedContainer: PlaceholderValue {
  static func decodeCollecting(_ decoder: CollectingDecoder) throws -> Self

  static var kinds: [JSON.Kind] { get }
}

protocol OptionalContainer: CollectedContainer {
  static var wrappedType: any Decodable.Type { get }
}

extension Optional: PlaceholderValue, CollectedContainer, OptionalContainer where Wrapped: Decodable {
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
    try forEachPart(base.members(ofContainerAt: array)) { element in
      elements.append(try decode(type, at: element.value, for: decoder.property))
    }
    return elements
  }
}

/// An array or a set.
private protocol CollectedList: CollectedContainer, ExpressibleByArrayLiteral where ArrayLiteralElement: Decodable {
  init(_ elements: [ArrayLiteralElement])
}

extension CollectedList {
  static var kinds: [JSON.Kind] { [.array] }
  static func decodeCollecting(_ decoder: CollectingDecoder) throws -> Self {
    Self(try decoder.session.elements(ArrayLiteralElement.self, of: decoder))
  }
  static func placeholder(_ placeholders: Placeholders) -> Self { [] }
}

extension Array: PlaceholderValue, CollectedContainer, CollectedList where Element: Decodable {}
extension ContiguousArray: PlaceholderValue, CollectedContainer, CollectedList where Element: Decodable {}
extension Set: PlaceholderValue, CollectedContainer, CollectedList where Element: Decodable {}

extension Dictionary: PlaceholderValue, CollectedContainer where Key: Decodable, Value: Decodable {
  static var kinds: [JSON.Kind] { Key.self == String.self ? [.object] : [.object, .array] }

  static func decodeCollecting(_ decoder: CollectingDecoder) throws -> [Key: Value] {
    // For other keys, the rules of the standard library apply. Those of strings are not converted by the decoder's key strategy.
    guard Key.self == String.self else { return try [Key: Value](from: decoder) }
    let session = decoder.session
    guard session.base.kind(at: decoder.index) == .object else {
      throw decoder.mismatch([String: Any].self, kinds: [.object])
    }
    var members: [Key: Value] = [:]
    var seen: Set<Key> = []
    try session.forEachPart(session.base.members(ofContainerAt: decoder.index)) { member in
      // Only the first of several members with the same key counts.
      guard let key = session.base.string(at: member.key) as? Key, seen.insert(key).inserted else { return }
      members[key] = try session.decode(Value.self, at: member.value, for: decoder.property)
    }
    return members
  }

  static func placeholder(_ placeholders: Placeholders) -> [Key: Value] { [:] }
}
