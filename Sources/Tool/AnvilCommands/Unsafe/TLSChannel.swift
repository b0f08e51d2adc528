#if os(Linux)
internal import AnvilBase
internal import AnvilServer
internal import COpenSSL

/// The server's side of TLS on one connection. OpenSSL reads and writes buffers in memory: it would write to a socket without
/// `MSG_NOSIGNAL`, and a write to a client that has disconnected would then end the process by SIGPIPE.
///
/// Safety: the pointers are valid and owned until `deinit`, and are used by one thread, as the type is not Sendable.
@safe
final class TLSChannel: SecureChannel {
  /// The maximum length of an encrypted record, rounded up. Source: RFC 5246 §6.2.3.
  private static let recordSize = 20 << 10
  /// The maximum number of bytes that are encrypted by one call.
  private static let partSize = 64 << 10

  @unsafe private let session: OpaquePointer
  /// The buffer with the received bytes that OpenSSL has not read yet.
  @unsafe private let input: OpaquePointer
  /// The buffer to which OpenSSL writes the bytes to be sent.
  @unsafe private let output: OpaquePointer
  private var isComplete = false
  private var hasFailed = false

  /// Creates the channel of a connection. Returns `nil` if there is not enough memory. The session keeps a reference to `context`.
  @unsafe
  init?(_ context: OpaquePointer) {
    guard let session = unsafe SSL_new(context) else { return nil }
    guard let input = unsafe BIO_new(BIO_s_mem()) else {
      unsafe SSL_free(session)
      return nil
    }
    guard let output = unsafe BIO_new(BIO_s_mem()) else {
      unsafe BIO_free(input)
      unsafe SSL_free(session)
      return nil
    }
    // Safety: the session owns the buffers from here on, and frees them with itself.
    unsafe SSL_set_bio(session, input, output)
    unsafe SSL_set_accept_state(session)
    unsafe self.session = session
    unsafe self.input = input
    unsafe self.output = output
  }

  deinit {
    unsafe SSL_free(session)
  }

  func handshake(_ received: [UInt8]) -> HandshakeProgress {
    append(received)
    guard !hasFailed else { return .failed }
    ERR_clear_error()
    let result = unsafe SSL_do_handshake(session)
    isComplete = result == 1
    if isComplete { return .complete }
    if unsafe SSL_get_error(session, result) == SSL_ERROR_WANT_READ { return .incomplete }
    hasFailed = true
    return .failed
  }

  func decrypt(_ received: [UInt8]) -> Decryption {
    append(received)
    var result: Int32 = 0
    ERR_clear_error()
    // The content of the new bytes, and of a record that they complete, fits. Safety: OpenSSL writes at most the rest of the buffer, and
    // as many bytes are initialised as were written.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: received.count + Self.recordSize) { buffer, count in
      while count < buffer.count {
        result = unsafe SSL_read(session, buffer.baseAddress.map { unsafe $0 + count }, Int32(buffer.count - count))
        guard result > 0 else { break }
        count += Int(result)
      }
    }
    guard !hasFailed, result <= 0 else { return Decryption(bytes: bytes, isEnd: hasFailed) }
    switch unsafe SSL_get_error(session, result) {
    case SSL_ERROR_WANT_READ:
      return Decryption(bytes: bytes, isEnd: false)
    case SSL_ERROR_ZERO_RETURN:
      return Decryption(bytes: bytes, isEnd: true)
    default:
      hasFailed = true
      return Decryption(bytes: bytes, isEnd: true)
    }
  }

  func encrypt(_ data: Data) -> Int? {
    guard !hasFailed else { return nil }
    let part = data.prefix(Self.partSize)
    guard !part.isEmpty else { return 0 }
    ERR_clear_error()
    // Safety: the buffer is the data's own for the length of the call, which reads at most its count.
    let result = unsafe part.withUnsafeBytes { unsafe SSL_write(session, $0.baseAddress, Int32($0.count)) }
    guard result > 0 else {
      hasFailed = true
      return nil
    }
    return Int(result)
  }

  func close() {
    guard isComplete, !hasFailed else { return }
    ERR_clear_error()
    _ = unsafe SSL_shutdown(session)
  }

  func takeOutput() -> Data {
    let count = unsafe BIO_ctrl_pending(output)
    guard count > 0 else { return Data() }
    var data = Data(count: count)
    // Safety: the buffer is the data's own for the length of the call, which writes at most its count.
    let taken = unsafe data.withUnsafeMutableBytes { unsafe BIO_read(output, $0.baseAddress, Int32($0.count)) }
    return data.prefix(max(0, Int(taken)))
  }

  private func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    // Safety: the bytes are copied during the call. The buffer in memory takes all of them, or none if there is no memory.
    let count = unsafe bytes.withUnsafeBytes { unsafe BIO_write(input, $0.baseAddress, Int32($0.count)) }
    if Int(count) != bytes.count { hasFailed = true }
  }
}

