/// Values written as Swift literals.
///
///     let json: JSON = ["id": 1, "tags": ["a", nil], "score": 2.5, "open": true]
///
/// Array and dictionary literals copy their elements, so a literal nested *d* deep is copied *d* times.
extension JSON: ExpressibleByNilLiteral {
  /// Creates `null`.
  public init(nilLiteral: ()) {
    self.init { $0.appendNull() }
  }

  /// `null`, like the literal `nil`.
  public static let null: JSON = nil
}

extension JSON: ExpressibleByBooleanLiteral {
  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) {
    self.init(value)
  }
}

extension JSON: ExpressibleByIntegerLiteral {
  /// Creates a number from an integer.
  public init(integerLiteral value: Int) {
    self.init(value)
  }
}

extension JSON: ExpressibleByFloatLiteral {
  /// Creates a number as ``init(_:)-(Double)`` does: `1.0` is written `1`, and a literal too large for a double is `null`.
  public init(floatLiteral value: Double) {
    self.init(value)
  }
}

extension JSON: ExpressibleByStringInterpolation {
  /// Creates a string.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension JSON: ExpressibleByArrayLiteral {
  /// Creates an array.
  public init(arrayLiteral elements: JSON...) {
    self.init(elements)
  }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// Creates an object with its members in the order of the literal. Keys may repeat.
  public init(dictionaryLiteral members: (String, JSON)...) {
    self.init(members.lazy.map { (key: $0, value: $1) })
  }
}
