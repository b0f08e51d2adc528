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

  /// A handle that is prepared for `transfer`.
  mutating func take(for transfer: Transfer) throws(TransportError) -> EasyHandle {
    if let handle = free.popLast() {
      try handle.prepare(for: transfer)
      return handle
    }
    let handle = try EasyHandle(settings: settings, watches: watches)
    try handle.prepare(for: transfer)
    return handle
  }

  /// Takes back the handle of a transfer that went well at once. One of another is of no use: libcurl counts in it what went wrong and
  /// gives up at last, and keeps buffers that forbid to set their size.
  mutating func give(_ handle: EasyHandle) {
    if free.count < Self.capacity { free.append(handle) }
  }

  mutating func removeAll() {
    free.removeAll()
  }
}
