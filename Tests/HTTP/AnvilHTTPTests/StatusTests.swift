import AnvilHTTP
import Testing

@Suite struct StatusTests {
  @Test func codesAreGroupedByClass() {
    #expect(HTTP.Status(code: 200) == .success(.ok))
    #expect(HTTP.Status(code: 304) == .redirection(.notModified))
    #expect(HTTP.Status(code: 404) == .clientError(.notFound))
    #expect(HTTP.Status(code: 502) == .serverError(.badGateway))
  }

  @Test(arguments: [100, 199, 600, 999, 0, -1, Int.max, Int.min])
  func otherCodesAreUnknown(code: Int) {
    let status = HTTP.Status(code: code)
    #expect(status == .unknown(code))
    #expect(!status.isSuccess && !status.isRedirection && !status.isClientError)
  }

  @Test(arguments: 100...599)
  func codeSurvivesTheRoundTrip(code: Int) {
    #expect(HTTP.Status(code: code).code == code)
  }

  // Source: the IANA HTTP Status Code Registry.
  @Test func namesHaveTheCodesOfTheRegistry() {
    let successes: [HTTP.Status.Success] = [
      .ok, .created, .accepted, .nonAuthoritativeInformation, .noContent, .resetContent, .partialContent,
    ]
    #expect(successes.map(\.code) == Array(200...206))
    let redirections: [HTTP.Status.Redirection] = [
      .multipleChoices, .movedPermanently, .found, .seeOther, .notModified, .temporaryRedirect, .permanentRedirect,
    ]
    #expect(redirections.map(\.code) == Array(300...304) + [307, 308])
    let clientErrors: [HTTP.Status.ClientError] = [
      .badRequest, .unauthorized, .paymentRequired, .forbidden, .notFound, .methodNotAllowed, .notAcceptable,
      .proxyAuthenticationRequired, .requestTimeout, .conflict, .gone, .lengthRequired, .preconditionFailed,
      .contentTooLarge, .uriTooLong, .unsupportedMediaType, .rangeNotSatisfiable, .expectationFailed,
      .misdirectedRequest, .unprocessableContent, .upgradeRequired, .tooManyRequests,
    ]
    #expect(clientErrors.map(\.code) == Array(400...417) + [421, 422, 426, 429])
    let serverErrors: [HTTP.Status.ServerError] = [
      .internalServerError, .notImplemented, .badGateway, .serviceUnavailable, .gatewayTimeout,
      .httpVersionNotSupported,
    ]
    #expect(serverErrors.map(\.code) == Array(500...505))
  }

  @Test func rangesFollowTheRegistry() {
    #expect(HTTP.Status.Success.acceptedRange == 200..<300)
    #expect(HTTP.Status.Redirection.acceptedRange == 300..<400)
    #expect(HTTP.Status.ClientError.acceptedRange == 400..<500)
    #expect(HTTP.Status.ServerError.acceptedRange == 500..<600)
    #expect(HTTP.Status(code: 299).isSuccess && HTTP.Status(code: 399).isRedirection)
    #expect(HTTP.Status(code: 499).isClientError && !HTTP.Status(code: 599).isClientError)
  }

  @Test func statusesCanBeMatchedByName() {
    func advice(_ status: HTTP.Status) -> String {
      switch status {
      case .success: "go on"
      case .redirection: "elsewhere"
      case .clientError(.notFound): "not there"
      case .clientError: "mend the request"
      case .serverError(.serviceUnavailable): "come back later"
      case .serverError: "tell them"
      case .unknown(let code): "what is \(code)?"
      }
    }
    #expect(advice(200) == "go on")
    #expect(advice(302) == "elsewhere")
    #expect(advice(404) == "not there")
    #expect(advice(410) == "mend the request")
    #expect(advice(503) == "come back later")
    #expect(advice(500) == "tell them")
    #expect(advice(100) == "what is 100?")
  }

  /// Source: the IANA HTTP Status Code Registry; 306 and 418 are registered as unused.
  static let registered =
    [100, 101, 102, 103, 104] + Array(200...208) + [226] + Array(300...308) + Array(400...418)
    + [421, 422, 423, 424, 425, 426, 428, 429, 431, 451] + Array(500...508) + [510, 511]

  @Test(arguments: registered)
  func everyRegisteredCodeHasAPhrase(code: Int) {
    #expect(HTTP.Status(code: code).reasonPhrase != nil)
  }

  @Test func unregisteredCodesHaveNoPhrase() {
    for code in Set(0...699).subtracting(Self.registered) {
      #expect(HTTP.Status(code: code).reasonPhrase == nil, "\(code)")
    }
  }

  @Test func theDescriptionHasCodeAndPhrase() {
    #expect("\(HTTP.Status(code: 404))" == "404 Not Found")
    #expect("\(HTTP.Status(code: 499))" == "499")
    #expect("\(HTTP.Status(code: 103))" == "103 Early Hints")
  }

  @Test func aCodeWithoutANameIsANumber() {
    let status: HTTP.Status = .serverError(529)
    #expect(status == 529 && status.code == 529)
    switch status {
    case .serverError(529): break
    default: Issue.record("\(status)")
    }
    #expect(
      HTTP.Status.clientError(499) == 499 && HTTP.Status.redirection(399) == 399 && .success(299) == withNumber(299))
  }

  private func withNumber(_ code: Int) -> HTTP.Status { HTTP.Status(code: code) }
}
