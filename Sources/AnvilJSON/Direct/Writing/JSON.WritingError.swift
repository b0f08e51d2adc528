extension JSON {
  /// Why a value could not be written, and where it is.
  public struct WritingError: Error, Sendable {
    /// What is wrong.
    @nonexhaustive
    public enum Code: Hashable, Sendable {
      /// A floating-point number, decimal or date that is infinite or no number, which JSON has no form for.
      case notFinite
      /// A date before the year 0 or after 9999, which RFC 3339 has no form for.
      case dateOutOfRange
      /// Containers in containers beyond the limit.
      case tooDeep(limit: Int)
      /// A type that wrote nothing.
      case noValue
      /// A type that wrote more than one value in one place.
      case severalValues
      /// What the type itself says is wrong.
      case invalidValue(String)
    }

    private final class Storage: Sendable {
      let code: Code
      let path: Path

      init(code: Code, path: Path) {
        self.code = code
        self.path = path
      }
    }

    // One word, so that a writer that has none costs no more.
    private let storage: Storage

    /// What is wrong.
    public var code: Code { storage.code }
    /// The way from the outermost value to the one that failed, by the keys and indices of the text.
    public var path: Path { storage.path }

    init(_ code: Code, at path: Path) {
      storage = Storage(code: code, path: path)
    }
  }
}

extension JSON.WritingError: CustomStringConvertible {
  /// Where and what: `WritingError at object.rows[2].ratio: number that is not finite`.
  public var description: String {
    var place = "object"
    for step in path.steps { place.append(step) }
    return "WritingError at \(place): \(code)"
  }
}

extension JSON.WritingError.Code: CustomStringConvertible {
  /// What is wrong, in words.
  public var description: String {
    switch self {
    case .notFinite: "number that is not finite"
    case .dateOutOfRange: "date that is not in the years 0 to 9999"
    case .tooDeep(let limit): "more than \(limit) containers in each other"
    case .noValue: "no value was written"
    case .severalValues: "more than one value was written"
    case .invalidValue(let problem): problem
    }
  }
}
