import AnvilCodable
import Foundation
import Testing

/// Expressions and types of a model keep their meaning in the generated code.
@Suite struct ExpressionTests {
  private static let required = #""parity": 2, "parities": [4]"#

  @Test func defaultsOfMissingMembersAreTheValuesOfTheirExpressions() throws {
    expectAgreement(
      "{\(Self.required)}", as: Expressions.self,
      writing: #"""
        {"or": true, "and": true, "ternary": 1, "initial": true, "chosen": 2, "branch": 3, "choice": 5, "bits": 5,
         "coalesced": 6, "cast": 7, "forced": 8, "tried": 9, "closure": 10, "trailing": 11, "negated": false,
         "commented": true, "interpolated": "ab", "lines": "two\n  \"lines\"", "optional": true, "states": true,
         "wrapped": [1], "aliased": true, "in": {"deep": true}, "size": 3, "sum": 9, "own": 11, "ownToo": 12,
         "mapped": [12, 13], "parity": 2, "parities": [4], "negative": -6}
        """#)
  }

  @Test(arguments: ["or", "and", "initial", "commented", "optional", "states", "aliased"])
  func aValueTakesPrecedenceOverEachPartOfTheDefault(key: String) throws {
    let text = #"{"\#(key)": false, \#(Self.required)}"#
    let value = try #require(expectAgreement(text, as: Expressions.self, writing: written(replacing: key)))
    #expect(try JSON(encoding: value)[key] == false)
  }

  private func written(replacing key: String) throws -> String {
    let json = try JSON(encoding: JSON.read(Expressions.self, from: "{\(Self.required)}"))
    return try json.applying(mergePatch: [key: false]).serializedText()
  }

  @Test func defaultsOfClassesAndCasesAreTheValuesOfTheirExpressions() {
    expectAgreement(
      #"{"parity": 2}"#, ExpressionsOfClass(or: true, own: 11, size: 3, parity: 1),
      writing: #"{"or": true, "own": 11, "size": 3, "parity": 2}"#)
    expectAgreement(
      #"{"first": {}}"#, ExpressionsOfCases.first(), writing: #"{"first": {"or": true, "size": 3}}"#)
    expectAgreement(
      #"{"first": {"or": false}}"#, ExpressionsOfCases.first(or: false, size: 3),
      writing: #"{"first": {"or": false, "size": 3}}"#)
    expectAgreement(
      #"{"second": {}}"#, ExpressionsOfCases.second(),
      writing: #"{"second": {"size": 2, "own": 11, "reader": 10, "last": 7}}"#)
    expectAgreement(
      #"{"tag": "first", "or": false}"#, ExpressionsOfTags.first(or: false, size: 15),
      writing: #"{"tag": "first", "or": false, "size": 15}"#)
  }

  @Test func argumentsOfAMemberwiseInitializerTakePrecedence() {
    let value = PublicExpressions(or: false)
    #expect(value.or == false && value.choice == 3 && value.tried == 9 && value.own == 11 && value.closure == 10)
    #expect(value.lines == "two\n  lines" && value.last == 1)
  }

  @Test func expressionsOfNestedTypesUseNamesOfTheOuterScope() {
    expectAgreement(
      "{}", as: Expressed.Defaults.self,
      writing: #"""
        {"sum": 4, "text": "as", "accessor": 4, "closure": 3, "list": [3], "or": true, "own": 12, "negative": -3,
         "wrapped": [3, 1]}
        """#)
    expectAgreement(
      #"{"or": false, "children": [{}]}"#, as: Expressed.Defaults.self,
      writing: #"""
        {"sum": 4, "text": "as", "accessor": 4, "closure": 3, "list": [3], "or": false, "own": 12, "negative": -3,
         "wrapped": [3, 1], "children": [{"sum": 4, "text": "as", "accessor": 4, "closure": 3, "list": [3],
         "or": true, "own": 12, "negative": -3, "wrapped": [3, 1]}]}
        """#)
    expectAgreement(
      #"""
      {"word": "a", "optional": "b", "states": "c", "list": ["d"], "map": {"e": "f"}, "date": "2026-01-02T03:04:05Z",
       "number": "1"}
      """#, as: Expressed.Strategies.self)
    expectAgreement(
      #"{"word": "a", "states": null, "list": [null], "number": "1"}"#, as: Expressed.Strategies.self,
      by: .foundation)
  }

  @Test func typesInParenthesesAreCoded() {
    expectAgreement(
      #"{"figure": 1, "composed": 2, "optional": 3, "generic": 4, "list": [5], "fallback": 6}"#, as: Existentials.self)
    expectAgreement(
      #"{"figure": 1, "composed": 2, "list": []}"#, as: Existentials.self,
      writing: #"{"figure": 1, "composed": 2, "list": [], "fallback": 3}"#)
    expectAgreement(#"{"figure": 1, "optional": 2}"#, as: Existentials.Nested.self)
  }
}
