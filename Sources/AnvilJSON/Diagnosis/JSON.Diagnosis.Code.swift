extension JSON.Diagnosis {
  /// What kind of problem it is: a word for code, logs and alerts, `decode.type-mismatch`. New ones may come.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code as it is written: an area, a dot, and words joined by hyphens.
    public let rawValue: String

    /// The code that is written `rawValue`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The text is not JSON.
    public static let syntax = Code(rawValue: "decode.syntax")
    /// A key that must be there is not.
    public static let missingKey = Code(rawValue: "decode.missing-key")
    /// An array has fewer elements than are read from it.
    public static let missingElement = Code(rawValue: "decode.missing-element")
    /// `null` where a value must be.
    public static let unexpectedNull = Code(rawValue: "decode.unexpected-null")
    /// A value of another kind than what is made from it.
    public static let typeMismatch = Code(rawValue: "decode.type-mismatch")
    /// A number that its type cannot hold: too large, negative, or with a fraction.
    public static let numberOutOfRange = Code(rawValue: "decode.number-out-of-range")
    /// A value that none of an enumeration's cases has.
    public static let unknownCase = Code(rawValue: "decode.unknown-case")
    /// A value of the right kind that is not in its form: a date, a URL, Base64, or what the model's own code refuses.
    public static let invalidValue = Code(rawValue: "decode.invalid-value")

    /// An object that has none of the model's keys, and a member that has them.
    public static let wrappedModel = Code(rawValue: "decode.wrapped-model")
    /// An object that has none of the model's keys, and describes an error.
    public static let errorObject = Code(rawValue: "decode.error-object")

    /// The code.
    public var description: String { rawValue }
  }
}
