import AnvilBase
import AnvilBodies
import AnvilHTTP
import AnvilJSON
import AnvilTestSupport
import Foundation
import Testing

@Suite struct JSONLinesTests {
  struct Entry: Codable, Equatable {
    var id: Int
    var text = ""

    init(id: Int, text: String = "") {
      self.id = id
      self.text = text
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int.self, forKey: .id)
      text = try container.decodeIfPresent(String.self, forKey: .text) ?? ""
    }
  }

  @Test(arguments: [
    ("", []), ("\n", []), (" \t\r\n\n", []), (#"{"id":1}"#, [1]), ("{\"id\":1}\n", [1]), ("\u{FEFF}{\"id\":1}", [1]),
    ("{\"id\":1}\r\n{\"id\":2}", [1, 2]), ("\n {\"id\":1} \n\n\t{\"id\":2}\r\n\n", [1, 2]),
    ("{\"id\":1,\"text\":\"é\\n\"}", [1]),
  ])
  func linesAreDecoded(text: String, ids: [Int]) async {
    for body in HTTP.Body.cuttings(of: text) {
      let found = await body.jsonLines(of: Entry.self).all()
      #expect(found.elements.map(\.id) == ids)
      #expect(found.error == nil)
    }
  }

  @Test func errorsContainTheLineAndTheReason() async throws {
    let body = HTTP.Body("{\"id\":1}\n\r\n{\"id\":\"é\"}\n{\"id\":3}")
    let found = await body.jsonLines(of: Entry.self).all()
    #expect(found.elements == [Entry(id: 1)])
    let error = try #require(found.error as? HTTP.ValueDecodingError)
    #expect(error.number == 3 && error.offset == 11)
    #expect("\(error)" == "line 3 (byte 11) cannot be decoded: expected Int at $.id")
    #expect(error.localizedDescription == "\(error)")
    guard case .typeMismatch(_, let context) = error.underlyingError as? DecodingError else {
      Issue.record("expected a type mismatch, found \(error.underlyingError)")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["id"])
  }

  @Test func invalidJSONIsReportedWithItsPositionInTheLine() async throws {
    let found = await HTTP.Body("{}\n\n[1,]\n").jsonLines(of: [Int].self).results.all()
    #expect(found.error == nil)
    guard case .failure(let error) = try #require(found.elements.last) else {
      Issue.record("[1,] was taken for JSON")
      return
    }
    #expect(
      "\(error)"
        == "line 3 (byte 4) cannot be decoded: not JSON: expected a value, found ']' at line 1, column 4 (byte 3)")
  }

  @Test func nothingFollowsAnError() async throws {
    var values = HTTP.Body("1\nx\n2").jsonLines(of: Int.self).makeAsyncIterator()
    #expect(try await values.next() == 1)
    await #expect(throws: HTTP.ValueDecodingError.self) { try await values.next() }
    #expect(try await values.next() == nil)
  }

  @Test func resultsContinueAfterAnUndecodableLine() async throws {
    for body in HTTP.Body.cuttings(of: "1\nx\n\n\"2\"\n3\n{") {
      let found = await body.jsonLines(of: Int.self).results.all()
      #expect(found.error == nil)
      #expect(found.elements.map { try? $0.get() } == [1, nil, nil, 3, nil])
      let lines = found.elements.compactMap { result -> [Int]? in
        if case .failure(let error) = result { [error.number, error.offset] } else { nil }
      }
      #expect(lines == [[2, 2], [4, 5], [6, 11]])
    }
  }

  @Test func theBodysFormatIsUsedByDefault() async throws {
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .custom { keys in
      keys.last.map { $0.stringValue == "ID" ? Entry.Key(stringValue: "id") : $0 } ?? Entry.Key(stringValue: "")
    }
    var body = HTTP.Body("{\"ID\":1}")
    body.decodingFormat = decoder
    #expect(await body.jsonLines(of: Entry.self).all().elements == [Entry(id: 1)])
    #expect(await body.jsonLines(of: Entry.self, with: JSONDecoder()).all().error is HTTP.ValueDecodingError)
  }

  @Test func lineLengthsAreLimited() async {
    for body in HTTP.Body.cuttings(of: "[1]\n\n[1,2]\n[3]") {
      let found = await body.jsonLines(of: [Int].self, sizeLimit: 4).all()
      #expect(found.elements == [[1]])
      #expect(found.error as? HTTP.BodyError == .lineTooLong(line: 3, limit: 4))
    }
  }

  @Test func errorsThrownByTypesAreKept() async throws {
    struct Own: Error {}
    struct Refusing: Decodable {
      init(from decoder: any Decoder) throws { throw Own() }
    }
    let error = try #require(await HTTP.Body("1").jsonLines(of: Refusing.self).all().error as? HTTP.ValueDecodingError)
    #expect(error.underlyingError is Own)
    #expect("\(error)" == "line 1 (byte 0) cannot be decoded: Own")
  }
}

extension JSONLinesTests.Entry {
  struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
