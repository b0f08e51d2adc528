#if os(Linux)
package import AnvilServer

/// A certificate authority that exists only in memory, for servers on loopback.
///
/// Each instance has a new key. Private keys are never written to a file. After this process has ended, the authority can therefore not
/// issue further certificates.
package final class CertificateAuthority {
  /// The maximum number of hosts in a certificate. Clients may reject a larger certificate.
  package static let maximumHosts = 1000

  /// The self-signed certificate of the authority, as PEM text. It is valid for a week.
  package let certificate: String

  private let root: Certificate

  /// Creates an authority with a new key on the curve P-256.
  package init() throws(OpenSSLError) {
    // The name is unique, so that a browser that has several authorities keeps them apart.
    let number = String(UInt32.random(in: 0 ... .max), radix: 16)
    root = try Certificate(name: "Anvil throw-away authority \(number)", extensions: .authority, issuer: nil)
    certificate = try root.pem()
  }

  /// Returns the encryption of a server by TLS 1.2 or 1.3. Its certificate is new, and valid for the loopback interface and `hosts`.
  ///
  /// - Parameter hosts: Names and IP addresses. Other texts, and hosts beyond ``maximumHosts``, are ignored.
  package func security(for hosts: [String] = []) throws(OpenSSLError) -> any ConnectionSecurity {
    try TLSContext(
      Certificate(
        name: "localhost", extensions: .server(SubjectNames(hosts.prefix(Self.maximumHosts)).description), issuer: root)
    )
  }
}

/// An error of OpenSSL, for example if there is not enough memory.
package struct OpenSSLError: Error, CustomStringConvertible {
  /// The function that failed.
  let operation: String
  let reason: String

  package var description: String { "\(operation): \(reason)" }
}
#endif
