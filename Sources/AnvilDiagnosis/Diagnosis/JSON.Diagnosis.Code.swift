public import AnvilJSON

extension JSON.Diagnosis {
  /// The kind of a problem, as a word for code, logs and alerts: `decode.type-mismatch`. New codes may be added.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The text of the code: an area, a dot, and words joined by hyphens.
    public let rawValue: String

    /// Creates a code with the text `rawValue`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The text is not JSON.
    public static let syntax = Code(rawValue: "decode.syntax")
    /// A required key is missing.
    public static let missingKey = Code(rawValue: "decode.missing-key")
    /// An array has fewer elements than are read from it.
    public static let missingElement = Code(rawValue: "decode.missing-element")
    /// `null` in place of a required value.
    public static let unexpectedNull = Code(rawValue: "decode.unexpected-null")
    /// A value of another kind than the type is decoded from.
    public static let typeMismatch = Code(rawValue: "decode.type-mismatch")
    /// A number that its type cannot hold: too large, negative, or with a fraction.
    public static let numberOutOfRange = Code(rawValue: "decode.number-out-of-range")
    /// A value that matches no case of an enumeration.
    public static let unknownCase = Code(rawValue: "decode.unknown-case")
    /// A value of the right kind that is invalid: a malformed date, URL or Base64, or a value that the model's own code
    /// rejects.
    public static let invalidValue = Code(rawValue: "decode.invalid-value")

    /// An object without the model's keys, with a member that contains them.
    public static let wrappedModel = Code(rawValue: "decode.wrapped-model")
    /// An object without the model's keys that describes an error.
    public static let errorObject = Code(rawValue: "decode.error-object")

    /// The text of the code.
    public var description: String { rawValue }
  }
}
