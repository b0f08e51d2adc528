import AnvilDiagnosis
import AnvilJSON
import Testing

@testable import AnvilSchema

/// The messages of each keyword for invalid values. Valid values have none.
@Suite struct SchemaKeywordTests {
  /// A schema, valid values, and an invalid value with its messages.
  struct Case: Sendable, CustomTestStringConvertible {
    let schema: String
    let valid: [String]
    let invalid: String
    let faults: [String]

    init(_ schema: String, valid: [String], invalid: String, _ faults: String...) {
      self.schema = schema
      self.valid = valid
      self.invalid = invalid
      self.faults = faults
    }

    var testDescription: String { schema }
  }

  private static let values: [Case] = [
    Case("false", valid: [], invalid: "1", "schema.false at : no value"),
    Case(#"{"type":"integer"}"#, valid: ["1", "1.0", "1e400", "-0"], invalid: "1.5", "schema.type at : an integer"),
    Case(
      #"{"type":["string","null"]}"#, valid: [#""""#, "null"], invalid: "true", "schema.type at : a string or null"),
    Case(
      #"{"enum":["a",1,{"b":[]}]}"#, valid: [#""a""#, "1.0", #"{"b":[]}"#], invalid: "2",
      #"schema.enum at : one of "a", 1, {"b":[]}"#),
    Case(#"{"const":"a"}"#, valid: [#""a""#], invalid: #""b""#, #"schema.const at : "a""#),
    Case(
      #"{"minimum":3}"#, valid: ["3", "3.0", "1e99", #""""#], invalid: "2.9",
      "schema.minimum at : a number of at least 3"),
    Case(#"{"exclusiveMinimum":3}"#, valid: ["3.0001"], invalid: "3.0", "schema.minimum at : a number above 3"),
    Case(#"{"maximum":3}"#, valid: ["3", "-1e99"], invalid: "3.01", "schema.maximum at : a number of at most 3"),
    Case(#"{"exclusiveMaximum":3}"#, valid: ["2.99"], invalid: "3", "schema.maximum at : a number below 3"),
    Case(
      #"{"maximum":9007199254740992}"#, valid: ["9007199254740992.0"], invalid: "9007199254740993",
      "schema.maximum at : a number of at most 9007199254740992"),
    Case(
      #"{"multipleOf":0.01}"#, valid: ["0", "19.99", "4.35", "1e300", "-0.07"], invalid: "0.075",
      "schema.multiple-of at : a multiple of 0.01"),
    Case(
      #"{"multipleOf":7}"#, valid: ["7e999999999999", "123456789012345678901234567890123456781"],
      invalid: "1e-9999999999999",
      "schema.multiple-of at : a multiple of 7"),
    Case(
      #"{"minLength":2}"#, valid: [#""ab""#, #""e\u0301""#, "1"], invalid: #""😀""#,
      "schema.min-length at : a string of at least 2 characters"),
    Case(
      #"{"maxLength":1}"#, valid: [#""😀""#], invalid: #""e\u0301""#,
      "schema.max-length at : a string of at most 1 character"),
    Case(
      #"{"pattern":"^\\d+$"}"#, valid: [#""12""#, "1"], invalid: #""12\n""#,
      #"schema.pattern at : a string that matches "^\\d+$""#),
    Case(
      #"{"format":"uuid"}"#, valid: [#""2EB8AA08-aa98-11ea-b4aa-73b441d16380""#], invalid: #""2eb8""#,
      "schema.format at : a UUID"),
  ]

  private static let containers: [Case] = [
    Case(
      #"{"required":["a","b"]}"#, valid: [#"{"b":null,"a":1}"#, "[]"], invalid: #"{"b":1}"#,
      "schema.required at  without a: -"),
    Case(
      #"{"properties":{"a":{"type":"string"}},"additionalProperties":false}"#, valid: ["{}", #"{"a":""}"#],
      invalid: #"{"x":1,"a":2}"#, #"schema.additional-property at /x: no key "x""#, "schema.type at /a: a string"),
    Case(
      #"{"patternProperties":{"^x-":true},"additionalProperties":{"type":"null"}}"#, valid: [#"{"x-a":1,"b":null}"#],
      invalid: #"{"b":1}"#, "schema.type at /b: null"),
    Case(
      #"{"not":{"additionalProperties":{"type":"null"}}}"#, valid: [#"{"b":1}"#, #"{"a":null,"b":1}"#],
      invalid: #"{"b":null}"#, #"schema.not at : anything but a value that matches "/not""#),
    Case(
      #"{"not":{"properties":{"b":{"type":"null"}}}}"#, valid: [#"{"b":1}"#], invalid: #"{"b":null}"#,
      #"schema.not at : anything but a value that matches "/not""#),
    Case(
      #"{"not":{"patternProperties":{"^b":{"type":"null"}}}}"#, valid: [#"{"b":1}"#], invalid: #"{"b":null}"#,
      #"schema.not at : anything but a value that matches "/not""#),
    Case(
      #"{"not":{"propertyNames":{"maxLength":2}}}"#, valid: [#"{"abc":1}"#, #"{"a":1,"abc":1}"#],
      invalid: #"{"ab":1}"#, #"schema.not at : anything but a value that matches "/not""#),
    Case(
      #"{"propertyNames":{"maxLength":2}}"#, valid: [#"{"ab":1}"#], invalid: #"{"abc":1}"#,
      "schema.property-name at /abc: a key that is a string of at most 2 characters"),
    Case(
      #"{"minProperties":1}"#, valid: [#"{"a":1}"#], invalid: "{}",
      "schema.min-properties at : an object of at least 1 member"),
    Case(
      #"{"maxProperties":0}"#, valid: ["{}"], invalid: #"{"a":1}"#,
      "schema.max-properties at : an object of at most 0 members"),
    Case(
      #"{"dependentRequired":{"a":["b"]}}"#, valid: [#"{"b":1}"#, #"{"a":1,"b":1}"#], invalid: #"{"a":1}"#,
      #"schema.dependent-required at  without b: - (the object has "a")"#),
    Case(
      #"{"dependentSchemas":{"a":{"required":["b"]}}}"#, valid: ["{}"], invalid: #"{"a":1}"#,
      "schema.required at  without b: -"),
    Case(#"{"items":{"type":"number"}}"#, valid: ["[]", "[1]"], invalid: "[1,null]", "schema.type at /1: a number"),
    Case(
      #"{"prefixItems":[true],"items":false}"#, valid: ["[]", "[1]"], invalid: "[1,2,3]",
      "schema.max-items at : an array of at most 1 element"),
    Case(
      #"{"$schema":"http://json-schema.org/draft-07/schema#","items":[true],"additionalItems":{"type":"null"}}"#,
      valid: ["[1,null]"], invalid: "[1,2]", "schema.type at /1: null"),
    // Up to draft 7, members beside a reference are ignored.
    Case(
      ##"{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#/definitions/s","maxLength":1}},"definitions":{"s":{"type":"string"}}}"##,
      valid: [#"{"a":"long"}"#], invalid: #"{"a":1}"#, "schema.type at /a: a string"),
    Case(
      ##"{"$schema":"http://json-schema.org/draft-06/schema#","properties":{"a":{"$ref":"#/definitions/s","maxLength":1}},"definitions":{"s":{"type":"string"}}}"##,
      valid: [#"{"a":"long"}"#], invalid: #"{"a":1}"#, "schema.type at /a: a string"),
    Case(
      #"{"minItems":1}"#, valid: ["[1]", "{}"], invalid: "[]", "schema.min-items at : an array of at least 1 element"),
    Case(#"{"maxItems":1}"#, valid: ["[1]"], invalid: "[1,2]", "schema.max-items at : an array of at most 1 element"),
    Case(
      #"{"uniqueItems":true}"#, valid: ["[1,true,\"1\",[1]]"], invalid: #"[{"a":1,"b":2},0,{"b":2.0,"a":1}]"#,
      "schema.unique-items at : an array without repeated elements (elements 0 and 2 are the same)"),
    Case(
      #"{"contains":{"type":"string"}}"#, valid: [#"[1,"a"]"#], invalid: "[1]",
      "schema.contains at : an array of at least 1 element that is a string (0 match)"),
    Case(
      #"{"contains":{"const":1},"minContains":0,"maxContains":2}"#, valid: ["[]", "[1,1]"], invalid: "[1,1,1]",
      "schema.contains at : an array of at most 2 elements that are 1 (3 match)"),
    Case(
      #"{"if":{"properties":{"a":true}},"unevaluatedProperties":false}"#, valid: [#"{"a":1}"#],
      invalid: #"{"b":1}"#,
      #"schema.additional-property at /b: no key "b""#),
    Case(
      #"{"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}"#, valid: [#"{"a":1}"#],
      invalid: #"{"b":1}"#,
      #"schema.additional-property at /b: no key "b""#),
    Case(
      #"{"contains":{"const":1},"unevaluatedItems":false}"#, valid: ["[1,1]"], invalid: "[1,2]",
      "schema.additional-item at /1: no element at this index"),
  ]

  private static let combinations: [Case] = [
    Case(
      #"{"allOf":[{"minimum":2},{"multipleOf":2}]}"#, valid: ["4"], invalid: "1",
      "schema.minimum at : a number of at least 2", "schema.multiple-of at : a multiple of 2"),
    Case(
      #"{"anyOf":[{"type":"string"},{"type":"object","required":["id"]}]}"#, valid: [#""""#, #"{"id":1}"#],
      invalid: "1",
      #"schema.any-of at : a string or an object with "id""#),
    Case(
      #"{"anyOf":[{"type":"null"},{"type":"object","required":["id"]}]}"#, valid: ["null"], invalid: "{}",
      "schema.required at  without id: -"),
    Case(
      #"{"anyOf":[{"const":1},{"enum":[2,3]}]}"#, valid: ["1", "3"], invalid: "4", "schema.any-of at : one of 1, 2, 3"),
    Case(
      #"{"oneOf":[{"minimum":1},{"maximum":5}]}"#, valid: ["0", "6"], invalid: "3",
      #"schema.one-of at : a value that matches only one of "/oneOf/0" and "/oneOf/1""#),
    Case(#"{"not":{"type":"string"}}"#, valid: ["1"], invalid: #""""#, "schema.not at : anything but a string"),
    Case(
      #"{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}"#,
      valid: [#"{"a":1,"b":1}"#, #"{"c":1}"#], invalid: "{}", "schema.required at  without c: -"),
  ]

  @Test(arguments: values + containers + combinations)
  func keywordsAcceptAndRejectTheExamples(_ example: Case) throws {
    let schema = try JSONSchema(compiling: JSON(parsing: example.schema))
    #expect(schema.notes.isEmpty)
    for text in example.valid {
      let findings = schema.check(try JSON(parsing: text))
      #expect(findings.isMatch, "\(text)")
      #expect(findings.faults.map(\.line) == [])
    }
    let findings = schema.check(try JSON(parsing: example.invalid))
    #expect(findings.faults.map(\.line) == example.faults)
    #expect(!findings.isMatch && !findings.hasMore && findings.interruption == nil)
  }

  private static let shapes = #"""
    {"oneOf": [{"$ref": "#/$defs/circle"}, {"$ref": "#/$defs/square"}],
     "$defs": {
      "circle": {"type": "object", "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}},
        "required": ["kind", "r"]},
      "square": {"type": "object", "properties": {"kind": {"const": "square"}, "a": {"type": "number"}},
        "required": ["kind", "a"]}}}
    """#

  @Test(arguments: [
    (#"{"kind": "circle", "r": "1"}"#, ["schema.type at /r: a number"]),
    (#"{"kind": "square", "r": 1}"#, ["schema.required at  without a: a number"]),
    (#"{"kind": "line", "r": 1, "a": 2}"#, [#"schema.enum at /kind: one of "circle", "square""#]),
    ("[]", [#"schema.one-of at : an object whose "kind" is "circle" or an object whose "kind" is "square""#]),
  ])
  func memberThatDistinguishesBranchesSelectsTheReportedBranch(text: String, faults: [String]) throws {
    let schema = try JSONSchema(compiling: JSON(parsing: Self.shapes))
    #expect(schema.check(try JSON(parsing: text)).faults.map(\.line) == faults)
  }

  @Test func onlyTheTypeIsReportedForAValueOfAWrongType() throws {
    let schema = try JSONSchema(
      compiling: JSON(parsing: #"{"type": "string", "minimum": 5, "enum": ["a"], "not": {"type": "number"}}"#))
    let faults = schema.check(JSON(1)).faults
    #expect(faults.map(\.line) == ["schema.type at : a string"])
    #expect(faults.map(\.kinds) == [[.string]])
  }

  @Test func choicesHaveNoQuotationMarks() throws {
    let schema = try JSONSchema(compiling: JSON(parsing: #"{"enum": ["a", 1, null]}"#))
    let fault = try #require(schema.check(JSON(2)).faults.first)
    #expect(fault.choices == ["a", "1", "null"])
    #expect(fault.kinds == [.string, .number, .null])
  }

  @Test func choicesOfAllBranchesAreListed() throws {
    let schema = try JSONSchema(compiling: JSON(parsing: #"{"anyOf": [{"const": 1}, {"enum": [2, "a"]}]}"#))
    let fault = try #require(schema.check(JSON(3)).faults.first)
    #expect(fault.choices == ["1", "2", "a"])
    #expect(fault.kinds == [.number, .string])
  }

  @Test func faultsAreInDocumentOrderWithoutDuplicates() throws {
    let schema = try JSONSchema(
      compiling: JSON(
        parsing: #"""
          {"properties": {"c": {"type": "null"}}, "required": ["z"],
           "allOf": [{"properties": {"a": {"items": {"type": "null"}}}}, {"properties": {"c": {"type": "null"}}}]}
          """#))
    let faults = schema.check(try JSON(parsing: #"{"a": [null, 1, 2], "c": 3}"#)).faults
    #expect(
      faults.map(\.line) == [
        "schema.required at  without z: -", "schema.type at /a/1: null", "schema.type at /a/2: null",
        "schema.type at /c: null",
      ])
  }
}

extension Fault {
  /// Everything that tests compare, in one line.
  var line: String {
    let pointer = JSON.Pointer(steps)
    let missing = missing.map { " without \(JSON.Pointer([$0]).tokens.joined())" } ?? ""
    return "\(code) at \(pointer)\(missing): \(expected ?? "-")" + (reason.map { " (\($0))" } ?? "")
  }
}
