import AnvilCodable
import AnvilDiagnosis
import Foundation
import Testing

/// Property wrappers, which code their own values.
@Suite struct WrapperTests {
  @Test func lossyWrappersSkipWhatIsInvalid() {
    expectAgreement(
      #"{"list": [1, "x", 2, null], "map": {"a": 1, "b": "c"}, "number": "12", "state": "zzz", "names": ["a", 1]}"#,
      as: Lossy.self,
      writing: #"{"list": [1, 2], "map": {"a": 1}, "number": 12, "state": "zzz", "names": ["a"]}"#)
    expectAgreement(
      #"{"list": [], "map": {}, "number": 3, "state": "a", "states": ["b", "c"], "names": []}"#, as: Lossy.self)
    for text in [
      #"{"map": {}, "number": 3, "state": "a", "names": []}"#,
      #"{"list": {}, "map": {}, "number": 3, "state": "a", "names": []}"#,
      #"{"list": [], "map": {}, "number": "x", "state": "a", "names": []}"#,
      #"{"list": [], "map": {}, "number": 3, "state": 1, "names": []}"#,
    ] { expectFailure(Lossy.self, text) }
  }

  @Test func defaultsOfWrappersStandForMissingValues() {
    let written =
      #"{"list": [], "map": {}, "zero": 0, "one": 1, "on": true, "off": false, "text": "", "answer": 42, "new": 0, "a": {"b": 0}, "lossy": []}"#
    let nulls = ["list", "map", "zero", "one", "on", "off", "text", "answer", "new", "lossy"].map { #""\#($0)": null"# }
    expectAgreement(#"{"a": {}}"#, as: LossyDefaults.self, writing: written)
    expectAgreement(#"{\#(nulls.joined(separator: ",")), "a": {"b": null}}"#, as: LossyDefaults.self, writing: written)
    expectAgreement(
      #"{"list": [1], "map": {"a": 1}, "zero": 2, "one": 3, "on": false, "off": true, "text": "x", "answer": 4, "old": 5, "a": {"b": 6}, "lossy": [7, "x"]}"#,
      as: LossyDefaults.self,
      writing:
        #"{"list": [1], "map": {"a": 1}, "zero": 2, "one": 3, "on": false, "off": true, "text": "x", "answer": 4, "new": 5, "a": {"b": 6}, "lossy": [7]}"#
    )
    expectFailure(LossyDefaults.self, #"{"zero": "x", "a": {}}"#)
  }

  /// A missing object is like a missing key in it.
  @Test func objectsOfPathsToWrappersMayBeMissing() {
    let written =
      #"{"a": {"zero": 0, "list": []}, "b": {"c": {"one": 1}, "count": 7}, "d": {"id": 1, "on": true}}"#
    for text in [
      #"{"d": {"id": 1}}"#, #"{"a": null, "b": null, "d": {"id": 1, "on": null}}"#,
      #"{"a": {}, "b": {}, "d": {"id": 1}}"#,
      #"{"b": {"c": null}, "d": {"id": 1}}"#, #"{"a": {"number": null, "list": null}, "b": {"c": {}}, "d": {"id": 1}}"#,
    ] { expectAgreement(text, as: WrappedPaths.self, writing: written) }
    expectAgreement(
      #"{"a": {"zero": 2, "list": [3], "number": "4", "text": "x"}, "b": {"c": {"eins": 5}}, "d": {"id": 1, "on": false}}"#,
      as: WrappedPaths.self,
      writing:
        #"{"a": {"zero": 2, "list": [3], "number": 4, "text": "x"}, "b": {"c": {"one": 5}, "count": 7}, "d": {"id": 1, "on": false}}"#
    )
    for text in [
      "{}", #"{"d": null}"#, #"{"d": {}}"#, #"{"a": 1, "d": {"id": 1}}"#, #"{"a": [], "d": {"id": 1}}"#,
      #"{"a": {"zero": "x"}, "d": {"id": 1}}"#, #"{"b": {"c": 1}, "d": {"id": 1}}"#,
    ] { expectFailure(WrappedPaths.self, text) }
    expectAgreement(#"{"a": {"list": [1]}}"#, as: StrictPaths.self)
    for text in ["{}", #"{"a": null}"#, #"{"a": {}}"#, #"{"a": {"list": null}}"#] {
      expectFailure(StrictPaths.self, text)
    }
    expectAgreement(
      "{}", as: LossyDefaults.self,
      writing:
        #"{"list": [], "map": {}, "zero": 0, "one": 1, "on": true, "off": false, "text": "", "answer": 42, "new": 0, "a": {"b": 0}, "lossy": []}"#
    )
  }

  @Test func defaultsOfMissingObjectsAreReportedAtTheirPaths() throws {
    let (_, report) = try JSON.Decoder().decodeReporting(WrappedPaths.self, from: Data(#"{"d": {"id": 1}}"#.utf8))
    #expect(report.entries.map { "\($0.path)" }.sorted() == ["a.zero", "d.on"])
  }

  @Test func missingObjectsOfRequiredWrappersAreNamedInErrors() {
    let error = #expect(throws: DecodingError.self) {
      try JSON.Decoder().decode(StrictPaths.self, from: Data("{}".utf8))
    }
    guard case .keyNotFound(let key, let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) + [key.stringValue] == ["a", "list"])
  }

  @Test func otherWrappersUseTheirOwnCoding() {
    expectAgreement(
      #"{"id": 1, "text": " a ", "nick": " b", "a": {"b": "c "}, "note": 1}"#, as: Wrapping.self,
      writing: #"{"id": 1, "text": "a", "name": "b", "a": {"b": "c"}}"#)
    expectAgreement(#"{"text": "a", "list": [1]}"#, as: WrappingClass.self)
    expectAgreement(#"{"text": "a"}"#, WrappingClass(text: "a"), writing: #"{"text": "a", "list": []}"#)
    expectAgreement(#"{"list": ["a", 1]}"#, GenericWrapping(list: ["a"]), writing: #"{"list": ["a"]}"#)
    expectAgreement(
      #"{"text": "a"}"#, as: WrapperScope.Nested.self, writing: #"{"text": "a", "list": [], "count": 1}"#)
    expectFailure(Wrapping.self, #"{"id": 1, "text": " a ", "a": {"b": "c "}}"#)
  }

  @Test func overloadsOfContainersCodeWrappers() {
    expectAgreement(#"{"id": 1}"#, Counting(id: 1), writing: #"{"id": 1, "a": {}}"#)
    expectFailure(Counting.self, "{}")
  }

  @Test func reportsOfLossyWrappersAreTheSame() throws {
    let text =
      #"{"list": [1, "x"], "map": {"b": "c"}, "number": "12", "state": "zzz", "names": []}"#
    let (value, report) = try JSON.Decoder().decodeReporting(Lossy.self, from: Data(text.utf8))
    #expect(value.list == [1])
    #expect(report.entries.count == 4)
    let (_, defaults) = try JSON.Decoder().decodeReporting(LossyDefaults.self, from: Data(#"{"a": {}}"#.utf8))
    #expect(defaults.entries.map(\.code) == Array(repeating: .defaultValue, count: 6))
  }
}
