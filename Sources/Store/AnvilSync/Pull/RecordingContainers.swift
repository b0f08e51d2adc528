/// The value of a decoder that records keys.
struct RecordingValueContainer: SingleValueDecodingContainer {
  let base: any SingleValueDecodingContainer
  let decoder: RecordingDecoder

  var codingPath: [any CodingKey] { base.codingPath }
  func decodeNil() -> Bool { base.decodeNil() }
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    KeyRecorder.isScalar(type) ? try base.decode(type) : try decoder.decode(type)
  }
  func decode(_ type: Bool.Type) throws -> Bool { try base.decode(type) }
  func decode(_ type: String.Type) throws -> String { try base.decode(type) }
  func decode(_ type: Double.Type) throws -> Double { try base.decode(type) }
  func decode(_ type: Float.Type) throws -> Float { try base.decode(type) }
  func decode(_ type: Int.Type) throws -> Int { try base.decode(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try base.decode(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try base.decode(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try base.decode(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try base.decode(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try base.decode(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try base.decode(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try base.decode(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try base.decode(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try base.decode(type) }
  func decode(_ type: Int128.Type) throws -> Int128 { try base.decode(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try base.decode(type) }
}

/// The members of an object, whose keys are recorded when they are read.
struct RecordingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>
  let recorder: KeyRecorder
  let path: String

  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] {
    // A model that enumerates the keys may read any of them.
    recorder.noteAll(at: path)
    return base.allKeys
  }

  private func path(of key: Key) -> String { path.appending(key: key.stringValue) }

  private func note(_ key: Key) { recorder.noteReading(of: key.stringValue, at: path) }

  private func noted(_ key: Key) -> KeyedDecodingContainer<Key> {
    note(key)
    return base
  }

  func contains(_ key: Key) -> Bool {
    note(key)
    return base.contains(key)
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    note(key)
    return try base.decodeNil(forKey: key)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    note(key)
    guard !KeyRecorder.isScalar(type), !KeyRecorder.isOpaque(type) else { return try base.decode(type, forKey: key) }
    return try decoder(key).decode(type)
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try noted(key).decode(type, forKey: key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try noted(key).decode(type, forKey: key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try noted(key).decode(type, forKey: key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try noted(key).decode(type, forKey: key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try noted(key).decode(type, forKey: key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try noted(key).decode(type, forKey: key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try noted(key).decode(type, forKey: key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try noted(key).decode(type, forKey: key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try noted(key).decode(type, forKey: key) }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try noted(key).decode(type, forKey: key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try noted(key).decode(type, forKey: key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try noted(key).decode(type, forKey: key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try noted(key).decode(type, forKey: key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try noted(key).decode(type, forKey: key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try noted(key).decode(type, forKey: key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try noted(key).decode(type, forKey: key) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    note(key)
    return try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    note(key)
    return try decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try base.superDecoder() }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    note(key)
    return try decoder(key)
  }

  private func decoder(_ key: Key) throws -> RecordingDecoder {
    // The decoder of a missing key would decode null, but the model has to receive an error.
    guard base.contains(key) else {
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "The key does not exist."))
    }
    return RecordingDecoder(base: try base.superDecoder(forKey: key), recorder: recorder, path: path(of: key))
  }
}

/// The elements of an array.
struct RecordingUnkeyedContainer: UnkeyedDecodingContainer {
  var base: any UnkeyedDecodingContainer
  let recorder: KeyRecorder
  let path: String

  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int? { base.count }
  var isAtEnd: Bool { base.isAtEnd }
  var currentIndex: Int { base.currentIndex }

  mutating func decodeNil() throws -> Bool { try base.decodeNil() }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard !KeyRecorder.isScalar(type), !KeyRecorder.isOpaque(type) else { return try base.decode(type) }
    return try next().decode(type)
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try base.decode(type) }
  mutating func decode(_ type: String.Type) throws -> String { try base.decode(type) }
  mutating func decode(_ type: Double.Type) throws -> Double { try base.decode(type) }
  mutating func decode(_ type: Float.Type) throws -> Float { try base.decode(type) }
  mutating func decode(_ type: Int.Type) throws -> Int { try base.decode(type) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try base.decode(type) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try base.decode(type) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try base.decode(type) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try base.decode(type) }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try base.decode(type) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try base.decode(type) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try base.decode(type) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try base.decode(type) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try base.decode(type) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try base.decode(type) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try base.decode(type) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }

  mutating func superDecoder() throws -> any Decoder { try next() }

  private mutating func next() throws -> RecordingDecoder {
    RecordingDecoder(base: try base.superDecoder(), recorder: recorder, path: path)
  }
}
