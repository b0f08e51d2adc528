import AnvilBase
import AnvilBodies
import AnvilHTTP
import AnvilJSON
import AnvilTestSupport
import Foundation
import Testing

/// Source: RFC 7464.
@Suite struct JSONSequenceTests {
  private struct Entry: Codable, Equatable {
    var id: Int
  }

  /// Decodes from any JSON.
  private struct Anything: Decodable {
    init(from decoder: any Decoder) {}
  }

  @Test(arguments: [
    ("", []), ("\u{1E}", []), ("\u{1E}\u{1E}\u{1E}", []), (" \n", []), ("\u{FEFF}\u{1E}{\"id\":1}\n", [1]),
    ("\u{1E}{\"id\":1}\n", [1]), ("\u{1E}{\"id\":1}", [1]), ("\u{1E}{\"id\":1}\u{1E}{\"id\":2}\n", [1, 2]),
    ("\u{1E}{\n  \"id\": 1\n}\n\u{1E}\u{1E}\r\n {\"id\":2}\r\n", [1, 2]),
  ])
  func recordsAreDecoded(text: String, ids: [Int]) async {
    for body in HTTP.Body.cuttings(of: text) {
      let found = await body.jsonSequence(of: Entry.self).all()
      #expect(found.elements.map(\.id) == ids)
      #expect(found.error == nil)
    }
  }

  @Test func errorsContainTheRecordAndTheReason() async throws {
    let found = await HTTP.Body("\u{1E}{\"id\":1}\n\u{1E}\u{1E}{\"id\":\"é\"}\n\u{1E}{\"id\":3}\n")
      .jsonSequence(of: Entry.self).all()
    #expect(found.elements == [Entry(id: 1)])
    let error = try #require(found.error as? HTTP.ValueDecodingError)
    #expect(error.number == 2 && error.offset == 12)
    #expect(error.underlyingError is DecodingError)
    #expect("\(error)" == "record 2 (byte 12) cannot be decoded: expected Int at $.id")
  }

  @Test func nothingFollowsAnError() async throws {
    var values = HTTP.Body("\u{1E}1\n\u{1E}x\n\u{1E}2\n").jsonSequence(of: Int.self).makeAsyncIterator()
    #expect(try await values.next() == 1)
    await #expect(throws: HTTP.ValueDecodingError.self) { try await values.next() }
    #expect(try await values.next() == nil)
  }

  @Test func resultsContinueAfterAnUndecodableRecord() async throws {
    for body in HTTP.Body.cuttings(of: "\u{1E}1\n\u{1E}[1,\u{1E}\n\u{1E}\"2\"\n\u{1E}3\n\u{1E}{\"a\"") {
      let found = await body.jsonSequence(of: Int.self).results.all()
      #expect(found.error == nil)
      #expect(found.elements.map { try? $0.get() } == [1, nil, nil, nil, 3, nil])
      let places = found.elements.compactMap { result -> [Int]? in
        if case .failure(let error) = result { [error.number, error.offset] } else { nil }
      }
      #expect(places == [[2, 4], [3, 8], [4, 10], [6, 18]])
    }
  }

  /// Source: RFC 7464 §2.4.
  @Test(arguments: ["12", "-1.5", "true", "false", "null", " 1", "tru"])
  func numbersAndLiteralsWithoutTrailingWhiteSpaceAreTruncated(text: String) async throws {
    for body in HTTP.Body.cuttings(of: "\u{1E}\(text)\u{1E}\(text)") {
      let results = await body.jsonSequence(of: Anything.self).results.all().elements
      #expect(results.count == 2)
      for result in results {
        let error = #expect(throws: HTTP.ValueDecodingError.self) { try result.get() }
        #expect(error?.underlyingError as? HTTP.BodyError == .recordTruncated)
      }
    }
  }

  @Test(arguments: ["12\n", "null ", "true\t", "\"a\"", "[1]", "{}"])
  func recordsWithAnExplicitEndAreComplete(text: String) async throws {
    let found = await HTTP.Body("\u{1E}\(text)").jsonSequence(of: Anything.self).all()
    #expect(found.error == nil)
    #expect(found.elements.count == 1)
  }

  @Test func textBeforeTheFirstSeparatorIsAnError() async throws {
    let found = await HTTP.Body("{\"id\":1}\n\u{1E}{\"id\":2}\n").jsonSequence(of: Entry.self).results.all()
    #expect(found.elements.map { try? $0.get().id } == [nil, 2])
    let error = #expect(throws: HTTP.ValueDecodingError.self) { try found.elements.first?.get() }
    #expect(error?.underlyingError as? HTTP.BodyError == .recordNotSeparated)
    #expect(
      error?.description
        == "record 1 (byte 0) cannot be decoded: there is text before the first record separator")
  }

  @Test func recordSizesAreLimited() async {
    for body in HTTP.Body.cuttings(of: "\u{1E}[1]\n\u{1E}\u{1E}[12]\n\u{1E}[3]\n") {
      let found = await body.jsonSequence(of: [Int].self, sizeLimit: 4).all()
      #expect(found.elements == [[1]])
      #expect(found.error as? HTTP.BodyError == .recordTooLong(record: 2, limit: 4))
    }
  }

  @Test func theBodysFormatIsUsedByDefault() async throws {
    let decoder = JSON.Decoder()
    decoder.allowsJSON5 = true
    var body = HTTP.Body("\u{1E}{id: 1}\n")
    body.decodingFormat = decoder
    #expect(await body.jsonSequence(of: Entry.self).all().elements == [Entry(id: 1)])
    #expect(await body.jsonSequence(of: Entry.self, with: JSONDecoder()).all().error is HTTP.ValueDecodingError)
  }
}
