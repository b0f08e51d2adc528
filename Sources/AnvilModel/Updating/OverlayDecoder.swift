/// Reads from the input where it speaks, else from what was recorded of the old value.
///
/// Below a key that the input does not have there is no input: `new` is `nil` and everything comes from the old value.
struct OverlayDecoder: Decoder {
  let new: (any Decoder)?
  let old: RecordedValue
  let codingPlace: CodingPlace
  let userInfo: [CodingUserInfoKey: Any]

  /// Lays `new` over `old`, which describes the value that is read (not a value yet to be expanded).
  init(new: any Decoder, old: RecordedValue) {
    self.new = new
    self.old = old
    codingPlace = .decoder(new)
    userInfo = new.userInfo
  }

  /// Reads `old` only.
  init(old: RecordedValue, codingPlace: CodingPlace, userInfo: [CodingUserInfoKey: Any]) {
    new = nil
    self.old = old
    self.codingPlace = codingPlace
    self.userInfo = userInfo
  }

  var codingPath: [any CodingKey] { codingPlace.path }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let new = try new?.container(keyedBy: type)
    let keys = try old.first(at: codingPlace, userInfo: userInfo) { $0.keys }
    guard new != nil || keys != nil || old.saysNothing else { throw mismatch([String: Any].self) }
    return KeyedDecodingContainer(
      OverlayKeyedContainer(new: new, old: keys ?? [:], codingPlace: codingPlace, userInfo: userInfo))
  }

  /// An array replaces: the input's, or all of the old one.
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    if let new { return try new.unkeyedContainer() }
    guard let items = try old.first(at: codingPlace, userInfo: userInfo, where: { $0.items }) else {
      throw mismatch([Any].self)
    }
    return RecordedItemsContainer(items: items, codingPlace: codingPlace, userInfo: userInfo)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    OverlayValueContainer(new: try new?.singleValueContainer(), decoder: self)
  }

  /// The old value as a `T`: the value itself, else one decoded from what it says of itself.
  ///
  /// - Throws: `DecodingError.typeMismatch` when what the value says is nothing that a `T` can be read from.
  func oldValue<T: Decodable>(as type: T.Type) throws -> T {
    if let value = try old.first(at: codingPlace, userInfo: userInfo, where: { $0.value(as: type) }) { return value }
    // These ask their decoder for themselves and would do so for ever.
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
      type, .init(codingPath: codingPath, debugDescription: "Absent, and the old value was encoded as \(found)."))
  }
}

extension RecordedValue {
  /// Whether a value encoded nothing at all, as one without properties may.
  fileprivate var saysNothing: Bool { value == nil && keys == nil && items == nil && !isNull }
}
