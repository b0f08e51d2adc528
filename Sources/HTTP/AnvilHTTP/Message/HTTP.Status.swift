extension HTTP {
  /// The status of a response, grouped by class for use in a `switch`.
  ///
  ///     switch response.status {
  ///     case .success: …
  ///     case .clientError(.notFound): …
  ///     case .serverError(let error): print(error.rawValue)
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
      case Success.acceptedRange: self = .success(Success(rawValue: code))
      case Redirection.acceptedRange: self = .redirection(Redirection(rawValue: code))
      case ClientError.acceptedRange: self = .clientError(ClientError(rawValue: code))
      case ServerError.acceptedRange: self = .serverError(ServerError(rawValue: code))
      default: self = .unknown(code)
      }
    }

    /// The number, as in the status line.
    public var code: Int {
      switch self {
      case .success(let status): status.rawValue
      case .redirection(let status): status.rawValue
      case .clientError(let status): status.rawValue
      case .serverError(let status): status.rawValue
      case .unknown(let code): code
      }
    }

    /// A Boolean value that indicates whether the code is 200–299.
    public var isSuccess: Bool { Success.acceptedRange.contains(code) }
    /// A Boolean value that indicates whether the code is 300–399.
    public var isRedirection: Bool { Redirection.acceptedRange.contains(code) }
    /// A Boolean value that indicates whether the code is 400–499.
    public var isClientError: Bool { ClientError.acceptedRange.contains(code) }
    /// A Boolean value that indicates whether the code is 500–599.
    public var isServerError: Bool { ServerError.acceptedRange.contains(code) }
    /// Whether a response with this status may have a body. Source: RFC 9110 §6.4.1.
    package var allowsContent: Bool { !(100..<200).contains(code) && code != 204 && code != 304 }
  }
}

extension HTTP.Status {
  /// A 2xx code. Codes without a name are also valid: `.success(299)`.
  public struct Success: SuccessNames, RawRepresentable, Hashable, Sendable {
    package static let acceptedRange = 200..<300
    /// The number, as in the status line.
    public let rawValue: Int
    /// Creates the status with the number `rawValue`.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Creates the status with the number `code`.
    public init(code: Int) { rawValue = code }
  }

  /// A 3xx code.
  public struct Redirection: RedirectionNames, RawRepresentable, Hashable, Sendable {
    package static let acceptedRange = 300..<400
    /// The number, as in the status line.
    public let rawValue: Int
    /// Creates the status with the number `rawValue`.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Creates the status with the number `code`.
    public init(code: Int) { rawValue = code }
  }

  /// A 4xx code.
  public struct ClientError: ClientErrorNames, RawRepresentable, Hashable, Sendable {
    package static let acceptedRange = 400..<500
    /// The number, as in the status line.
    public let rawValue: Int
    /// Creates the status with the number `rawValue`.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Creates the status with the number `code`.
    public init(code: Int) { rawValue = code }
  }

  /// A 5xx code.
  public struct ServerError: ServerErrorNames, RawRepresentable, Hashable, Sendable {
    package static let acceptedRange = 500..<600
    /// The number, as in the status line.
    public let rawValue: Int
    /// Creates the status with the number `rawValue`.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Creates the status with the number `code`.
    public init(code: Int) { rawValue = code }
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
  public var reasonPhrase: String? {
    switch code {
    case 100: "Continue"
    case 101: "Switching Protocols"
    case 102: "Processing"
    case 103: "Early Hints"
    case 104: "Upload Resumption Supported"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 203: "Non-Authoritative Information"
    case 204: "No Content"
    case 205: "Reset Content"
    case 206: "Partial Content"
    case 207: "Multi-Status"
    case 208: "Already Reported"
    case 226: "IM Used"
    case 300: "Multiple Choices"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 305: "Use Proxy"
    case 306: "Switch Proxy"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 402: "Payment Required"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 407: "Proxy Authentication Required"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 417: "Expectation Failed"
    case 418: "I'm a teapot"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 423: "Locked"
    case 424: "Failed Dependency"
    case 425: "Too Early"
    case 426: "Upgrade Required"
    case 428: "Precondition Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 451: "Unavailable For Legal Reasons"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    case 506: "Variant Also Negotiates"
    case 507: "Insufficient Storage"
    case 508: "Loop Detected"
    case 510: "Not Extended"
    case 511: "Network Authentication Required"
    default: nil
    }
  }
}
