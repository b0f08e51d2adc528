struct UnkeyedContainer: UnkeyedDecodingContainer {
  let session: DecodingSession
  let index: Int
  private let end: Int
  private var next: Int
  private(set) var currentIndex = 0

  init(session: DecodingSession, index: Int) {
    self.session = session
    self.index = index
    next = index + 1
    end = index + session.document.tape[index].span
  }

  var codingPath: [any CodingKey] { session.codingPath(to: index) }
  var count: Int? { session.document.count(ofContainerAt: index) }
  var isAtEnd: Bool { next >= end }

  /// Decodes the next element with `decode`. If that fails, the container does not advance.
  @inline(__always)
  private mutating func element<T>(_ type: T.Type, _ decode: (Int) throws -> T) throws -> T {
    guard next < end else { throw session.atEnd(type, of: index, currentIndex) }
    let value = try decode(next)
    next += session.document.tape[next].span
    currentIndex += 1
    return value
  }

  @inline(__always)
  private mutating func integer<Value: FixedWidthInteger>() throws -> Value {
    try element(Value.self) { [session] in try session.integer(Value.self, at: $0) }
  }

  mutating func decodeNil() throws -> Bool {
    guard next < end else { throw session.atEnd(Never.self, of: index, currentIndex) }
    guard session.document.tape[next].is(.null) else { return false }
    next += 1
    currentIndex += 1
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try element(type) { [session] in try session.bool(at: $0) } }
  mutating func decode(_ type: String.Type) throws -> String {
    try element(type) { [session] in try session.string(at: $0) }
  }
  mutating func decode(_ type: Double.Type) throws -> Double {
    try element(type) { [session] in try session.double(at: $0) }
  }
  mutating func decode(_ type: Float.Type) throws -> Float {
    try element(type) { [session] in try session.float(at: $0) }
  }
  mutating func decode(_ type: Int.Type) throws -> Int { try integer() }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer() }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer() }
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try element(type) { [session] in try session.decode(type, at: $0) }
  }

  // The default implementation of the standard library decodes a `T` even if the metatype is that of a subclass.
  mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
    guard try !isAtEnd && !decodeNil() else { return nil }
    return try decode(type)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try element(KeyedDecodingContainer<Nested>.self) { [session] in
      try NodeDecoder(session: session, index: $0).container(keyedBy: type)
    }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try element((any UnkeyedDecodingContainer).self) { [session] in
      try NodeDecoder(session: session, index: $0).unkeyedContainer()
    }
  }

  mutating func superDecoder() throws -> any Swift.Decoder {
    try element((any Swift.Decoder).self) { [session] in NodeDecoder(session: session, index: $0) }
  }
}
