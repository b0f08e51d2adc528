import Foundation

/// The request that a round repeats.
struct Load: Equatable {
  enum Version: String, CaseIterable {
    /// Without TLS.
    case http1 = "1"
    /// Over TLS.
    case http2 = "2"
  }

  /// The handling of a body: collected in memory before the next request, or discarded as it arrives.
  enum Consumption: String {
    case collect
    case discard
  }

  var url: String
  var version: Version
  var concurrency: Int
  var byteCount: Int
  var consumption: Consumption
  /// The file with the trusted authority.
  var authorities: String

  /// Creates a load of the body of `byteCount` bytes from `server`. Bodies of 10 MB or more are discarded.
  init(server: Server, path: String, byteCount: Int, version: Version, concurrency: Int) {
    url = (version == .http1 ? server.plain : server.secure) + path
    (self.version, self.concurrency, self.byteCount) = (version, concurrency, byteCount)
    consumption = byteCount < 10_000_000 ? .collect : .discard
    authorities = server.authorities
  }
}

extension Load {
  /// The arguments of every contender's process.
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
