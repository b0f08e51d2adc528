#if os(Linux)
internal import COpenSSL

/// An extension of a certificate, in the syntax of OpenSSL. Source: RFC 5280 §4.2, x509v3_config(5).
struct CertificateExtension {
  let identifier: Int32
  let value: String
}

extension [CertificateExtension] {
  /// The extensions of an authority, which issues no other authorities.
  static let authority = [
    CertificateExtension(identifier: NID_basic_constraints, value: "critical,CA:TRUE,pathlen:0"),
    CertificateExtension(identifier: NID_key_usage, value: "critical,keyCertSign,cRLSign"),
    CertificateExtension(identifier: NID_subject_key_identifier, value: "hash"),
  ]

  /// Returns the extensions of a server certificate. `names` is the value of its `subjectAltName` in the syntax of OpenSSL.
  static func server(_ names: String) -> Self {
    [
      CertificateExtension(identifier: NID_basic_constraints, value: "critical,CA:FALSE"),
      CertificateExtension(identifier: NID_key_usage, value: "critical,digitalSignature"),
      CertificateExtension(identifier: NID_ext_key_usage, value: "serverAuth"),
      CertificateExtension(identifier: NID_subject_key_identifier, value: "hash"),
      CertificateExtension(identifier: NID_authority_key_identifier, value: "keyid:always"),
      CertificateExtension(identifier: NID_subject_alt_name, value: names),
    ]
  }
}
#endif
