public struct SingleConnectionFailure: Sendable {
  public let error: any Error
}

public struct NIOConnectionError: Error {
  public let host: String
  public let port: Int
  public var dnsAError: (any Error)?
  public var dnsAAAAError: (any Error)?
  public var connectionErrors: [SingleConnectionFailure] = []

  /// Only in the stub: an error without an address, or with a failed connection.
  public init(host: String, port: Int, isUnknownHost: Bool, _ error: any Error) {
    self.host = host
    self.port = port
    dnsAError = isUnknownHost ? error : nil
    if !isUnknownHost { connectionErrors = [SingleConnectionFailure(error: error)] }
  }
}
