import Foundation

/// What a round has the server asked for, over and over.
struct Load: Equatable {
  enum Version: String, CaseIterable {
    /// Without TLS.
    case http1 = "1"
    /// Over TLS.
    case http2 = "2"
  }

  /// Whether a body is whole in memory before the next request, or thrown away as it comes.
  enum Consumption: String {
    case collect
    case discard
  }

  var url: String
  var version: Version
  var concurrency: Int
  var byteCount: Int
  var consumption: Consumption
  /// The file with the authority to trust.
  var authorities: String

  /// The body of `byteCount` bytes of `server`; from 10 MB on it is thrown away.
  init(server: Server, path: String, byteCount: Int, version: Version, concurrency: Int) {
    url = (version == .http1 ? server.plain : server.secure) + path
    (self.version, self.concurrency, self.byteCount) = (version, concurrency, byteCount)
    consumption = byteCount < 10_000_000 ? .collect : .discard
    authorities = server.authorities
  }
}

extension Load {
  /// As every contender's process is told.
  var arguments: [String] {
    [url, version.rawValue, "\(concurrency)", "\(byteCount)", consumption.rawValue, authorities]
  }

  init(arguments: [String]) throws {
    guard arguments.count == 6, let version = Version(rawValue: arguments[1]), let concurrency = Int(arguments[2]),
      let byteCount = Int(arguments[3]), let consumption = Consumption(rawValue: arguments[4])
    else { throw LoadError.unreadable(arguments) }
    (url, self.version, self.concurrency, self.byteCount) = (arguments[0], version, concurrency, byteCount)
    (self.consumption, authorities) = (consumption, arguments[5])
  }
}

enum LoadError: Error {
  case unreadable([String])
  case unexpected(status: Int, byteCount: Int)
}
