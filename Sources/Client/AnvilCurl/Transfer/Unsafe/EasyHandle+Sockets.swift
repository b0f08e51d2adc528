internal import CCurl

/// The connection of the transfer.
extension EasyHandle {
  /// The time when a new connection of the transfer was established, before the TLS handshake. `nil` until then, and if the transfer reuses
  /// a connection.
  ///
  /// libcurl itself reports a connection only after the TLS handshake, as observed with 7.88.1.
  var connectedAt: UInt64? { opened.lazy.compactMap { self.watches.connectedAt($0) }.first }

  /// True if a socket was opened for the transfer.
  var hasOpened: Bool { !opened.isEmpty }

  func noteOpened(_ descriptor: Int32) {
    if let opening = watches.adopt(descriptor) { opened.append(opening) }
  }

  /// Records that libcurl stops watching a socket. Returns `true` if the transfer on it has received its head and is not paused. A paused
  /// transfer may end without libcurl reading the socket again.
  static func noteWatchEnd(_ easy: UnsafeMutableRawPointer?, of descriptor: Int32) -> Bool {
    var context: UnsafeMutableRawPointer?
    // Safety: the handle is live. Its pointer is null for libcurl's internal handles, and otherwise set by `setUp`.
    guard let easy = unsafe easy, unsafe anvil_curl_info_private(easy, &context) == CURLE_OK,
      let context = unsafe context
    else { return false }
    let isOver = unsafe withTransfer(context) { $0.isSettled } ?? false
    // Safety: as above.
    unsafe Unmanaged<EasyHandle>.fromOpaque(context)._withUnsafeGuaranteedRef {
      $0.parked = isOver ? nil : $0.watches.opening(of: descriptor)
    }
    return isOver
  }

  /// Marks the connection as idle if libcurl stopped watching its socket while the transfer was paused. Called after a successful transfer.
  func markIdle() {
    if let parked = parked.take() { watches.markIdle(parked) }
  }

  /// True if the TLS library has bytes of the connection that libcurl has not read.
  ///
  /// Such bytes are no longer on the socket, so they cannot be detected there. Use this only while the transfer is on its connection.
  var hasUnreadTLSInput: Bool {
    // Safety: the handle is live, and the session lives while the transfer is on its connection.
    guard let session = unsafe anvil_curl_openssl_session(easy) else { return false }
    return unsafe OpenSSL.loaded?.hasPending(session) ?? 0 != 0
  }
}
