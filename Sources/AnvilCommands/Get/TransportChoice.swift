internal import Anvil

/// What moves the bytes of `anvil get`, by the name that the command line gives it.
enum TransportChoice: String, Sendable {
  case curl, urlsession

  /// The transport called `name`.
  ///
  /// - Throws: ``UsageError`` for a name that is none, and for a transport that this platform does not have.
  init(_ name: String) throws(UsageError) {
    guard let choice = Self(rawValue: name) else {
      throw UsageError("--transport \(name.quotedExcerpt) is neither curl nor urlsession")
    }
    guard choice.session != nil else {
      throw UsageError("--transport \(name): this tool was built without it; urlsession is there")
    }
    self = choice
  }

  /// The transport; `nil` where the platform does not have it.
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
