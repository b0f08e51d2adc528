import AnvilHTTP
import Testing

@Suite struct StatusShorthandTests {
  /// Every name with its code.
  private static let names: [(status: HTTP.Status, code: Int)] = [
    (.ok, 200),
    (.created, 201),
    (.accepted, 202),
    (.nonAuthoritativeInformation, 203),
    (.noContent, 204),
    (.resetContent, 205),
    (.partialContent, 206),
    (.multipleChoices, 300),
    (.movedPermanently, 301),
    (.found, 302),
    (.seeOther, 303),
    (.notModified, 304),
    (.temporaryRedirect, 307),
    (.permanentRedirect, 308),
    (.badRequest, 400),
    (.unauthorized, 401),
    (.paymentRequired, 402),
    (.forbidden, 403),
    (.notFound, 404),
    (.methodNotAllowed, 405),
    (.notAcceptable, 406),
    (.proxyAuthenticationRequired, 407),
    (.requestTimeout, 408),
    (.conflict, 409),
    (.gone, 410),
    (.lengthRequired, 411),
    (.preconditionFailed, 412),
    (.contentTooLarge, 413),
    (.uriTooLong, 414),
    (.unsupportedMediaType, 415),
    (.rangeNotSatisfiable, 416),
    (.expectationFailed, 417),
    (.misdirectedRequest, 421),
    (.unprocessableContent, 422),
    (.upgradeRequired, 426),
    (.tooManyRequests, 429),
    (.internalServerError, 500),
    (.notImplemented, 501),
    (.badGateway, 502),
    (.serviceUnavailable, 503),
    (.gatewayTimeout, 504),
    (.httpVersionNotSupported, 505),
  ]

  @Test(arguments: names) func namesHaveTheirStatusCodes(status: HTTP.Status, code: Int) {
    #expect(status == HTTP.Status(code: code))
  }

  /// Source: RFC 9110 §15, RFC 6585 §4.
  @Test func everyStatusOfHTTPAndTooManyRequestsHaveANameUnlessTheyAreNotInUse() {
    let registered = (200..<600).filter { HTTP.Status(code: $0).reasonPhrase != nil }
    let extensions = [207, 208, 226, 418, 423, 424, 425, 428, 431, 451] + [506, 507, 508, 510, 511]
    #expect(Set(Self.names.map(\.code)) == Set(registered).subtracting(extensions).subtracting([305, 306]))
  }

  @Test func namesCanBeUsedInSwitches() {
    func word(_ status: HTTP.Status) -> String {
      switch status {
      case .ok: "ok"
      case .notFound: "not found"
      case .clientError: "client error"
      default: "other"
      }
    }
    #expect([200, 404, 409, 503].map { word(HTTP.Status(code: $0)) } == ["ok", "not found", "client error", "other"])
  }
}
