internal import AnvilBase
internal import AnvilBodies
internal import CCurl

extension EasyHandle {
  /// The time when a new connection of the transfer was established, before the TLS handshake. `nil` until then, and if the transfer reuses
  /// a connection.
  ///
  /// libcurl itself reports a connection only after the TLS handshake, as observed with 7.88.1.
  var connectedAt: UInt64? { opened.lazy.compactMap { self.watches.connectedAt($0) }.first }

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

/// The functions of OpenSSL, or of a library derived from it, which the loaded libcurl uses.
@safe
struct OpenSSL: Sendable {
  /// The type of `SSL_has_pending`, and of `SSL_pending`, which is used if it is missing. Source: openssl/ssl.h, since 1.1.0.
  typealias HasPending = @convention(c) (UnsafeMutableRawPointer) -> Int32

  /// Returns a number other than 0 if a TLS session contains unread bytes.
  let hasPending: HasPending

  /// The library that libcurl uses. `nil` if libcurl uses another TLS library, or if the functions cannot be found.
  static let loaded: OpenSSL? = {
    // Found through libcurl, because a process may contain several OpenSSLs, and a session belongs to one of them.
    guard let libcurl = LoadedLibrary("libcurl.so.4", "libcurl.4.dylib"),
      // Safety: the address is only compared.
      let initializer = unsafe libcurl.function("curl_easy_init", as: UnsafeRawPointer.self),
      unsafe initializer == anvil_curl_initializer(),
      // Safety: both functions have the type in the header. The second one ignores bytes that are still encrypted, and
      // is the only one in some libraries.
      let hasPending = unsafe libcurl.function("SSL_has_pending", as: HasPending.self)
        ?? libcurl.function("SSL_pending", as: HasPending.self)
    else { return nil }
    return unsafe OpenSSL(hasPending: hasPending)
  }()
}

/// Detection of missing descriptors and sockets. libcurl reports them as failures to resolve a name, to read a file or to connect.
enum SocketShortage {
  /// Returns a description of the lack of descriptors if this is the cause of `result`. libcurl needs descriptors to resolve names and to
  /// read the certificate authorities.
  static func reason(for result: CURLcode) -> String? {
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_SSL_CACERT_BADFILE: current.map(words)
    default: nil
    }
  }

  /// Returns a description of the system's error `number` for a socket that could not be created.
  static func words(_ number: Int32) -> String {
    // Safety: strerror returns a NUL-terminated string that is copied at once.
    let text = unsafe String(cString: strerror(number))
    return isShortage(number)
      ? "no file descriptors are left (\(text)): close files and connections, or raise the limit (ulimit -n)"
      : "the system could not create a socket: \(text)"
  }

  /// Returns `true` if the system's error `number` means that no descriptors are left. Other errors concern the kind of socket.
  static func isShortage(_ number: Int32) -> Bool { number == EMFILE || number == ENFILE }

  /// The system's error if no descriptor is available now, otherwise `nil`.
  private static var current: Int32? {
    let descriptor = dup(STDERR_FILENO)
    guard descriptor < 0 else {
      _ = close(descriptor)
      return nil
    }
    let number = errno
    return isShortage(number) ? number : nil
  }
}
