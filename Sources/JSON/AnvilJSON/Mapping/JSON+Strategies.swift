extension JSON {
  /// Decodes the value at `path` with `strategy`.
  ///
  /// - Throws: ``JSONDecodingError``, like `value(at:)`.
  public func value<Value>(at path: Path, with strategy: DecodingStrategy<Value>) throws -> Value {
    try value(at: path, with: strategy.decode)
  }

  /// Decodes the value at `path` with `decode`.
  ///
  ///     let color = try json.value(at: "color") { try Color(hex: String.decode($0)) }
  ///
  /// - Parameter decode: Called once if there is a value at `path`. Path, object and root are added to the errors it throws.
  /// - Throws: ``JSONDecodingError``, like `value(at:)`.
  @inlinable
  public func value<Value>(at path: Path, with decode: (JSON) throws -> Value) throws -> Value {
    let found = document.value(at: path, from: index)
    guard found.index >= 0 else { throw failure(at: path) }
    do {
      let value = try decode(JSON(document, at: found.index))
      document.restore(found.hint)
      return value
    } catch {
      throw locating(error, at: path, index: found.index)
    }
  }

  /// Decodes the value at `path` with `strategy`; `nil` if it is `null` or an optional step is missing.
  ///
  /// - Throws: ``JSONDecodingError``, like `value(ifPresentAt:)`.
  public func value<Value>(ifPresentAt path: OptionalPath, with strategy: DecodingStrategy<Value>) throws -> Value? {
    try value(ifPresentAt: path, with: strategy.decode)
  }

  /// Decodes the value at `path` with `decode`; `nil` if it is `null` or an optional step is missing.
  ///
  /// - Parameter decode: Called once if there is a value other than `null` at `path`.
  /// - Throws: ``JSONDecodingError``, like `value(ifPresentAt:)`.
  @inlinable
  public func value<Value>(ifPresentAt path: OptionalPath, with decode: (JSON) throws -> Value) throws -> Value? {
    let found = try value(lookedUpAt: path)
    guard found.index >= 0 else { return nil }
    do {
      let value = try decode(JSON(document, at: found.index))
      document.restore(found.hint)
      return value
    } catch {
      // What an open value lacks may arrive.
      if document.isOpen(at: found.index) { return nil }
      throw locating(error, at: Path(path), index: found.index)
    }
  }
}

/// Decodes the value at the path with the strategy. The same as
/// ``JSON/value(at:with:)-(JSON.Path,JSON.DecodingStrategy<Value>)``.
///
///     created = try json => ("created", .date(.secondsSince1970))
///
/// - Throws: ``JSONDecodingError``.
public func => <Value>(json: JSON, target: (JSON.Path, JSON.DecodingStrategy<Value>)) throws -> Value {
  try json.value(at: target.0, with: target.1)
}

/// Decodes the value at the path with the strategy; `nil` if it is `null` or an optional step is missing. The same as
/// ``JSON/value(ifPresentAt:with:)-(JSON.OptionalPath,JSON.DecodingStrategy<Value>)``.
///
/// - Throws: ``JSONDecodingError``.
public func =>? <Value>(json: JSON, target: (JSON.OptionalPath, JSON.DecodingStrategy<Value>)) throws -> Value? {
  try json.value(ifPresentAt: target.0, with: target.1)
}

extension JSON {
  func decodeElements<Element>(with decode: (JSON) throws -> Element) throws -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(try members(of: .array).reservedCount)
    try forEachMember { step, value in
      do {
        elements.append(try decode(value))
      } catch {
        guard !value.isOpen else { return }
        throw locating(error, at: Path(steps: [step]), in: value)
      }
    }
    return elements
  }

  func forEachMember(_ body: (Step, JSON) throws -> Void) rethrows {
    let members = document.members(ofContainerAt: index)
    for (position, member) in members.enumerated() {
      let step: Step = members.isObject ? .key(document.string(at: member.key)) : .index(position)
      try body(step, JSON(document, at: member.value))
    }
  }

  /// Decodes this value as the first of `types` that matches.
  ///
  ///     switch try json.decodeAsOneOf(Train.self, Truck.self) {
  ///     case let train as Train: …
  ///
  /// A type matches if its `decode(_:)` does not throw. List the stricter types first.
  ///
  /// - Throws: ``NoMatchingTypeError``, with the error of each type.
  public func decodeAsOneOf(_ types: any (JSONDecodable & SendableMetatype).Type...) throws -> any JSONDecodable {
    try first(of: types, named: { String(describing: $0) }) { try $0.decode(self) as any JSONDecodable }
  }

  /// Decodes this value with the first of `strategies` that does not throw.
  ///
  ///     enum Vehicle: JSONDecodable {
  ///       case train(Train), truck(Truck)
  ///
  ///       static func decode(_ json: JSON) throws -> Vehicle {
  ///         try json.decodeAsOneOf(.decoding(Train.self, as: Vehicle.train), .decoding(Truck.self, as: Vehicle.truck))
  ///       }
  ///     }
  ///
  /// - Throws: ``NoMatchingTypeError``, with the error of each strategy.
  public func decodeAsOneOf<Value>(_ strategies: DecodingStrategy<Value>...) throws -> Value {
    try first(of: strategies, named: \.name) { try $0.decode(self) }
  }

  /// Returns the result of `decode` for the first of `ways` for which it does not throw.
  private func first<Way, Value>(
    of ways: [Way], named name: (Way) -> String, _ decode: (Way) throws -> Value
  ) throws -> Value {
    var attempts: [NoMatchingTypeError.Attempt] = []
    for way in ways {
      do {
        return try decode(way)
      } catch {
        attempts.append(NoMatchingTypeError.Attempt(type: name(way), error: error))
      }
    }
    throw NoMatchingTypeError(attempts: attempts, path: Path(), object: self, rootObject: self)
  }

  /// A way to decode a `Value` from JSON, used where the type's own `decode(_:)` does not fit.
  ///
  ///     created = try json.value(at: "created", with: .date(.secondsSince1970))
  ///     updates = try json => ("updates", .array(of: .date(.millisecondsSince1970)))
  public struct DecodingStrategy<Value>: Sendable {
    /// The name of the strategy in errors.
    let name: String
    /// The function that decodes a value.
    let decode: @Sendable (JSON) throws -> Value

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
  }
}
