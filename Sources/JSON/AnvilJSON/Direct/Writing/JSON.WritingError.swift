public import AnvilBase

extension JSON {
  /// An error thrown if a value cannot be written as JSON, with its location.
  public struct WritingError: Error, Sendable {
    /// The reason why a value cannot be written.
    @nonexhaustive
    public enum Code: Hashable, Sendable {
      /// A floating-point number, decimal or date is infinite or NaN, which JSON cannot represent.
      ///
      /// What to do: write `null` or leave the property out.
      case notFinite
      /// A date is before the year 0 or after 9999, which RFC 3339 cannot represent.
      ///
      /// What to do: correct the date, often one that was computed from a wrong unit.
      case dateOutOfRange
      /// Containers are nested deeper than the limit.
      ///
      /// What to do: look for a cycle of objects.
      case tooDeep(limit: Int)
      /// A type wrote nothing.
      ///
      /// What to do: write `null` in its `write` function.
      case noValue
      /// A type wrote more than one value in one place.
      ///
      /// What to do: write an array or object around them.
      case severalValues
      /// A ``JSON`` would be too large: its strings and numbers take more than 4 GiB, or it has more values than a 32-bit number can count.
      ///
      /// What to do: split the document, or write it with ``JSON/write(_:)``.
      case tooLarge
      /// The type rejected the value for this reason, or JSON cannot represent the Foundation object.
      ///
      /// What to do: read the reason.
      case invalidValue(String)
    }

    private let storage: Box<(code: Code, path: Path)>

    /// The reason why the value cannot be written.
    public var code: Code { storage.value.code }
    /// The path from the outermost value to the one that failed, with the keys and indices of the text.
    public var path: Path { storage.value.path }

    package init(_ code: Code, at path: Path) { storage = Box((code, path)) }
  }
}

/// The contents of an error, which is one word in size, so that the readers and writers that throw it stay small.
final class Box<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

extension JSON.WritingError: CustomStringConvertible {
  /// The location and the reason: `WritingError at object.rows[2].ratio: number that is not finite`.
  public var description: String { "WritingError at \(path.place): \(code)" }
}

extension JSON.WritingError: LocalizedError {
  /// The same text as ``description``.
  public var errorDescription: String? { description }
}

extension JSON.WritingError.Code: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .notFinite: "number that is not finite"
    case .dateOutOfRange: "date that is not in the years 0 to 9999"
    case .tooDeep(let limit): "more than \(limit) nested containers"
    case .noValue: "no value was written"
    case .severalValues: "more than one value was written"
    case .tooLarge: "more values or text than a document can contain"
    case .invalidValue(let problem): problem
    }
  }
}
