#if os(Linux)
internal import COpenSSL

/// An X.509 certificate with its private key on the curve P-256, both only in memory.
///
/// Safety: the two pointers are valid and owned until `deinit`, and are used by one thread, as the type is not Sendable.
@safe
final class Certificate {
  private static let lifetime = 7 * 86_400
  /// The time in seconds by which the validity begins before the certificate is created, so that clients with a slow clock accept the
  /// certificate.
  private static let tolerance = 3600

  @unsafe let certificate: OpaquePointer
  @unsafe let key: OpaquePointer

  /// Creates a certificate with a new key, signed by `issuer`, or self-signed if `issuer` is `nil`.
  init(name: String, extensions: [CertificateExtension], issuer: Certificate?) throws(OpenSSLError) {
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
    for item in extensions { try add(item, issuer: issuer) }
    try unsafe OpenSSLError.check("X509_sign", X509_sign(certificate, issuer.key, EVP_sha256()) > 0)
  }

  deinit {
    unsafe X509_free(certificate)
    unsafe EVP_PKEY_free(key)
  }

  /// Returns the certificate, without its key, as PEM text.
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

  private func add(_ item: CertificateExtension, issuer: Certificate) throws(OpenSSLError) {
    var context = unsafe X509V3_CTX()
    // Safety: both certificates live until the function returns, after which nothing refers to the context. The certificate copies the
    // extension.
    unsafe X509V3_set_ctx(&context, issuer.certificate, certificate, nil, nil, 0)
    guard let encoded = unsafe X509V3_EXT_conf_nid(nil, &context, item.identifier, item.value) else {
      throw .latest("X509V3_EXT_conf_nid")
    }
    defer { unsafe X509_EXTENSION_free(encoded) }
    try unsafe OpenSSLError.check("X509_add_ext", X509_add_ext(certificate, encoded, -1) == 1)
  }
}
#endif
