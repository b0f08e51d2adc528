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

  /// Creates a decoder that reads from `new`, and from `old` for values that are not in `new`. `old` must have recorded the parts of the
  /// old value.
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
