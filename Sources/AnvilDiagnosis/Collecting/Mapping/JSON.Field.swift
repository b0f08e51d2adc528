public import AnvilJSON

extension JSON {
  /// The result of a lookup in ``Fields``: a value or an error.
  public struct Field<Value> {
    fileprivate enum Outcome {
      case value(Value)
      case error(any JSONDecodingError)
    }

    private let outcome: Outcome

    /// Creates a field with `value` from any source.
    public init(_ value: Value) { outcome = .value(value) }

    /// Creates a field without a value. The path of `error` begins at the value of the ``Fields``.
    public init(failing error: any JSONDecodingError) { outcome = .error(error) }

    /// The value.
    ///
    /// - Throws: ``error``.
    public var value: Value {
      get throws {
        switch outcome {
        case .value(let value): return value
        case .error(let error): throw error
        }
      }
    }

    /// The error of the lookup; `nil` if there is a value.
    public var error: (any JSONDecodingError)? {
      if case .error(let error) = outcome { error } else { nil }
    }
  }
}

extension JSON.Field: Sendable where Value: Sendable {}
extension JSON.Field.Outcome: Sendable where Value: Sendable {}
