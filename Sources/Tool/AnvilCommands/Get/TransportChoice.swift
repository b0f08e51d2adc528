internal import Anvil
internal import AnvilURLSession

/// The transports of `anvil get`, by their names on the command line.
enum TransportChoice: String, Sendable {
  case curl, urlsession

  /// Creates the choice with this name.
  ///
  /// - Throws: ``UsageError`` for an unknown name, and for a transport that this platform does not have.
  init(_ name: String) throws(UsageError) {
    guard let choice = Self(rawValue: name) else {
      throw UsageError("--transport \(name.quotedExcerpt) is neither curl nor urlsession")
    }
    guard choice.session != nil else {
      throw UsageError("--transport \(name): this tool was built without this transport; use urlsession")
    }
    self = choice
  }

  /// The transport, or `nil` if the platform does not have it.
  var session: (any TransportSession)? {
    switch self {
    case .curl:
      #if os(Linux)
      CurlSession.shared
      #else
      nil
      #endif
    case .urlsession: URLTransportSession.shared
    }
  }
}
