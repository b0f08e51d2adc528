/// Values written as Swift literals.
///
///     let json: JSON = ["id": 1, "tags": ["a", nil], "score": 2.5, "open": true]
///
/// Array and dictionary literals copy what they hold, so that a literal nested *d* deep is copied *d* times.
extension JSON: ExpressibleByNilLiteral {
  /// `null`.
  public init(nilLiteral: ()) {
    self.init { $0.appendNull() }
  }
}

extension JSON: ExpressibleByBooleanLiteral {
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) {
    self.init(value)
  }
}

extension JSON: ExpressibleByIntegerLiteral {
  /// An integer.
  public init(integerLiteral value: Int) {
    self.init(value)
  }
}

extension JSON: ExpressibleByFloatLiteral {
  /// A number as ``init(_:)-(Double)`` writes it: `1.0` is written `1`, and what is too large for a double is `null`.
  public init(floatLiteral value: Double) {
    self.init(value)
  }
}

extension JSON: ExpressibleByStringInterpolation {
  /// A string.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension JSON: ExpressibleByArrayLiteral {
  /// An array.
  public init(arrayLiteral elements: JSON...) {
    self.init(elements)
  }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// An object with its members in the order in which they are written; keys may repeat.
  public init(dictionaryLiteral members: (String, JSON)...) {
    self.init(members.lazy.map { (key: $0, value: $1) })
  }
}
