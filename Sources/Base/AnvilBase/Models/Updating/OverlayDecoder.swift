/// A keyed container with all keys of the input, and the keys of the old value that are not in the input and not hidden.
struct OverlayKeyedContainer<Key: CodingKey>: DecodingMembers {
  /// The keys of the input; `nil` if the input has no value here.
  let new: KeyedDecodingContainer<Key>?
  let old: [String: RecordedValue]
  /// The object that is read; `nil` in an old value that is decoded as it is.
  let object: OverlayObject?
  let codingPosition: CodingPosition
  let userInfo: [CodingUserInfoKey: Any]

  init(
    new: KeyedDecodingContainer<Key>?, old: RecordedValue?, object: OverlayObject?,
    codingPosition: CodingPosition, userInfo: [CodingUserInfoKey: Any]
  ) {
    self.new = new
    self.old = old?.keys ?? [:]
    self.object = object
    self.codingPosition = codingPosition
    self.userInfo = userInfo
    object?.note(new, old: old)
  }

  var codingPath: [any CodingKey] { codingPosition.path }

  /// The sorted keys that only the old value has, followed by the input's keys in order: a model that reads all keys in a loop, and keeps
  /// the last value, keeps that of the input.
  var allKeys: [Key] {
    let keys = new?.allKeys ?? []
    let known = Set(keys.map(\.stringValue))
    let others = old.keys.sorted().filter { name in
      guard !known.contains(name) else { return false }
      guard let object, object.isHidden(name) else { return true }
      return !object.requestIsHidden(name)
    }
    return others.compactMap { Key(stringValue: $0) } + keys
  }

  func contains(_ key: Key) -> Bool { place(of: key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    switch place(of: key) {
    case .input(let new):
      object?.noteRead(key.stringValue)
      return try new.decodeNil(forKey: key)
    case .old(let recorded): return recorded.isNull
    case nil: throw missing(key)
    }
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    switch place(of: key) {
    case .input(let new):
      guard let object else { return try new.decode(type, forKey: key) }
      let name = OverlayKey(object: object, name: key.stringValue)
      do {
        let value = try isScalar(type) ? new.decode(type, forKey: key) : decode(type, forKey: key, from: new, object)
        object.session.noteRead(name)
        object.session.noteValue(value, of: name)
        return value
      } catch {
        object.session.noteFailedRead(name)
        throw error
      }
    case .old(let recorded): return try oldDecoder(recorded, forKey: key).oldValue(as: type)
    case nil: throw missing(key)
    }
  }

  func node(forKey key: Key) throws -> OverlayDecoder {
    let name = key.stringValue
    switch place(of: key) {
    case .input(let new):
      let decoder = try new.superDecoder(forKey: key)
      return OverlayDecoder(new: decoder, old: old[name] ?? RecordedValue(), object: object?.member(name))
    case .old(let recorded): return oldDecoder(recorded, object: object?.member(name), forKey: key)
    case nil: throw missing(key)
    }
  }

  /// The key "super" need not be one of `Key`, so absent and null cannot be distinguished: both keep the old value.
  func superDecoder() throws -> any Decoder {
    let key = SuperKey()
    let old = old[key.stringValue] ?? RecordedValue()
    let member = object?.member(key.stringValue)
    if let member, let new = try? new?.superDecoder(), (try? new.singleValueContainer().decodeNil()) == false {
      return OverlayDecoder(new: new, old: old, object: member)
    }
    return OverlayDecoder(old: old, object: member, codingPosition: .below(codingPosition, key), userInfo: userInfo)
  }
}

extension OverlayKeyedContainer {
  /// The container that has a key.
  private enum Place {
    case input(KeyedDecodingContainer<Key>)
    case old(RecordedValue)
  }

  /// Returns the place of `key`; `nil` if it is neither in the input nor in the old value, or hidden.
  private func place(of key: Key) -> Place? {
    object?.session.noteAccess()
    if let new, new.contains(key) { return .input(new) }
    guard let recorded = old[key.stringValue], object?.requestIsHidden(key.stringValue) != true else { return nil }
    return .old(recorded)
  }

