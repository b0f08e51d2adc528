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

  @Test func errorObjectsAreRecognizedOnlyAtTheRoot() {
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

  @Test func missingKeysOfMappingsAreMerged() throws {
    let text = #"{"data": {"id": 1, "owner": {"login": "ann"}, "visibility": "public"}}"#
    let error = #expect(throws: (any Error).self) { try CheckedRepository.decode(JSON(parsing: text)) }
    let diagnosis = JSON.Diagnosis(try #require(error), in: Data(text.utf8))
    #expect(diagnosis.problems.map(\.code.rawValue) == ["decode.wrapped-model"])
  }
}
