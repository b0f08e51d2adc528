internal import AnvilBase

/// A decoder that wraps another one. It creates or updates models with separate rows instead of only decoding them.
struct ReferencingDecoder: DecodingNode {
  let base: any Decoder
  let transaction: StoreTransaction
  let userInfo: [CodingUserInfoKey: Any]

  init(base: any Decoder, transaction: StoreTransaction) {
    self.base = base
    self.transaction = transaction
    let bindings = transaction.bindings
    userInfo = ValueIdentity { bindings.kind(of: $0) != .none }.added(to: base.userInfo)
  }

  var codingPath: [any CodingKey] { base.codingPath }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(ReferencingContainer(base: try base.container(keyedBy: type), transaction: transaction))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try base.unkeyedContainer() }

  func decodeNil() -> Bool { (try? base.singleValueContainer().decodeNil()) == true }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try base.singleValueContainer()
    // Only models read their attributes here. The format decodes other values.
    guard type is any ManagedDecodable.Type else { return try value.decode(type) }
    guard !value.decodeNil() else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath, debugDescription: "Null is not a valid \(type)."))
    }
    return try type.init(from: self)
  }
}

private struct ReferencingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>
  let transaction: StoreTransaction

  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] { base.allKeys }

  func contains(_ key: Key) -> Bool { base.contains(key) }
  func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    switch transaction.bindings.kind(of: type) {
    case .none: return try base.decode(type, forKey: key)
    case .one:
      guard let model = type as? any StorableModel.Type, try base.contains(key) && !base.decodeNil(forKey: key),
        let made = try transaction.createOrUpdateReferenced(model, from: base.superDecoder(forKey: key)) as? T
      else { return try base.decode(type, forKey: key) }
      return made
    case .many:
      guard let array = type as? any ModelArray.Type, try base.contains(key) && !base.decodeNil(forKey: key) else {
        return try base.decode(type, forKey: key)
      }
      let models = try array.make { model in
        var models: [any StorableModel] = []
        var items = try base.nestedUnkeyedContainer(forKey: key)
        while !items.isAtEnd {
          models.append(try transaction.createOrUpdateReferenced(model, from: items.superDecoder()))
        }
        return models
      }
      guard let models = models as? T else { return try base.decode(type, forKey: key) }
      return models
    }
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try base.decode(type, forKey: key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try base.decode(type, forKey: key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try base.decode(type, forKey: key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try base.decode(type, forKey: key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try base.decode(type, forKey: key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try base.decode(type, forKey: key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try base.decode(type, forKey: key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try base.decode(type, forKey: key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try base.decode(type, forKey: key) }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try base.decode(type, forKey: key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try base.decode(type, forKey: key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try base.decode(type, forKey: key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try base.decode(type, forKey: key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try base.decode(type, forKey: key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try base.decode(type, forKey: key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try base.decode(type, forKey: key) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try base.nestedContainer(keyedBy: type, forKey: key)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try base.nestedUnkeyedContainer(forKey: key)
  }

  func superDecoder() throws -> any Decoder { try base.superDecoder() }
  func superDecoder(forKey key: Key) throws -> any Decoder { try base.superDecoder(forKey: key) }
}
