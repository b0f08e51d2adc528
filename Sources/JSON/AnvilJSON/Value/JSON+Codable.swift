internal import AnvilBase
internal import Synchronization

/// Any JSON, as a property of a `Codable` type or as a whole coded value.
///
///     struct Event: Codable {
///       var id: Int
///       var payload: JSON
///     }
///
/// ``JSON/Decoder`` and ``JSON/Encoder`` keep the value as it is: the digits of its numbers, the order of its members, and members that
/// share a key. Strategies for keys do not apply within it.
///
/// Other coders, such as Foundation's, receive its containers and scalars. They decide on the order of members. If several members share a
/// key, they receive only the first. Whole numbers of up to 64 bits are exact. Other numbers are decoded with up to 38 digits if the
/// decoder supports `Decimal`, and as a `Double` otherwise. Whole numbers of up to 128 bits are encoded exactly if the encoder supports
/// `Int128`. Other numbers are encoded as the nearest `Double`. With such coders, containers can be nested up to 512 deep.
///
/// A property of type `JSON?` is `nil` if the value is `null`, as with every optional type.
extension JSON: Codable {
  /// Creates a value from `decoder`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` for a value that has no JSON form, such as a date in a property list, and for containers
  ///   nested more than 512 deep. Rethrows the errors of the decoder.
  public init(from decoder: any Swift.Decoder) throws {
    switch decoder {
    case let decoder as NodeDecoder: self = try JSON.decode(by: decoder.session, at: decoder.index)
    case let decoder as any DocumentDecoder: self = try decoder.decode(JSON.self)
    default:
      let document = OtherDecoderDocument()
      try OtherDecoderDocument.$current.withValue(document) { try document.append(from: decoder) }
      do throws(DocumentBuilder.TooLarge) {
        self.init(try document.state.withLock { state throws(DocumentBuilder.TooLarge) in try state.builder.finish() })
      } catch {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "A JSON document has at most 4 GiB."))
      }
    }
  }

  /// Encodes the value.
  ///
  /// - Throws: `EncodingError.invalidValue` for a number beyond the range of `Double`, if the encoder is not ``JSON/Encoder``, and
  ///   for containers nested too deeply. Rethrows the errors of the encoder.
  public func encode(to encoder: any Swift.Encoder) throws {
    if let encoder = encoder as? SlotEncoder {
      // Not by `encode(_:)`, which calls this function for a type that it does not know.
      guard encoder.session.activate(encoder.identity) else { return }
      return try encoder.session.write(self)
    }
    try EncodedValue(json: self, depth: 0).encode(to: encoder)
  }

  /// The maximum nesting depth of containers for coders other than this module's.
  fileprivate static var codingDepthLimit: Int { 512 }
}

/// A value, or a part of one, for encoders other than ``JSON/Encoder``.
private struct EncodedValue: Encodable {
  let json: JSON
  /// The number of containers around the value.
  let depth: Int

  func encode(to encoder: any Swift.Encoder) throws {
    switch json.kind {
    case .object:
      try checkDepth(encoder)
      var container = encoder.container(keyedBy: EncodingKey.self)
      var keys: Set<String> = []
      for (key, value) in json.members where keys.insert(key).inserted {
        try container.encode(EncodedValue(json: value, depth: depth + 1), forKey: EncodingKey(stringValue: key))
      }
    case .array:
      try checkDepth(encoder)
      var container = encoder.unkeyedContainer()
      for element in json.elements { try container.encode(EncodedValue(json: element, depth: depth + 1)) }
    case .null, .bool, .number, .string: try encodeScalar(encoder)
    }
  }

  private func checkDepth(_ encoder: any Swift.Encoder) throws {
    guard depth >= JSON.codingDepthLimit else { return }
    throw EncodingError.invalidValue(
      json,
      .init(
        codingPath: encoder.codingPath,
        debugDescription: "More than \(JSON.codingDepthLimit) nested containers."))
  }

