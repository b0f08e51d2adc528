// Named are the codes of RFC 9110 §15, without the interim 1xx codes, which no session returns, and without unused ones; and 429 of RFC 6585.

// Each name stands once: `HTTP.Status.notFound` and `HTTP.Status.ClientError.notFound` are the same declaration.

extension HTTP {
  /// A type whose values are status codes: ``HTTP/Status`` and its classes. A code without a name is written as a number:
  /// `case .serverError(529):`.
  public protocol StatusCode: ExpressibleByIntegerLiteral {
    /// Creates the status with the number `code`.
    init(code: Int)
    /// The number, as in the status line.
    var code: Int { get }
  }
}

extension HTTP.StatusCode {
  /// Creates the status with the number of the literal.
  public init(integerLiteral value: Int) {
    self.init(code: value)
  }
}

extension HTTP.Status {
  /// The names of the 2xx codes, which ``Success`` and ``HTTP/Status`` share: `response.status == .ok`, `case .success(.ok):`.
  public protocol SuccessNames: HTTP.StatusCode {}
  /// The names of the 3xx codes, which ``Redirection`` and ``HTTP/Status`` share.
  public protocol RedirectionNames: HTTP.StatusCode {}
  /// The names of the 4xx codes, which ``ClientError`` and ``HTTP/Status`` share.
  public protocol ClientErrorNames: HTTP.StatusCode {}
  /// The names of the 5xx codes, which ``ServerError`` and ``HTTP/Status`` share.
  public protocol ServerErrorNames: HTTP.StatusCode {}
}

/// 2xx: the request was received, understood and accepted.
extension HTTP.Status.SuccessNames {
  /// 200 OK
  public static var ok: Self { Self(code: 200) }
  /// 201 Created
  public static var created: Self { Self(code: 201) }
  /// 202 Accepted
  public static var accepted: Self { Self(code: 202) }
  /// 203 Non-Authoritative Information
  public static var nonAuthoritativeInformation: Self { Self(code: 203) }
  /// 204 No Content
  public static var noContent: Self { Self(code: 204) }
  /// 205 Reset Content
  public static var resetContent: Self { Self(code: 205) }
  /// 206 Partial Content
  public static var partialContent: Self { Self(code: 206) }
}

/// 3xx: further action is needed to complete the request.
extension HTTP.Status.RedirectionNames {
  /// 300 Multiple Choices
  public static var multipleChoices: Self { Self(code: 300) }
  /// 301 Moved Permanently
  public static var movedPermanently: Self { Self(code: 301) }
  /// 302 Found
  public static var found: Self { Self(code: 302) }
  /// 303 See Other
  public static var seeOther: Self { Self(code: 303) }
  /// 304 Not Modified
  public static var notModified: Self { Self(code: 304) }
  /// 307 Temporary Redirect
  public static var temporaryRedirect: Self { Self(code: 307) }
  /// 308 Permanent Redirect
  public static var permanentRedirect: Self { Self(code: 308) }
}

/// 4xx: the request is wrong or cannot be fulfilled.
extension HTTP.Status.ClientErrorNames {
  /// 400 Bad Request
  public static var badRequest: Self { Self(code: 400) }
  /// 401 Unauthorized
  public static var unauthorized: Self { Self(code: 401) }
  /// 402 Payment Required
  public static var paymentRequired: Self { Self(code: 402) }
  /// 403 Forbidden
  public static var forbidden: Self { Self(code: 403) }
  /// 404 Not Found
  public static var notFound: Self { Self(code: 404) }
  /// 405 Method Not Allowed
  public static var methodNotAllowed: Self { Self(code: 405) }
  /// 406 Not Acceptable
  public static var notAcceptable: Self { Self(code: 406) }
  /// 407 Proxy Authentication Required
  public static var proxyAuthenticationRequired: Self { Self(code: 407) }
  /// 408 Request Timeout
  public static var requestTimeout: Self { Self(code: 408) }
  /// 409 Conflict
  public static var conflict: Self { Self(code: 409) }
  /// 410 Gone
  public static var gone: Self { Self(code: 410) }
  /// 411 Length Required
  public static var lengthRequired: Self { Self(code: 411) }
  /// 412 Precondition Failed
  public static var preconditionFailed: Self { Self(code: 412) }
  /// 413 Content Too Large
  public static var contentTooLarge: Self { Self(code: 413) }
  /// 414 URI Too Long
  public static var uriTooLong: Self { Self(code: 414) }
  /// 415 Unsupported Media Type
  public static var unsupportedMediaType: Self { Self(code: 415) }
  /// 416 Range Not Satisfiable
  public static var rangeNotSatisfiable: Self { Self(code: 416) }
  /// 417 Expectation Failed
  public static var expectationFailed: Self { Self(code: 417) }
  /// 421 Misdirected Request
  public static var misdirectedRequest: Self { Self(code: 421) }
  /// 422 Unprocessable Content
  public static var unprocessableContent: Self { Self(code: 422) }
  /// 426 Upgrade Required
  public static var upgradeRequired: Self { Self(code: 426) }
  /// 429 Too Many Requests
  public static var tooManyRequests: Self { Self(code: 429) }
}

/// 5xx: the server failed to fulfil a request that may be valid.
extension HTTP.Status.ServerErrorNames {
  /// 500 Internal Server Error
  public static var internalServerError: Self { Self(code: 500) }
  /// 501 Not Implemented
  public static var notImplemented: Self { Self(code: 501) }
  /// 502 Bad Gateway
  public static var badGateway: Self { Self(code: 502) }
  /// 503 Service Unavailable
  public static var serviceUnavailable: Self { Self(code: 503) }
  /// 504 Gateway Timeout
  public static var gatewayTimeout: Self { Self(code: 504) }
  /// 505 HTTP Version Not Supported
  public static var httpVersionNotSupported: Self { Self(code: 505) }
}
