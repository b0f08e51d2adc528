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
  /// Every registered status also has a shorthand: `response.status == .ok`.
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
  }
}

extension HTTP.Status {
  /// A 2xx code. Codes without a name are also valid: `.success(299)`.
  public struct Success: SuccessNames, RawRepresentable, Hashable, Sendable {
    /// The codes of this class.
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
    /// The codes of this class.
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
    /// The codes of this class.
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
    /// The codes of this class.
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
