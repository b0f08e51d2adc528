internal import CCurl

/// The OpenSSL, or a library derived from it, that the loaded libcurl uses.
@safe
struct OpenSSL: Sendable {
  /// `SSL_has_pending`. Source: openssl/ssl.h, since 1.1.0.
  typealias HasPending = @convention(c) (UnsafeMutableRawPointer) -> Int32

  /// Returns a number other than 0 where a TLS session holds bytes that were not read.
  let hasPending: HasPending

  /// The library; `nil` if libcurl uses another one, or its functions cannot be found.
  static let loaded: OpenSSL? = {
    // Found by way of libcurl: a process may have more than one OpenSSL, and a session is of one of them.
    guard let libcurl = LoadedLibrary("libcurl.so.4", "libcurl.4.dylib"),
      // Safety: the address is only compared.
      let initializer = unsafe libcurl.function("curl_easy_init", as: UnsafeRawPointer.self),
      unsafe initializer == anvil_curl_initializer(),
      // Safety: the type is that of the header, for both. The second leaves out bytes that are still encrypted, and is all
      // that some libraries have.
      let hasPending = unsafe libcurl.function("SSL_has_pending", as: HasPending.self)
        ?? libcurl.function("SSL_pending", as: HasPending.self)
    else { return nil }
    return unsafe OpenSSL(hasPending: hasPending)
  }()
}
