import Foundation
import Testing

@testable import AnvilDiagnosis
@testable import AnvilJSON

/// Texts that are safe to log contain no value of the document, for any error.
@Suite struct RedactionTests {
  @Test(arguments: [
    #"{"password":"hunter2":1}"#, #"["hunter2": 1]"#, #"{"token": hunter2: 5}"#,
    "Error: invalid token hunter2: try again",
    "user=bob&password=hunter2:1", "<html><p>hunter2: x</p>", #"{"a": "hunter2" "b": 1}"#, "hunter2", "\"hunter2",
    #"{"password: hunter2, "name": "x"}"#, #"{"tokens": {"hunter2", "b"}}"#, #"{"hunter2" 1}"#, #"{"hunter2"}"#,
    "{\"a\": \"x\nhunter2: y\"}", #"{"a": "b" c": "Bob <hunter2@example.com>"}"#, #"{"a": 1}{"hunter2": 2}"#,
    #"{"a": [1, 2, hunter2}"#, "{\"a\": \"hunter2\u{1}\"}",
  ])
  func brokenTextsShowNoValues(_ text: String) throws {
    let data = Data(text.utf8)
    let error = #expect(throws: (any Error).self) { try JSON.Decoder().decode([String: Int].self, from: data) }
    try expectSafe(JSON.Diagnosis(#require(error), in: data))
    let other = #expect(throws: (any Error).self) { try JSONDecoder().decode([String: Int].self, from: data) }
    try expectSafe(JSON.Diagnosis(#require(other), in: data))
  }

  @Test func continuedStringsOfJSON5ShowNoValues() throws {
    let data = Data("{b: 'x\\\npassword hunter2: foo',\na: 'q'}".utf8)
    let decoder = JSON.Decoder()
    decoder.allowsJSON5 = true
    let error = #expect(throws: (any Error).self) { try decoder.decode([String: Int].self, from: data) }
    try expectSafe(JSON.Diagnosis(#require(error), in: data, decoder: decoder))
  }

  private struct Talkative: Decodable {
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "Cannot initialize \(text) does not fit \(text)")
    }
  }

  @Test func messagesOfModelErrorsAreNotShown() throws {
    let data = Data(#"["hunter2"]"#.utf8)
    let error = #expect(throws: (any Error).self) { try JSON.Decoder().decode([Talkative].self, from: data) }
    try expectSafe(JSON.Diagnosis(#require(error), in: data))
    try expectSafe(JSON.Decoder().diagnosis(of: #require(error), decoding: [Talkative].self, from: data))
  }

  @Test(arguments: [
    (#"{"card: 4111111111111111, "name": "x"}"#, "$"), (#"{"tokens": {"a", "b"}}"#, "$.tokens"),
    (#"{"tokens": {"a": x}}"#, "$.tokens.a"),
  ])
  func keysAreStepsOnceTheirColonIsRead(_ text: String, _ path: String) throws {
    let data = Data(text.utf8)
    let error = #expect(throws: (any Error).self) { try JSON.Decoder().decode([String: Int].self, from: data) }
    #expect(try JSON.Diagnosis(#require(error), in: data).line.hasPrefix("decode.syntax \(path) "))
  }

  private func expectSafe(_ diagnosis: JSON.Diagnosis) {
    let paths = diagnosis.problems.map(\.path.description)
    for text in paths + [
      diagnosis.description, diagnosis.line, "\(diagnosis.json())", diagnosis.localizedDescription,
    ] {
      #expect(!text.contains("hunter"), "\(text)")
    }
  }

  /// Long names in a hostile document do not fill a log.
  @Test func longKeysAreShortened() throws {
    let key = String(repeating: "k", count: 100_000)
    let data = Data("{\"\(key)\": [{}, {}, {\"\(key)2\": 1}]}".utf8)
    let error = #expect(throws: JSON.Diagnosis.self) { try JSON.Decoder().decodeAll([String: [Item]].self, from: data) }
    let diagnosis = try #require(error)
    #expect(diagnosis.problems.count == 6)
    #expect(diagnosis.line.utf8.count < 300)
    #expect(diagnosis.description.utf8.count < 5_000)
    #expect("\(diagnosis.json())".utf8.count < 10_000)
  }

  /// A long line is read once, not for each of its problems. Endless colons are read in one pass.
  @Test(.timeLimit(.minutes(15)))
  func longLinesAreReadOnce() throws {
    let objects = (0..<20_000).map { "{\"id\":\($0 % 100 == 0 ? "\"x\"" : "1"),\"title\":\"t\"}" }.joined(
      separator: ",")
    let data = Data("[\(objects)]".utf8)
    let error = #expect(throws: JSON.Diagnosis.self) { try JSON.Decoder().decodeAll([Item].self, from: data) }
    #expect(error?.problems.count == 100)
    let colons = Data(("{\"a\"" + String(repeating: ":", count: 200_000)).utf8)
    let broken = #expect(throws: (any Error).self) { try JSON.Decoder().decode(Item.self, from: colons) }
    #expect(try JSON.Diagnosis(#require(broken), in: colons).problems.first?.code == .syntax)
  }
}
