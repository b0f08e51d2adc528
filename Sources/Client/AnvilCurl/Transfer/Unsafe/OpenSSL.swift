internal import CCurl

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
