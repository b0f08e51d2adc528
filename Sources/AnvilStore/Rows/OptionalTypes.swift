/// An optional whose type is not known.
protocol OptionalType {
  static var wrapped: any Any.Type { get }
}

extension Optional: OptionalType {
  static var wrapped: any Any.Type { Wrapped.self }
}

/// An optional that can be encoded, without its type.
protocol EncodableOptional {
  /// What is in it; `nil` when there is nothing.
  var encodable: (any Encodable)? { get }
}

extension Optional: EncodableOptional where Wrapped: Encodable {
  var encodable: (any Encodable)? { map { $0 as any Encodable } }
}

/// An optional that can be decoded, without its type.
protocol DecodableOptional {
  /// An optional with what `decode` makes of the type within it.
  static func decode(_ decode: (any Decodable.Type) throws -> any Decodable) throws -> Self
}

extension Optional: DecodableOptional where Wrapped: Decodable {
  static func decode(_ decode: (any Decodable.Type) throws -> any Decodable) throws -> Wrapped? {
    try decode(Wrapped.self) as? Wrapped
  }
}
