// All registered statuses without the name of their class: `response.status == .ok`, `case .notFound:`.

/// The 2xx statuses by name.
extension HTTP.Status {
  /// 200 OK
  public static let ok = Self.success(.ok)
  /// 201 Created
  public static let created = Self.success(.created)
  /// 202 Accepted
  public static let accepted = Self.success(.accepted)
  /// 203 Non-Authoritative Information
  public static let nonAuthoritativeInformation = Self.success(.nonAuthoritativeInformation)
  /// 204 No Content
  public static let noContent = Self.success(.noContent)
  /// 205 Reset Content
  public static let resetContent = Self.success(.resetContent)
  /// 206 Partial Content
  public static let partialContent = Self.success(.partialContent)
  /// 207 Multi-Status
  public static let multiStatus = Self.success(.multiStatus)
  /// 208 Already Reported
  public static let alreadyReported = Self.success(.alreadyReported)
  /// 226 IM Used
  public static let imUsed = Self.success(.imUsed)
}

/// The 3xx statuses by name.
extension HTTP.Status {
  /// 300 Multiple Choices
  public static let multipleChoices = Self.redirection(.multipleChoices)
  /// 301 Moved Permanently
  public static let movedPermanently = Self.redirection(.movedPermanently)
  /// 302 Found
  public static let found = Self.redirection(.found)
  /// 303 See Other
  public static let seeOther = Self.redirection(.seeOther)
  /// 304 Not Modified
  public static let notModified = Self.redirection(.notModified)
  /// 305 Use Proxy
  public static let useProxy = Self.redirection(.useProxy)
  /// 306 Switch Proxy
  public static let switchProxy = Self.redirection(.switchProxy)
  /// 307 Temporary Redirect
  public static let temporaryRedirect = Self.redirection(.temporaryRedirect)
  /// 308 Permanent Redirect
  public static let permanentRedirect = Self.redirection(.permanentRedirect)
}

/// The 4xx statuses by name.
extension HTTP.Status {
  /// 400 Bad Request
  public static let badRequest = Self.clientError(.badRequest)
  /// 401 Unauthorized
  public static let unauthorized = Self.clientError(.unauthorized)
  /// 402 Payment Required
  public static let paymentRequired = Self.clientError(.paymentRequired)
  /// 403 Forbidden
  public static let forbidden = Self.clientError(.forbidden)
  /// 404 Not Found
  public static let notFound = Self.clientError(.notFound)
  /// 405 Method Not Allowed
  public static let methodNotAllowed = Self.clientError(.methodNotAllowed)
  /// 406 Not Acceptable
  public static let notAcceptable = Self.clientError(.notAcceptable)
  /// 407 Proxy Authentication Required
  public static let proxyAuthenticationRequired = Self.clientError(.proxyAuthenticationRequired)
  /// 408 Request Timeout
  public static let requestTimeout = Self.clientError(.requestTimeout)
  /// 409 Conflict
  public static let conflict = Self.clientError(.conflict)
  /// 410 Gone
  public static let gone = Self.clientError(.gone)
  /// 411 Length Required
  public static let lengthRequired = Self.clientError(.lengthRequired)
  /// 412 Precondition Failed
  public static let preconditionFailed = Self.clientError(.preconditionFailed)
  /// 413 Content Too Large
  public static let contentTooLarge = Self.clientError(.contentTooLarge)
  /// 414 URI Too Long
  public static let uriTooLong = Self.clientError(.uriTooLong)
  /// 415 Unsupported Media Type
  public static let unsupportedMediaType = Self.clientError(.unsupportedMediaType)
  /// 416 Range Not Satisfiable
  public static let rangeNotSatisfiable = Self.clientError(.rangeNotSatisfiable)
  /// 417 Expectation Failed
  public static let expectationFailed = Self.clientError(.expectationFailed)
  /// 418 I'm a teapot
  public static let imATeapot = Self.clientError(.imATeapot)
  /// 421 Misdirected Request
  public static let misdirectedRequest = Self.clientError(.misdirectedRequest)
  /// 422 Unprocessable Content
  public static let unprocessableContent = Self.clientError(.unprocessableContent)
  /// 423 Locked
  public static let locked = Self.clientError(.locked)
  /// 424 Failed Dependency
  public static let failedDependency = Self.clientError(.failedDependency)
  /// 425 Too Early
  public static let tooEarly = Self.clientError(.tooEarly)
  /// 426 Upgrade Required
  public static let upgradeRequired = Self.clientError(.upgradeRequired)
  /// 428 Precondition Required
  public static let preconditionRequired = Self.clientError(.preconditionRequired)
  /// 429 Too Many Requests
  public static let tooManyRequests = Self.clientError(.tooManyRequests)
  /// 431 Request Header Fields Too Large
  public static let requestHeaderFieldsTooLarge = Self.clientError(.requestHeaderFieldsTooLarge)
  /// 451 Unavailable For Legal Reasons
  public static let unavailableForLegalReasons = Self.clientError(.unavailableForLegalReasons)
  /// The name of 413 before RFC 9110.
  public static let payloadTooLarge = Self.clientError(.payloadTooLarge)
  /// The name of 422 before RFC 9110.
  public static let unprocessableEntity = Self.clientError(.unprocessableEntity)
}

/// The 5xx statuses by name.
extension HTTP.Status {
  /// 500 Internal Server Error
  public static let internalServerError = Self.serverError(.internalServerError)
  /// 501 Not Implemented
  public static let notImplemented = Self.serverError(.notImplemented)
  /// 502 Bad Gateway
  public static let badGateway = Self.serverError(.badGateway)
  /// 503 Service Unavailable
  public static let serviceUnavailable = Self.serverError(.serviceUnavailable)
  /// 504 Gateway Timeout
  public static let gatewayTimeout = Self.serverError(.gatewayTimeout)
  /// 505 HTTP Version Not Supported
  public static let httpVersionNotSupported = Self.serverError(.httpVersionNotSupported)
  /// 506 Variant Also Negotiates
  public static let variantAlsoNegotiates = Self.serverError(.variantAlsoNegotiates)
  /// 507 Insufficient Storage
  public static let insufficientStorage = Self.serverError(.insufficientStorage)
  /// 508 Loop Detected
  public static let loopDetected = Self.serverError(.loopDetected)
  /// 510 Not Extended
  public static let notExtended = Self.serverError(.notExtended)
  /// 511 Network Authentication Required
  public static let networkAuthenticationRequired = Self.serverError(.networkAuthenticationRequired)
}
