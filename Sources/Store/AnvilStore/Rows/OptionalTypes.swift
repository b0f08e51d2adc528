/// An optional, for use without its wrapped type.
protocol OptionalType {
  static var wrapped: any Any.Type { get }
}

extension Optional: OptionalType {
  static var wrapped: any Any.Type { Wrapped.self }
}

/// An optional that can be encoded without knowing its type.
protocol EncodableOptional {
  /// The wrapped value, or `nil`.
  var encodable: (any Encodable)? { get }
}

extension Optional: EncodableOptional where Wrapped: Encodable {
  var encodable: (any Encodable)? { map { $0 as any Encodable } }
}

/// An optional that can be decoded without knowing its type.
protocol DecodableOptional {
  /// Calls `decode` with the wrapped type and returns its result as an optional.
  static func decode(_ decode: (any Decodable.Type) throws -> any Decodable) throws -> Self
}

extension Optional: DecodableOptional where Wrapped: Decodable {
  static func decode(_ decode: (any Decodable.Type) throws -> any Decodable) throws -> Wrapped? {
    try decode(Wrapped.self) as? Wrapped
  }
}
