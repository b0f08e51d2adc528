extension JSON {
  /// What was found where ``Fields`` have looked: a value, or why there is none.
  public struct Field<Value> {
    fileprivate enum Outcome {
      case value(Value)
      case error(any JSONDecodingError)
    }

    private let outcome: Outcome

    /// A field with `value`, from wherever it comes.
    public init(_ value: Value) { outcome = .value(value) }

    /// A field without a value, for the reason that `error` gives: its path begins at the value that the ``Fields`` are
    /// of.
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

    /// Why there is no value; `nil` when there is one.
    public var error: (any JSONDecodingError)? {
      if case .error(let error) = outcome { error } else { nil }
    }
  }
}

extension JSON.Field: Sendable where Value: Sendable {}
extension JSON.Field.Outcome: Sendable where Value: Sendable {}
