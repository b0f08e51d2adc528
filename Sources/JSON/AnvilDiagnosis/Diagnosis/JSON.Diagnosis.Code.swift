public import AnvilJSON

extension JSON.Diagnosis {
  /// The kind of a problem, as a word for code, logs and alerts: `decode.type-mismatch`. New codes may be added.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The text of the code: an area, a dot, and words joined by hyphens.
    public let rawValue: String

    /// Creates a code with the text `rawValue`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The text is not JSON.
    ///
    /// What to do: look at the location; often the body is HTML or was truncated.
    public static let syntax = Code(rawValue: "decode.syntax")
    /// A required key is missing.
    ///
    /// What to do: make the property optional, give it a default, or correct the key; the hint lists similar keys.
    public static let missingKey = Code(rawValue: "decode.missing-key")
    /// An array has fewer elements than are read from it.
    ///
    /// What to do: check the length before, or make the element optional.
    public static let missingElement = Code(rawValue: "decode.missing-element")
    /// `null` in place of a required value.
    ///
    /// What to do: make the property optional.
    public static let unexpectedNull = Code(rawValue: "decode.unexpected-null")
    /// A value of another kind than the type is decoded from.
    ///
    /// What to do: change the type of the property; `NumberOrString` accepts both.
    public static let typeMismatch = Code(rawValue: "decode.type-mismatch")
    /// A number that its type cannot hold: too large, negative, or with a fraction.
    ///
    /// What to do: use a larger type, or `Double` or `Decimal` for fractions.
    public static let numberOutOfRange = Code(rawValue: "decode.number-out-of-range")
    /// A value that matches no case of an enumeration.
    ///
    /// What to do: add the case, or use `OpenEnum` for values to come.
    public static let unknownCase = Code(rawValue: "decode.unknown-case")
    /// A value of the right kind that is invalid: a malformed date, URL or Base64, or a value that the model's own code
    /// rejects.
    ///
    /// What to do: set the strategy of the decoder; `reason` has the explanation.
    public static let invalidValue = Code(rawValue: "decode.invalid-value")

    /// An object without the model's keys, with a member that contains them.
    ///
    /// What to do: decode the member, with a path or a ``DecodableContainer``.
    public static let wrappedModel = Code(rawValue: "decode.wrapped-model")
    /// An object without the model's keys that describes an error.
    ///
    /// What to do: check for the error with a `successValidator`: the API answers errors with a status 2xx.
    public static let errorObject = Code(rawValue: "decode.error-object")

    /// The text of the code.
    public var description: String { rawValue }
  }
}