/// An X.509 certificate with its private key on the curve P-256, both only in memory.
///
/// Safety: the two pointers are valid and owned until `deinit`, and are used by one thread, as the type is not Sendable.
@safe
final class Certificate {
  private static let lifetime = 7 * 86_400
  /// The validity begins this number of seconds before now, so that clients with a slow clock accept the certificate.
  private static let tolerance = 3600

  @unsafe let certificate: OpaquePointer
  @unsafe let key: OpaquePointer

  /// Creates a certificate with a new key, signed by `issuer`, or self-signed if `issuer` is `nil`.
  init(name: String, extensions: CertificateExtensions, issuer: Certificate?) throws(OpenSSLError) {
    guard let key = unsafe anvil_openssl_new_key() else { throw .latest("EVP_EC_gen") }
    guard let certificate = unsafe X509_new() else {
      unsafe EVP_PKEY_free(key)
      throw .latest("X509_new")
    }
    // From here on `deinit` frees both, also when an error is thrown.
    unsafe self.key = key
    unsafe self.certificate = certificate
    let issuer = issuer ?? self
    // Safety: the names and times that are set belong to the certificate, and what is passed is only read and copied.
    try unsafe OpenSSLError.check("X509_set_version", X509_set_version(certificate, Int(X509_VERSION_3)) == 1)
    try unsafe OpenSSLError.check(
      "ASN1_INTEGER_set_uint64",
      ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), .random(in: 1 ... .max)) == 1)
    try unsafe OpenSSLError.check(
      "X509_gmtime_adj",
      X509_gmtime_adj(X509_getm_notBefore(certificate), -Self.tolerance) != nil
        && X509_gmtime_adj(X509_getm_notAfter(certificate), Self.lifetime) != nil)
    try unsafe OpenSSLError.check(
      "X509_NAME_add_entry_by_txt",
      X509_NAME_add_entry_by_txt(
        X509_get_subject_name(certificate), "CN", MBSTRING_FLAG, name, Int32(name.utf8.count), -1, 0) == 1)
    try unsafe OpenSSLError.check(
      "X509_set_issuer_name",
      X509_set_issuer_name(certificate, X509_get_subject_name(issuer.certificate)) == 1)
    try unsafe OpenSSLError.check("X509_set_pubkey", X509_set_pubkey(certificate, key) == 1)
    for (identifier, value) in extensions { try add(identifier, value, issuer: issuer) }
    try unsafe OpenSSLError.check("X509_sign", X509_sign(certificate, issuer.key, EVP_sha256()) > 0)
  }

  deinit {
    unsafe X509_free(certificate)
    unsafe EVP_PKEY_free(key)
  }

  func pem() throws(OpenSSLError) -> String {
    guard let memory = unsafe BIO_new(BIO_s_mem()) else { throw .latest("BIO_new") }
    defer { unsafe BIO_free(memory) }
    try unsafe OpenSSLError.check("PEM_write_bio_X509", PEM_write_bio_X509(memory, certificate) == 1)
    // Safety: at most as many bytes are written as the buffer has, and as many are initialised as were written.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: BIO_ctrl_pending(memory)) { buffer, count in
      count = max(0, Int(unsafe BIO_read(memory, buffer.baseAddress, Int32(buffer.count))))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func add(_ identifier: Int32, _ value: String, issuer: Certificate) throws(OpenSSLError) {
    var context = unsafe X509V3_CTX()
    // Safety: both certificates live until the function returns, after which nothing refers to the context. The certificate copies the
    // extension.
    unsafe X509V3_set_ctx(&context, issuer.certificate, certificate, nil, nil, 0)
    guard let encoded = unsafe X509V3_EXT_conf_nid(nil, &context, identifier, value) else {
      throw .latest("X509V3_EXT_conf_nid")
    }
    defer { unsafe X509_EXTENSION_free(encoded) }
    try unsafe OpenSSLError.check("X509_add_ext", X509_add_ext(certificate, encoded, -1) == 1)
  }
}

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

extension OpenSSLError {
  /// Returns an error for `operation`, which has just failed on this thread, and clears the thread's errors.
  static func latest(_ operation: String) -> Self {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    // Safety: the string is a constant of the library or nil, and is copied at once.
    let reason = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) }
    return Self(operation: operation, reason: reason ?? "unknown reason")
  }

  static func check(_ operation: String, _ succeeded: Bool) throws(Self) {
    guard succeeded else { throw latest(operation) }
  }
}
#endif
