import AnvilBase
import AnvilBodies
import AnvilHTTP
import AnvilJSON
import Foundation
import Testing

@Suite struct DeferredBodyTests {
  private struct Draft: Codable, Equatable {
    var name: String
    var score = 1.5
  }

  @Test func theValueIsEncodedInTheFormatThatIsSetWhenItIsRead() async throws {
    var body = HTTP.Body.encoding(Draft(name: "Ada"))
    body.encodingFormat = PropertyListEncoder()
    let data = try await body.collect()
    #expect(try PropertyListDecoder().decode(Draft.self, from: data) == Draft(name: "Ada"))
  }

  @Test func theValuesOwnFormatTakesPrecedence() async throws {
    var body = HTTP.Body.encoding(Draft(name: "Ada"), with: JSON.Encoder())
    body.encodingFormat = PropertyListEncoder()
    #expect(try await JSON.Decoder().decode(Draft.self, from: body.collect()) == Draft(name: "Ada"))
  }

  @Test func deferredBodiesCanBeReadRepeatedly() async throws {
    let body = HTTP.Body.encoding(Draft(name: "Ada"))
    #expect(body.isReplayable && body.isReadable && !body.isEmpty)
    #expect(body.data == nil && body.length == nil)
    #expect(try await body.collect() == body.collect())
    #expect(body == body && body != .encoding(Draft(name: "Ada")))
    #expect("\(body)" == "value to be encoded")
  }

  @Test func encodingErrorsHaveThePathButNoValue() async throws {
    let body = HTTP.Body.encoding(["list": [Draft(name: "Ada", score: .infinity)]])
    let error = await #expect(throws: HTTP.BodyError.self) { try await body.collect() }
    #expect(
      error?.description
        == "a value of type Dictionary<String, Array<Draft>> cannot be encoded: invalid value at $.list[0].score")
  }

  @Test func deferredBodiesAreDecodedAsTheyWouldBeSent() throws {
    var body = HTTP.Body.encoding(Draft(name: "Ada"))
    body.encodingFormat = PropertyListEncoder()
    body.decodingFormat = PropertyListDecoder()
    #expect(try body.decode(as: Draft.self) == Draft(name: "Ada"))
    #expect(throws: HTTP.BodyError.self) {
      try HTTP.Body.encoding([Double.infinity]).decode(as: [Double].self)
    }
  }

  @Test func encodingKeepsMediaTypeCodingsAndFormats() throws {
    var body = HTTP.Body.encoding(Draft(name: "Ada"))
    body.contentType = "application/vnd.example+json"
    body.contentEncoding = "br"
    let encoded = try body.encoded()
    #expect(encoded.string == #"{"name":"Ada","score":1.5}"#)
    #expect(encoded.contentType == body.contentType && encoded.contentEncoding == "br")
    #expect(try encoded.encoded() == encoded)
  }
}
