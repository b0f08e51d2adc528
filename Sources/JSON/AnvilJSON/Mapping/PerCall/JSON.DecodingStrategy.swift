extension JSON {
  /// A way to decode a `Value` from JSON, used where the type's own `decode(_:)` does not fit.
  ///
  ///     created = try json.value(at: "created", with: .date(.secondsSince1970))
  ///     updates = try json => ("updates", .array(of: .date(.millisecondsSince1970)))
  public struct DecodingStrategy<Value>: Sendable {
    /// The name of the strategy in errors.
    let name: String
    /// The function that decodes a value.
    public let decode: @Sendable (JSON) throws -> Value

    /// Creates a strategy from a function.
    ///
    /// - Parameter decode: May throw any error. Path, object and root are added as for ``JSONDecodable/decode(_:)``.
    public init(_ decode: @escaping @Sendable (JSON) throws -> Value) {
      self.init(name: String(describing: Value.self), decode)
    }

    private init(name: String, _ decode: @escaping @Sendable (JSON) throws -> Value) {
      self.name = name
      self.decode = decode
    }

    /// Decodes `type` and transforms the result, for ``JSON/decodeAsOneOf(_:)-(JSON.DecodingStrategy<Value>...)``.
    public static func decoding<Decoded: JSONDecodable & SendableMetatype>(
      _ type: Decoded.Type, as transform: @escaping @Sendable (Decoded) throws -> Value
    ) -> DecodingStrategy {
      DecodingStrategy(name: String(describing: type)) { try transform(try Decoded.decode($0)) }
    }

    /// Decodes an array with `strategy` for each element.
    public static func array<Element>(of strategy: DecodingStrategy<Element>) -> DecodingStrategy
    where Value == [Element] {
      DecodingStrategy { json in try json.decodeElements(with: strategy.decode) }
    }

    /// Decodes `null` as `nil`, and other values with `strategy`.
    public static func optional<Wrapped>(_ strategy: DecodingStrategy<Wrapped>) -> DecodingStrategy
    where Value == Wrapped? {
      DecodingStrategy { json in json.word.is(.null) ? nil : try strategy.decode(json) }
    }
  }
}