  /// Returns the value in the input. A value that can be updated in place is merged with the old value, which may have another key.
  private func decode<T: Decodable>(
    _ type: T.Type, forKey key: Key, from new: KeyedDecodingContainer<Key>, _ object: OverlayObject
  ) throws -> T {
    let name = key.stringValue
    let hasIdentity = ValueIdentity.isGiven(to: type, by: userInfo)
    if object.session.isTrial, hasIdentity || type is any DecoderUpdatable.Type {
      // The old value stands in for the updated one.
      if old[name] == nil, let value = object.replaceableValue(by: name, as: type) { return value }
      guard object.hasValue(of: name, as: type) else { throw missing(key) }
    }
    return try object.value(of: name, as: type) {
      if let old = oldValue(for: name), old.value is any DecoderUpdatable, !hasIdentity,
        try !new.decodeNil(forKey: key),
        let updated = try old.updated(as: type, from: new.superDecoder(forKey: key))
      {
        return updated
      }
      return try new.decode(type, forKey: key)
    }
  }

  /// Returns the old value of a key in the input, which may have another key.
  private func oldValue(for name: String) -> RecordedValue? {
    old[name] ?? object?.replacedKeys[name].flatMap { old[$0] }
  }

  /// Returns whether decoding a value again costs little. Such values are not kept for further decodings.
  private func isScalar(_ type: any Any.Type) -> Bool {
    type == String.self || type == Bool.self || type is any BinaryInteger.Type || type is any BinaryFloatingPoint.Type
  }

  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(
      key,
      .init(
        codingPath: codingPath,
        debugDescription: "No value for the key \"\(key.stringValue)\", neither in the input nor in the old value."))
  }

  private func oldDecoder(
    _ recorded: RecordedValue, object: OverlayObject? = nil, forKey key: Key
  ) -> OverlayDecoder {
    OverlayDecoder(
      old: recorded, object: object, codingPosition: .below(codingPosition, key), userInfo: userInfo)
  }
}

/// A decoder that reads from the input or, for values that are not in the input, from the recorded old value.
///
/// `new` is `nil` below a key that is not in the input. Everything is then read from the old value.
struct OverlayDecoder: DecodingNode {
  let new: (any Decoder)?
  let old: RecordedValue
  /// The object that is read; `nil` in an old value that is decoded as it is.
  let object: OverlayObject?
  let codingPosition: CodingPosition
  let userInfo: [CodingUserInfoKey: Any]

  /// `old` must have recorded the parts of the old value.
  init(new: any Decoder, old: RecordedValue, object: OverlayObject?) {
    self.new = new
    self.old = old
    self.object = object
    codingPosition = .decoder(new)
    userInfo = new.userInfo
  }

  /// Creates a decoder that only reads `old`.
  init(
    old: RecordedValue, object: OverlayObject? = nil, codingPosition: CodingPosition,
    userInfo: [CodingUserInfoKey: Any]
  ) {
    new = nil
    self.object = object
    self.old = old
    self.codingPosition = codingPosition
    self.userInfo = userInfo
  }