  private func encodeScalar(_ encoder: any Swift.Encoder) throws {
    var container = encoder.singleValueContainer()
    if let string = json.string {
      try container.encode(string)
    } else if let bool = json.bool {
      try container.encode(bool)
    } else if let integer = json.integer(as: Int64.self) {
      try container.encode(integer)
    } else if let integer = json.integer(as: UInt64.self) {
      try container.encode(integer)
    } else if let integer = json.integer(as: Int128.self), (try? container.encode(integer)) != nil {
      // Not every encoder supports such integers.
    } else if let integer = json.integer(as: UInt128.self), (try? container.encode(integer)) != nil {
    } else if let double = json.double {
      // JSON5's infinities and NaN are null in all output.
      if double.isFinite { try container.encode(double) } else { try container.encodeNil() }
    } else if json.isNull {
      try container.encodeNil()
    } else {
      throw EncodingError.invalidValue(
        json, .init(codingPath: encoder.codingPath, debugDescription: "The number is beyond the range of Double."))
    }
  }
}

/// The document that the values of a decoder of another module are appended to.
///
/// All parts are appended to this one document. A separate document for each container would have to be copied into the one around it.
private final class OtherDecoderDocument: Sendable {
  struct State: ~Copyable {
    var builder = DocumentBuilder()
    /// The number of containers around the next value.
    var depth = 0
  }

  /// A value that is read by being decoded: the decoder of a member may be valid only as long as the member is decoded, and Foundation's
  /// decoder of property lists copies all members for a `superDecoder(forKey:)`.
  struct Value: Decodable {
    init(from decoder: any Swift.Decoder) throws { try OtherDecoderDocument.current?.append(from: decoder) }
  }

  /// The document of the ``Value`` that is decoded.
  @TaskLocal static var current: OtherDecoderDocument?

  let state = Mutex(State())

  /// Appends the value that `decoder` reads. `decoder` is not a ``JSON/Decoder``.
  func append(from decoder: any Swift.Decoder) throws {
    let scalar = try decoder.singleValueContainer()
    if scalar.decodeNil() { return add { $0.appendNull() } }
    // Before containers: a form decoder can also decode a single text as a list with one element.
    if let string = try? scalar.decode(String.self) { return add { $0.append(string) } }
    if let container = try? decoder.container(keyedBy: DecodingKey.self) {
      try begin(decoder) { $0.beginObject() }
      for key in container.allKeys {
        add { $0.appendKey(key.stringValue) }
        guard try !container.decodeNil(forKey: key) else {
          add { $0.appendNull() }
          continue
        }
        _ = try container.decode(Value.self, forKey: key)
      }
      return end()
    }
    if var container = try? decoder.unkeyedContainer() {
      try begin(decoder) { $0.beginArray() }
      while !container.isAtEnd {
        guard try !container.decodeNil() else {
          add { $0.appendNull() }
          continue
        }
        _ = try container.decode(Value.self)
      }
      return end()
    }
    try append(scalar)
  }

  private func add(_ part: (inout DocumentBuilder) -> Void) { state.withLock { part(&$0.builder) } }

  private func begin(_ decoder: any Swift.Decoder, _ begin: (inout DocumentBuilder) -> Void) throws {
    try state.withLock { state in
      guard state.depth < JSON.codingDepthLimit else {
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: decoder.codingPath,
            debugDescription: "More than \(JSON.codingDepthLimit) nested containers."))
      }
      state.depth += 1
      begin(&state.builder)
    }
  }

  private func end() {
    state.withLock { state in
      state.depth -= 1
      state.builder.endContainer()
    }
  }

  /// Appends a Boolean or a number.
  private func append(_ scalar: any SingleValueDecodingContainer) throws {
    if let bool = try? scalar.decode(Bool.self) { return add { $0.append(bool) } }
    // Decimal has more digits than Double, and a smaller range. Not every decoder supports it.
    let decimal = try? scalar.decode(Decimal.self)
    // Foundation's decoder rounds 12345678901234567.25 to an integer.
    if let integer = try? scalar.decode(Int64.self), decimal.map({ $0 == Decimal(integer) }) ?? true {
      return add { $0.append(integer: integer) }
    }
    if let integer = try? scalar.decode(UInt64.self), decimal.map({ $0 == Decimal(integer) }) ?? true {
      return add { $0.append(integer: integer) }
    }
    let double = try? scalar.decode(Double.self)
    if let number = decimal.map({ JSON($0) }), number.double == double { return add { $0.append(number) } }
    guard let double else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: scalar.codingPath, debugDescription: "The value cannot be represented in JSON."))
    }
    add { $0.append(double) }
  }
}
