import AnvilBase
import AnvilBodies
import AnvilHTTP
import AnvilJSON
import Foundation
import Testing

@Suite struct BodyCodingTests {
  struct Article: Codable, Equatable {
    var title: String
  }

  struct RootKey: CodableContainer {
    let element: Article
    private enum CodingKeys: String, CodingKey { case element = "article" }
  }

  @Test func jsonBodiesHaveTheirMediaType() throws {
    let body = try HTTP.Body.json(Article(title: "T"))
    #expect(body.string == #"{"title":"T"}"#)
    #expect(body.contentType == .applicationJSON)
  }

  @Test func jsonCanBeWrappedInAContainer() throws {
    let body = try HTTP.Body.json(Article(title: "T"), container: RootKey.self)
    #expect(body.string == #"{"article":{"title":"T"}}"#)
    #expect(try body.decode(as: Article.self, container: RootKey.self) == Article(title: "T"))
  }

  @Test func formsAreEncodedByTheURLStandard() {
    let body = HTTP.Body.urlForm(["a b": "c&d=e+f", "ü": "100%", "a b": "", "*-._": "~/?\n"])
    #expect(body.string == "a+b=c%26d%3De%2Bf&%C3%BC=100%25&a+b=&*-._=%7E%2F%3F%0A")
    #expect(body.contentType == .applicationFormURLEncoded)
    #expect(HTTP.Body.urlForm([("x", "1"), ("x", "2")]).string == "x=1&x=2")
  }

  @Test func theDefaultFormatsAreAnvilsJSON() throws {
    var body = HTTP.Body.empty
    #expect(body.encodingFormat is JSON.Encoder && body.decodingFormat is JSON.Decoder)
    body.decodingFormat = JSONDecoder()
    body.encodingFormat = JSONEncoder()
    #expect(body.encodingFormat is JSONEncoder && body.decodingFormat is JSONDecoder)
  }

  /// A coder is a class instance: changes to the coder that a body returns must not affect other bodies.
  @Test func defaultFormatsAreNotShared() throws {
    let encoder = try #require(HTTP.Body.empty.encodingFormat as? JSON.Encoder)
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let decoder = try #require(HTTP.Body.empty.decodingFormat as? JSON.Decoder)
    decoder.allowsJSON5 = true
    #expect(try HTTP.Body.json(["fullName": 1]).string == #"{"fullName":1}"#)
    #expect(throws: DecodingError.self) { try HTTP.Body("[1,]").decode(as: [Int].self) }
  }

  @Test func invalidJSONIsReportedWithItsPosition() throws {
    let error = #expect(throws: DecodingError.self) { try HTTP.Body("[1,\n 2").decode(as: [Int].self) }
    guard case .dataCorrupted(let context) = try #require(error) else {
      Issue.record("expected corrupted data")
      return
    }
    let syntax = try #require(context.underlyingError as? JSON.SyntaxError)
    #expect(syntax.code == .unexpectedEnd && syntax.line == 2 && syntax.column == 3)
  }

  @Test func encodeAndDecodeUseTheBodysFormats() throws {
    var body = HTTP.Body.empty
    body.encodingFormat = PropertyListEncoder()
    body.decodingFormat = PropertyListDecoder()
    try body.encode(Article(title: "T"))
    #expect(body.contentType == "application/x-plist")
    #expect(try body.decode(as: Article.self) == Article(title: "T"))

    try body.encode(Article(title: "U"), with: JSONEncoder())
    #expect(body.contentType == .applicationJSON)
    #expect(try body.decode(as: Article.self, with: JSONDecoder()) == Article(title: "U"))
    #expect(throws: (any Error).self) { try body.decode(as: Article.self) }
  }

  @Test func aFailedEncodeDoesNotChangeTheBody() throws {
    var body = HTTP.Body("kept")
    #expect(throws: EncodingError.self) { try body.encode([Double.nan]) }
    #expect(body.string == "kept")
  }

  @Test func uncollectedStreamDoesNotDecode() {
    let body = HTTP.Body.stream(ChunkSource(["{}"]))
    #expect(throws: HTTP.BodyError.notCollected) { try body.decode(as: [String: Int].self) }
    #expect("\(HTTP.BodyError.notCollected)" == "the body is a stream or a file: collect it before decoding")
  }
}