  var codingPath: [any CodingKey] { codingPosition.path }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let input = try new?.container(keyedBy: type)
    let old = try old.first(at: codingPosition, userInfo: userInfo) { $0.keys == nil ? nil : $0 }
    guard input != nil || old != nil || new == nil && self.old.encodesNothing else {
      throw mismatch([String: Any].self)
    }
    return KeyedDecodingContainer(
      OverlayKeyedContainer(
        new: input, old: old, object: object, codingPosition: codingPosition, userInfo: userInfo))
  }

  /// Returns the array of the input, or that of the old value if the input has no value here. Arrays are never merged.
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    if let new {
      object?.noteRead()
      return try new.unkeyedContainer()
    }
    guard let items = try old.first(at: codingPosition, userInfo: userInfo, where: { $0.items }) else {
      throw mismatch([Any].self)
    }
    return IndexedElements(items.count, of: self) {
      OverlayDecoder(old: items[$0], codingPosition: .below(codingPosition, IndexKey($0)), userInfo: userInfo)
    }
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    if let new {
      object?.noteRead()
      // Throws the error of an input that could not be parsed.
      _ = try new.singleValueContainer()
    }
    return self
  }

  func decodeNil() -> Bool {
    (try? new?.singleValueContainer().decodeNil()) ?? old.isNull
  }

  /// Returns the value of the input, or the old value if the input has no value here. If the value is encoded as a single updatable value,
  /// for example in a wrapper, that value is updated.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard let new else { return try oldValue(as: type) }
    let value = try new.singleValueContainer()
    guard !value.decodeNil(), old.value is T, old.value is any DecoderUpdatable else { return try value.decode(type) }
    func updated() throws -> T { try old.updated(as: type, from: new) ?? value.decode(type) }
    // An update decodes its input several times, but updates an object in place once.
    return try object?.value(of: nil, as: type, updated) ?? updated()
  }

  /// Returns the old value as a `T`: the value itself, or a `T` decoded from its encoded form.
  ///
  /// - Throws: The error of decoding a `T` from the encoded form, usually `DecodingError.typeMismatch`.
  func oldValue<T: Decodable>(as type: T.Type) throws -> T {
    if let value = try old.first(at: codingPosition, userInfo: userInfo, where: { $0.value(as: type) }) { return value }
    // These types decode themselves from a single value container, which would cause infinite recursion.
    if type is any BinaryInteger.Type || type is any BinaryFloatingPoint.Type || type == Bool.self
      || type == String.self
    {
      throw mismatch(type)
    }
    return try type.init(from: self)
  }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    let found = old.value.map { "a value of type \(Swift.type(of: $0))" } ?? (old.isNull ? "null" : "something else")
    return .typeMismatch(
      type,
      .init(codingPath: codingPath, debugDescription: "The value is absent, and the old value was encoded as \(found).")
    )
  }
}

extension RecordedValue {
  /// A Boolean value that indicates whether the value encoded nothing. A value without properties may do that.
  fileprivate var encodesNothing: Bool { value == nil && keys == nil && items == nil && !isNull }
}

/// Identifies types whose values have an identity, as opposed to being a part of the value that contains them.
///
/// An object store puts this into a decoder's `userInfo`. An input may contain a different value with an identity under the same key.
/// The default of ``DecoderUpdatable`` therefore decodes such a value instead of updating the old one in place.
package struct ValueIdentity {
  private static let key = CodingUserInfoKey(rawValue: "Anvil.ValueIdentity")

  private let isGiven: (any Any.Type) -> Bool

  /// - Parameter isGiven: Returns whether the values of a type have an identity.
  package init(isGiven: @escaping (any Any.Type) -> Bool) {
    self.isGiven = isGiven
  }

  package func added(to userInfo: [CodingUserInfoKey: Any]) -> [CodingUserInfoKey: Any] {
    var userInfo = userInfo
    if let key = Self.key { userInfo[key] = self }
    return userInfo
  }

  static func isGiven(to type: any Any.Type, by userInfo: [CodingUserInfoKey: Any]) -> Bool {
    guard let key, let identity = userInfo[key] as? ValueIdentity else { return false }
    return identity.isGiven(type)
  }
}

/// A decoder that converts the keys of the text to keys of the type.
package protocol KeyConvertingDecoder: Decoder {
  /// Returns the key of the type for the key `key` of the object that is decoded.
  func convertedKey(_ key: String) -> String
}

extension OverlayDecoder: KeyConvertingDecoder {
  func convertedKey(_ key: String) -> String { (new as? any KeyConvertingDecoder)?.convertedKey(key) ?? key }
}
