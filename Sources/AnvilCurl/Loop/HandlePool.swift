internal import AnvilClient

/// Handles that were used and can be again. One that is made for each request costs 9 to 15 % of it.
struct HandlePool {
  /// How many are kept.
  private static let capacity = 256

  private let settings: SessionSettings
  private let watches: SocketWatches
  private var free: [EasyHandle] = []

  init(configuration: CurlSession.Configuration, watches: SocketWatches) {
    settings = SessionSettings(configuration: configuration)
    self.watches = watches
  }

  mutating func take() throws(TransportError) -> EasyHandle {
    if let handle = free.popLast() { return handle }
    return try EasyHandle(settings: settings, watches: watches)
  }

  /// - Parameter isClean: whether the transfer went well. libcurl counts in the handle what did not, and gives up at last.
  mutating func give(_ handle: EasyHandle, isClean: Bool) {
    if !isClean { handle.isClean = false }
    if free.count < Self.capacity { free.append(handle) }
  }

  mutating func removeAll() {
    free.removeAll()
  }
}
