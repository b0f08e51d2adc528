extension JSON {
  /// One way to make a `Value` from JSON, where a type's own, or the only one it has, is not the right one.
  ///
  ///     created = try json.value(at: "created", with: .date(.secondsSince1970))
  ///     updates = try json => ("updates", .array(of: .date(.millisecondsSince1970)))
  public struct DecodingStrategy<Value>: Sendable {
    /// What an error calls it.
    let name: String
    /// The function.
    public let decode: @Sendable (JSON) throws -> Value

    /// The strategy that `decode` is.
    ///
    /// - Parameter decode: may throw any error; path, object and root are added as for ``JSONDecodable/decode(_:)``.
    public init(_ decode: @escaping @Sendable (JSON) throws -> Value) {
      self.init(name: String(describing: Value.self), decode)
    }

    private init(name: String, _ decode: @escaping @Sendable (JSON) throws -> Value) {
      self.name = name
      self.decode = decode
    }

    /// What `type` makes of the value, and `transform` of that: for ``JSON/decodeAsOneOf(_:)-(JSON.DecodingStrategy<Value>...)``.
    public static func decoding<Decoded: JSONDecodable & SendableMetatype>(
      _ type: Decoded.Type, as transform: @escaping @Sendable (Decoded) throws -> Value
    ) -> DecodingStrategy {
      DecodingStrategy(name: String(describing: type)) { try transform(try Decoded.decode($0)) }
    }

    /// An array, each of whose elements `strategy` makes.
    public static func array<Element>(of strategy: DecodingStrategy<Element>) -> DecodingStrategy
    where Value == [Element] {
      DecodingStrategy { json in try json.decodeElements(with: strategy.decode) }
    }

    /// `nil` for `null`, else what `strategy` makes.
    public static func optional<Wrapped>(_ strategy: DecodingStrategy<Wrapped>) -> DecodingStrategy
    where Value == Wrapped? {
      DecodingStrategy { json in json.word.is(.null) ? nil : try strategy.decode(json) }
    }
  }
}
