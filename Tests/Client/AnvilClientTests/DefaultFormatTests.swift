import AnvilBase
import AnvilBodies
import AnvilClient
import AnvilHTTP
import AnvilJSON
import AnvilTesting
import Foundation
import Testing

/// The default format is Anvil's engine. Foundation's coders are used if a caller passes them.
@Suite(.timeLimit(.minutes(15))) struct DefaultFormatTests {
  /// Returns the result of decoding `body` as `Response`, with the default format or the given one.
  private func outcome<Response: Decodable & Sendable>(
    of body: String, as type: Response.Type, decoder: (any DecodingFormat)? = nil
  ) async throws -> Result<Response, AnyError> {
    let world = try World()
    world.session.on(.get, world.url, .json(body))
    guard let decoder else { return await world.backend.outcome(AnyRequest<Response>(url: world.url)) }
    return await world.backend.outcome(AnyRequest<Response>(url: world.url, decoder: decoder))
  }

  private func syntaxError<Response>(in outcome: Result<Response, AnyError>) throws -> JSON.SyntaxError? {
    guard case .decodingError(let context) = try #require(outcome.failure?.error as? DecodingFailure),
      case .dataCorrupted(let corrupted) = context.decodingError
    else {
      Issue.record("expected corrupted data")
      return nil
    }
    return corrupted.underlyingError as? JSON.SyntaxError
  }

  // MARK: Reading

  @Test func numbersKeepEveryDigit() async throws {
    struct Account: Decodable, Equatable, Sendable {
      var serial: Int128
      var balance: Decimal
    }
    let body = #"{"balance": 1234567890123456789.123456789, "serial": 170141183460469231731687303715884105727}"#
    let balance = try #require(Decimal(string: "1234567890123456789.123456789"))
    #expect(try await outcome(of: body, as: Account.self).get() == Account(serial: .max, balance: balance))
  }

  @Test func theFirstOfDuplicateKeysIsDecoded() async throws {
    let body = #"{"id": 1, "login": "a", "id": 2}"#
    #expect(try await outcome(of: body, as: User.self).get() == User(id: 1, login: "a"))
  }

  @Test func anUndecodedNumberMayExceedTheRangeOfDouble() async throws {
    let body = #"{"id": 1, "login": "a", "distance": 1e400}"#
    #expect(try await outcome(of: body, as: User.self).get() == User(id: 1, login: "a"))
  }

  @Test(arguments: [
    (#"{"login": "\ud800"}"#, JSON.SyntaxError.Code.loneSurrogate, 1, 12),
    (#"{"id": 1, "login": "a",}"#, .unexpectedByte(0x7D, expected: "a key in quotation marks"), 1, 24),
    ("{\n\"id\": }", .unexpectedByte(0x7D, expected: "a value"), 2, 7),
  ])
  func invalidJSONIsReportedWithItsPosition(
    body: String, code: JSON.SyntaxError.Code, line: Int, column: Int
  ) async throws {
    let error = try #require(try syntaxError(in: await outcome(of: body, as: User.self)))
    #expect(error.code == code)
    #expect(error.line == line)
    #expect(error.column == column)
  }

  @Test func anHTMLPageIsReportedInOneLine() async throws {
    let failure = try await outcome(of: "<html>secret</html>", as: User.self).failure
    #expect(
      failure?.description == "GET https://api.example.com/users/1 → 200 OK application/json: cannot decode User: "
        + "decode.syntax $ expected a value, found '<' @1:1")
  }

  @Test func foundationsDecoderIsUsedIfItIsPassed() async throws {
    #expect(try syntaxError(in: await outcome(of: "{", as: User.self)) != nil)
    #expect(try syntaxError(in: await outcome(of: "{", as: User.self, decoder: JSONDecoder())) == nil)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    #expect(
      try await outcome(of: "[60]", as: [Date].self, decoder: decoder).get() == [Date(timeIntervalSince1970: 60)])
  }

  // MARK: Writing

  /// More members than would be in this order by chance.
  struct Parcel: Encodable {
    var weight = 2.5, to = "Oslo/N", height = 3, from = "Bergen", depth = 1, number = UInt64.max, ok = true, by = "rail"
  }

  @Test func membersAreWrittenInTheOrderOfEncoding() async throws {
    let world = try World()
    world.session.on(.post, world.url, .json("[]"))
    _ = try await world.backend.execute(
      AnyRequest<[User]>(method: .post, url: world.url, body: .json(Parcel())))
    let sent = try #require(world.session.requests.first)
    #expect(
      sent.body.string == #"{"weight":2.5,"to":"Oslo\/N","height":3,"from":"Bergen","depth":1,"#
        + #""number":18446744073709551615,"ok":true,"by":"rail"}"#)
    #expect(sent.headers[.contentType] == .applicationJSON)
  }

  @Test func foundationsEncoderIsUsedIfItIsPassed() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    #expect(
      try HTTP.Body.json(Parcel(), encoder: encoder).string == #"{"by":"rail","depth":1,"from":"Bergen","height":3,"#
        + #""number":18446744073709551615,"ok":true,"to":"Oslo/N","weight":2.5}"#)
  }
}
