import AnvilDiagnosis
import AnvilJSON
import AnvilSchema
import Testing

/// The hints of diagnoses of values that do not match a schema.
@Suite struct SchemaHintTests {
  private func hints(_ value: String, _ schema: String) throws -> [String] {
    let document = try JSON(parsing: value)
    let faults = try JSONSchema(compiling: JSON(parsing: schema)).check(document).faults
    let text = SourceText(Array(value.utf8))
    return JSON.Diagnosis(faults, in: text).problems.flatMap(\.hints)
  }

  @Test(arguments: [
    (#""12""#, #"{"type":"integer"}"#, ["the number is in a string"]),
    (#""12""#, #"{"type":["number","null"]}"#, ["the number is in a string"]),
    (#""true""#, #"{"type":["boolean","null"]}"#, ["the Boolean is in a string"]),
    ("12", #"{"type":["string","null"]}"#, ["the number is not in a string"]),
    (#"{"a":1}"#, #"{"type":"string"}"#, []),
  ])
  func valuesOfAnotherKindHaveHints(value: String, schema: String, expected: [String]) throws {
    #expect(try hints(value, schema) == expected)
  }
}
