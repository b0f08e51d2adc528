import Foundation
import Testing

@testable import AnvilDiagnosis
@testable import AnvilJSON

/// Missing keys that are reported as one problem or separately.
@Suite struct SubstituteTests {
  private struct Note: Decodable {
    var id: Int
    var text: String
    var message: String?
  }

  private struct Envelope: Decodable {
    var note: Note
  }

  private func codes<T: Decodable>(
    _ type: T.Type, _ text: String, _ setUp: (JSON.Decoder) -> Void = { _ in }
  ) -> [String] {
    let decoder = JSON.Decoder()
    setUp(decoder)
    let error = #expect(throws: JSON.Diagnosis.self) { try decoder.decodeAll(type, from: Data(text.utf8)) }
    return error?.problems.map(\.code.rawValue) ?? []
  }

  @Test(arguments: [
    #"{"data": {"id": 1, "text": "a"}}"#, #"{"data": {"id": "1", "text": null}, "ok": true}"#,
    #"{"data": {"id": 1, "text": "a"}, "meta": {"id": 1}}"#, #"{"error": null, "data": {"text": "a", "id": 1}}"#,
  ])
  func modelNestedInAMemberIsOneProblem(text: String) {
    #expect(codes(Note.self, text) == ["decode.wrapped-model"])
  }

  @Test(arguments: [
    #"{"error": "no"}"#, #"{"errors": [1]}"#, #"{"error": {"code": 1}, "status": 404}"#, #"{"error": true}"#,
    #"{"title": "Not Found", "detail": "no such note", "status": 404}"#, #"{"error_description": "expired"}"#,
  ])
  func errorObjectInPlaceOfTheModelIsOneProblem(text: String) {
    #expect(codes(Note.self, text) == ["decode.error-object"])
  }

  @Test(arguments: [
    // A key of the model is present, although it is optional or misspelt.
    #"{"message": "hello"}"#, #"{"Message": "hello", "error": "no"}"#,
    #"{"MESSAGE": null, "data": {"id": 1, "text": "a"}}"#,
    // The text does not show which of them it is, or that it is an error.
    #"{"a": {"id": 1, "text": "a"}, "b": {"id": 1, "text": "a"}}"#, #"{"error": null}"#, #"{"detail": {}}"#, "{}",
    #"{"data": {"id": 1}}"#, #"{"other": 1}"#,
  ])
  func otherObjectsAreReportedWithTheirMissingKeys(text: String) {
    #expect(codes(Note.self, text) == ["decode.missing-key", "decode.missing-key"])
  }

  @Test func errorObjectsInPlaceOfAModelAreRecognizedOnlyAtTheRoot() {
    let missing = ["decode.missing-key", "decode.missing-key"]
    #expect(codes([Note].self, #"[{"error": "no"}]"#) == missing)
    #expect(codes(Envelope.self, #"{"note": {"error": "no"}}"#) == missing)
    #expect(codes(Envelope.self, #"{"note": {"data": {"id": 1, "text": ""}}}"#) == ["decode.wrapped-model"])
  }

  @Test func keyStrategiesApplyToWrappedModels() {
    let text = #"{"data": {"post_title": "a", "word_count": 1}}"#
    #expect(codes(Post.self, text) { $0.keyDecodingStrategy = .convertFromSnakeCase } == ["decode.wrapped-model"])
    let converted = codes(Post.self, text) {
      $0.keyDecodingStrategy = .custom { path in path.last ?? DecodingKey(stringValue: "") }
    }
    #expect(converted == ["decode.missing-key", "decode.missing-key"])
  }

  private struct Report: Decodable {
    var id: Int
    var title: String
    var status: String
    var detail: String?
  }

  @Test(arguments: [
    // RFC 9457, Spring, Slack, JSON:API, GraphQL, FastAPI, Jira, Laravel.
    #"{"type": "about:blank", "title": "Not Found", "status": 404, "detail": "no such report"}"#,
    #"{"title": "Too Many Requests", "status": 429, "instance": "/reports/1"}"#,
    #"{"timestamp": "2026-01-01T00:00:00Z", "status": 404, "error": "Not Found", "path": "/reports/1"}"#,
    #"{"ok": false, "error": "invalid_auth"}"#, #"{"errors": [{"status": "404", "title": "Not Found"}]}"#,
    #"{"errors": [{"message": "no such field", "path": ["report"]}], "data": null}"#,
    #"{"errorMessages": ["No such issue"], "errors": {}}"#,
    #"{"errorMessages": [], "errors": {"summary": "required"}}"#,
    #"{"message": "The data is invalid.", "errors": {"title": ["required"]}}"#,
  ])
  func errorsOfCommonFormsAreRecognized(text: String) {
    #expect(codes(Report.self, text) == ["decode.error-object"])
    #expect(codes([Report].self, text) == ["decode.error-object"])
  }

  @Test(arguments: [
    #"{"detail": [{"loc": ["path", "id"], "msg": "not an integer", "type": "int_parsing"}]}"#,
    #"{"detail": "Not Found"}"#, #"{"message": "Not Found", "documentation_url": "https://example.org"}"#,
    #"{"error": "no"}"#, #"{"fault": {"code": 1}}"#,
  ])
  func errorsAreRecognizedInPlaceOfAList(text: String) {
    #expect(codes([Note].self, text) == ["decode.error-object"])
    #expect(codes([Int].self, text) == ["decode.error-object"])
    let error = #expect(throws: (any Error).self) { try [Int].decode(JSON(parsing: text)) }
    #expect(
      JSON.Diagnosis(error ?? CancellationError(), in: Data(text.utf8)).problems.map(\.code.rawValue) == [
        "decode.error-object"
      ])
  }

  @Test(arguments: [
    #"{"items": []}"#, #"{"message": "3 found", "items": [1]}"#, #"{"errors": [], "items": []}"#, #"{"error": false}"#,
    #"{"error": null, "data": []}"#, #"{"error": ""}"#, #"{"error": {}}"#, "{}", "1", #"{"id": 1, "text": "a"}"#,
    #"{"title": "a", "status": 3, "detail": "b"}"#, #"{"detail": {}}"#, #"{"detail": [1]}"#,
  ])
  func otherValuesInPlaceOfAListAreMismatches(text: String) {
    #expect(codes([Note].self, text) == ["decode.type-mismatch"])
  }

  @Test(arguments: [
    // Models, or parts of them.
    #"{"title": "a", "status": 404}"#, #"{"id": 1, "title": "a", "status": 404, "detail": "b"}"#,
    #"{"title": "a", "status": "open", "detail": "b"}"#, #"{"title": "a", "status": 200, "detail": "b"}"#,
  ])
  func modelsWithMembersOfAProblemAreNoErrors(text: String) {
    #expect(!codes(Report.self, text).contains("decode.error-object"))
  }

  @Test func nullBesideErrorsHasAHint() {
    struct Reply: Decodable { var data: Note }
    let text = #"{"data": null, "errors": [{"message": "no such note"}]}"#
    let error = #expect(throws: JSON.Diagnosis.self) { try JSON.Decoder().decodeAll(Reply.self, from: Data(text.utf8)) }
    #expect(
      error?.problems.map(\.hints) == [
        [#"the enclosing object contains "errors": the server may have returned an error"#]
      ])
  }
}
