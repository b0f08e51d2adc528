extension HTTP {
  /// The status of a response, grouped by class for use in a `switch`.
  ///
  ///     switch response.status {
  ///     case .success: …
  ///     case .clientError(.notFound): …
  ///     case .serverError(let error): print(error.code)
  ///     default: …
  ///     }
  ///
  /// The codes that are in use also have a shorthand: `response.status == .ok`. All can be written as numbers.
  ///
  /// Source: RFC 9110 §15.
  public enum Status: Hashable, Sendable {
    /// 200–299
    case success(Success)
    /// 300–399
    case redirection(Redirection)
    /// 400–499
    case clientError(ClientError)
    /// 500–599
    case serverError(ServerError)
    /// Any other code, including the informational 1xx codes.
    case unknown(Int)

    /// Creates the status with the number `code`. Any integer is accepted.
    public init(code: Int) {
      switch code {
      case Success.acceptedRange: self = .success(Success(code: code))
      case Redirection.acceptedRange: self = .redirection(Redirection(code: code))
      case ClientError.acceptedRange: self = .clientError(ClientError(code: code))
      case ServerError.acceptedRange: self = .serverError(ServerError(code: code))
      default: self = .unknown(code)
      }
    }

    /// The number, as in the status line.
    public var code: Int {
      switch self {
      case .success(let status): status.code
      case .redirection(let status): status.code
      case .clientError(let status): status.code
      case .serverError(let status): status.code
      case .unknown(let code): code
      }
    }

    /// A Boolean value that indicates whether the code is 200–299.
    public var isSuccess: Bool { Success.acceptedRange.contains(code) }
    /// A Boolean value that indicates whether the code is 300–399.
    package var isRedirection: Bool { Redirection.acceptedRange.contains(code) }
    /// A Boolean value that indicates whether the code is 400–499.
    package var isClientError: Bool { ClientError.acceptedRange.contains(code) }
    /// Whether a response with this status may have a body. Source: RFC 9110 §6.4.1.
    package var allowsContent: Bool { !(100..<200).contains(code) && code != 204 && code != 304 }
  }
}

extension HTTP.Status {
  /// A 2xx code. Codes without a name are also valid: `.success(299)`.
  public struct Success: SuccessNames, Hashable, Sendable {
    package static let acceptedRange = 200..<300
    /// The number, as in the status line.
    public let code: Int
    /// Creates the status with the number `code`.
    public init(code: Int) { self.code = code }
  }

  /// A 3xx code.
  public struct Redirection: RedirectionNames, Hashable, Sendable {
    package static let acceptedRange = 300..<400
    /// The number, as in the status line.
    public let code: Int
    /// Creates the status with the number `code`.
    public init(code: Int) { self.code = code }
  }

  /// A 4xx code.
  public struct ClientError: ClientErrorNames, Hashable, Sendable {
    package static let acceptedRange = 400..<500
    /// The number, as in the status line.
    public let code: Int
    /// Creates the status with the number `code`.
    public init(code: Int) { self.code = code }
  }

  /// A 5xx code.
  public struct ServerError: ServerErrorNames, Hashable, Sendable {
    package static let acceptedRange = 500..<600
    /// The number, as in the status line.
    public let code: Int
    /// Creates the status with the number `code`.
    public init(code: Int) { self.code = code }
  }
}

extension HTTP.Status: HTTP.Status.SuccessNames, HTTP.Status.RedirectionNames, HTTP.Status.ClientErrorNames,
  HTTP.Status.ServerErrorNames
{}

extension HTTP.Status: CustomStringConvertible {
  /// The number and, for a registered code, its reason phrase: `404 Not Found`.
  public var description: String {
    reasonPhrase.map { "\(code) \($0)" } ?? "\(code)"
  }
}

extension HTTP.Status {
  /// The registered phrase of this code, such as `Not Found`; `nil` for an unregistered code.
  ///
  /// The phrase in the server's status line is discarded: RFC 9110 §15.1 recommends that clients ignore it, and HTTP/2
  /// does not have one.
  package var reasonPhrase: String? { Self.phrases[code] }

  private static let phrases = [
    100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
    104: "Upload Resumption Supported", 200: "OK", 201: "Created", 202: "Accepted",
    203: "Non-Authoritative Information", 204: "No Content", 205: "Reset Content", 206: "Partial Content",
    207: "Multi-Status", 208: "Already Reported", 226: "IM Used", 300: "Multiple Choices", 301: "Moved Permanently",
    302: "Found", 303: "See Other", 304: "Not Modified", 305: "Use Proxy", 306: "Switch Proxy",
    307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
    402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
    407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
    411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
    415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed", 418: "I'm a teapot",
    421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked", 424: "Failed Dependency",
    425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
    431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons", 500: "Internal Server Error",
    501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    505: "HTTP Version Not Supported", 506: "Variant Also Negotiates", 507: "Insufficient Storage",
    508: "Loop Detected", 510: "Not Extended", 511: "Network Authentication Required",
  ]
}
