internal import AnvilClient

/// A pool of libcurl handles for reuse. Creating a handle for each request would add 9 to 15 % to the cost of a request.
struct HandlePool {
  /// The maximum number of handles that are kept.
  private static let capacity = 256

  private let settings: SessionSettings
  private let watches: SocketWatches
  private var free: [EasyHandle] = []

  init(configuration: CurlSession.Configuration, watches: SocketWatches) {
    settings = SessionSettings(configuration: configuration)
    self.watches = watches
  }

  /// Returns a handle that is prepared for `transfer`.
  mutating func take(for transfer: Transfer) throws(TransportError) -> EasyHandle {
    if let handle = free.popLast() {
      try handle.prepare(for: transfer)
      return handle
    }
    let handle = try EasyHandle(settings: settings, watches: watches)
    try handle.prepare(for: transfer)
    return handle
  }

  /// Takes back the handle of a transfer that succeeded at the first attempt. Handles of other transfers are not reused. libcurl counts
  /// failures in a handle and finally gives up, and it keeps buffers whose size cannot be changed.
  mutating func give(_ handle: EasyHandle) {
    if free.count < Self.capacity { free.append(handle) }
  }

  mutating func removeAll() {
    free.removeAll()
  }
}
