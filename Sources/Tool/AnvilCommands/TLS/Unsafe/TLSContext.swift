#if os(Linux)
internal import AnvilServer
internal import COpenSSL

/// The settings of servers that use TLS: a certificate, TLS 1.2 or newer, and HTTP/1.1.
///
/// Safety: the pointer is valid and owned until `deinit`. Sendable, because the context does not change after the initializer, and
/// OpenSSL counts its references and locks its shared state itself. Source: openssl-threads(7).
@safe
final class TLSContext: ConnectionSecurity, @unchecked Sendable {
  @unsafe private let context: OpaquePointer

  init(_ certificate: Certificate) throws(OpenSSLError) {
    guard let context = unsafe SSL_CTX_new(TLS_server_method()) else { throw .latest("SSL_CTX_new") }
    unsafe self.context = context
    // Safety: the context takes references to the certificate and the key; the other calls pass numbers and constants.
    try unsafe OpenSSLError.check(
      "SSL_CTX_use_certificate", SSL_CTX_use_certificate(context, certificate.certificate) == 1)
    try unsafe OpenSSLError.check("SSL_CTX_use_PrivateKey", SSL_CTX_use_PrivateKey(context, certificate.key) == 1)
    try unsafe OpenSSLError.check(
      "SSL_CTX_set_min_proto_version",
      SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil) == 1)
    // No cache is needed, because sessions are resumed by tickets, which clients keep.
    _ = unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
    unsafe anvil_openssl_refuse_renegotiation(context)
    unsafe anvil_openssl_offer_http1(context)
  }

  deinit {
    unsafe SSL_CTX_free(context)
  }

  func makeChannel() -> sending (any SecureChannel)? {
    unsafe TLSChannel(context)
  }
}
#endif
