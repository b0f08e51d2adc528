package import AnvilDiagnosis
package import AnvilJSON

/// What a check against a schema or a sample finds.
extension JSON.Diagnosis.Code {
  /// A value of another type than the schema's.
  package static let schemaType = Self(rawValue: "schema.type")
  /// A value that is none of those that the schema lists.
  package static let schemaEnum = Self(rawValue: "schema.enum")
  /// A value other than the one that the schema gives.
  package static let schemaConst = Self(rawValue: "schema.const")
  /// A number below its least value, or at it where that is left out.
  package static let schemaMinimum = Self(rawValue: "schema.minimum")
  /// A number above its greatest value, or at it where that is left out.
  package static let schemaMaximum = Self(rawValue: "schema.maximum")
  /// A number that is no multiple of the schema's.
  package static let schemaMultipleOf = Self(rawValue: "schema.multiple-of")
  /// A string with too few characters.
  package static let schemaMinLength = Self(rawValue: "schema.min-length")
  /// A string with too many characters.
  package static let schemaMaxLength = Self(rawValue: "schema.max-length")
  /// A string that a regular expression does not match.
  package static let schemaPattern = Self(rawValue: "schema.pattern")
  /// A string that is not in its format: no date, no address.
  package static let schemaFormat = Self(rawValue: "schema.format")
  /// An object without a member that must be there.
  package static let schemaRequired = Self(rawValue: "schema.required")
  /// An object without a member that must be there because another one is.
  package static let schemaDependentRequired = Self(rawValue: "schema.dependent-required")
  /// A member that the schema does not allow.
  package static let schemaAdditionalProperty = Self(rawValue: "schema.additional-property")
  /// A key that is not in the form of keys.
  package static let schemaPropertyName = Self(rawValue: "schema.property-name")
  /// An object with too few members.
  package static let schemaMinProperties = Self(rawValue: "schema.min-properties")
  /// An object with too many members.
  package static let schemaMaxProperties = Self(rawValue: "schema.max-properties")
  /// An array with too few elements.
  package static let schemaMinItems = Self(rawValue: "schema.min-items")
  /// An array with too many elements.
  package static let schemaMaxItems = Self(rawValue: "schema.max-items")
  /// An array in which an element is repeated.
  package static let schemaUniqueItems = Self(rawValue: "schema.unique-items")
  /// An array with too few or too many elements of a kind.
  package static let schemaContains = Self(rawValue: "schema.contains")
  /// An element that the schema does not allow.
  package static let schemaAdditionalItem = Self(rawValue: "schema.additional-item")
  /// A value that fits none of several schemas.
  package static let schemaAnyOf = Self(rawValue: "schema.any-of")
  /// A value that fits none of several schemas, or more than one.
  package static let schemaOneOf = Self(rawValue: "schema.one-of")
  /// A value that fits a schema that it must not fit.
  package static let schemaNot = Self(rawValue: "schema.not")
  /// A value where there must be none.
  package static let schemaFalse = Self(rawValue: "schema.false")

  /// A member that all samples have is missing.
  package static let sampleMissingKey = Self(rawValue: "sample.missing-key")
  /// A value of a kind that no sample shows there.
  package static let sampleType = Self(rawValue: "sample.type")
  /// `null` where the samples have values only.
  package static let sampleNull = Self(rawValue: "sample.null")
  /// A string that is not in the format that all of the samples' are in.
  package static let sampleFormat = Self(rawValue: "sample.format")
  /// A member that no sample has: a note, no departure.
  package static let sampleUnknownKey = Self(rawValue: "sample.unknown-key")
}

extension Fault {
  /// Whether it is only worth a note, and nothing that a reader of the sample's shape would trip over.
  package var isNote: Bool { code == .sampleUnknownKey }
}
