package import AnvilDiagnosis
package import AnvilJSON

extension JSON.Diagnosis.Code {
  /// A value of a type that the schema does not allow.
  package static let schemaType = Self(rawValue: "schema.type")
  /// A value that is not in the schema's `enum`.
  package static let schemaEnum = Self(rawValue: "schema.enum")
  /// A value that differs from the schema's `const`.
  package static let schemaConst = Self(rawValue: "schema.const")
  /// A number below the minimum, or equal to an exclusive minimum.
  package static let schemaMinimum = Self(rawValue: "schema.minimum")
  /// A number above the maximum, or equal to an exclusive maximum.
  package static let schemaMaximum = Self(rawValue: "schema.maximum")
  /// A number that is not a multiple of the schema's `multipleOf`.
  package static let schemaMultipleOf = Self(rawValue: "schema.multiple-of")
  /// A string with too few characters.
  package static let schemaMinLength = Self(rawValue: "schema.min-length")
  /// A string with too many characters.
  package static let schemaMaxLength = Self(rawValue: "schema.max-length")
  /// A string that does not match the schema's regular expression.
  package static let schemaPattern = Self(rawValue: "schema.pattern")
  /// A string that does not match its format, such as a date or an address.
  package static let schemaFormat = Self(rawValue: "schema.format")
  /// An object without a required member.
  package static let schemaRequired = Self(rawValue: "schema.required")
  /// An object without a member that another member requires.
  package static let schemaDependentRequired = Self(rawValue: "schema.dependent-required")
  /// A member that the schema does not allow.
  package static let schemaAdditionalProperty = Self(rawValue: "schema.additional-property")
  /// A key that does not match the schema for keys.
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
  /// An array with too few or too many elements that match the schema of `contains`.
  package static let schemaContains = Self(rawValue: "schema.contains")
  /// An element that the schema does not allow.
  package static let schemaAdditionalItem = Self(rawValue: "schema.additional-item")
  /// A value that matches none of several schemas.
  package static let schemaAnyOf = Self(rawValue: "schema.any-of")
  /// A value that matches none of several schemas, or more than one.
  package static let schemaOneOf = Self(rawValue: "schema.one-of")
  /// A value that matches a schema that it must not match.
  package static let schemaNot = Self(rawValue: "schema.not")
  /// A value in a place where the schema allows no value.
  package static let schemaFalse = Self(rawValue: "schema.false")

  /// An object without a member that all samples have.
  package static let sampleMissingKey = Self(rawValue: "sample.missing-key")
  /// A value of a kind that no sample has at this position.
  package static let sampleType = Self(rawValue: "sample.type")
  /// A `null` at a position where the samples contain only other values.
  package static let sampleNull = Self(rawValue: "sample.null")
  /// A string that does not match the format of all samples.
  package static let sampleFormat = Self(rawValue: "sample.format")
  /// A member that no sample has. This is a note, not a violation.
  package static let sampleUnknownKey = Self(rawValue: "sample.unknown-key")
}

extension Fault {
  /// True if the finding is only a note, which does not affect code that was written for the samples.
  package var isNote: Bool { code == .sampleUnknownKey }
}
