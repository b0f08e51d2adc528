#if os(Linux)
internal import AnvilBase
internal import AnvilSchema
package import AnvilServer
internal import COpenSSL

/// A certificate authority for servers on loopback. It has a new key, which is never written to a file, and so ends with the process.
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

  /// Returns the encryption of a server by TLS 1.2 or 1.3, with a new certificate for the loopback interface and `hosts`: names and IP
  /// addresses, of which others, and those beyond ``maximumHosts``, are ignored.
  package func security(for hosts: [String] = []) throws(OpenSSLError) -> any ConnectionSecurity {
    try TLSContext(
      Certificate(
        name: "localhost", extensions: .server(SubjectNames(hosts.prefix(Self.maximumHosts)).description), issuer: root)
    )
  }
}

/// An error of OpenSSL, for example if there is not enough memory.
package struct OpenSSLError: Error, CustomStringConvertible {
  let operation: String
  let reason: String

  package var description: String { "\(operation): \(reason)" }
}

/// The names of a server's certificate: `DNS:localhost,IP:127.0.0.1`. Source: RFC 5280 §4.2.1.6, x509v3_config(5).
struct SubjectNames: CustomStringConvertible {
  let description: String

  /// Creates the names of the loopback interface and of `hosts`. Hosts that are neither IP addresses nor DNS names are ignored.
  init(_ hosts: some Sequence<String>) {
    var names = ["DNS:localhost", "IP:127.0.0.1", "IP:::1"]
    var known = Set(names)
    for host in hosts {
      let isAddress = host.utf8.isIPv4Address || host.utf8.isIPv6Address
      let name = isAddress ? "IP:\(host)" : "DNS:\(host.lowercased())"
      guard name.hasPrefix("IP:") || Self.isName(host), known.insert(name).inserted else { continue }
      names.append(name)
    }
    description = names.joined(separator: ",")
  }

  /// Other characters could have a special meaning to OpenSSL. An underscore is not valid in a host name, but some servers have one.
  private static func isName(_ host: String) -> Bool {
    StringFormat.hostname.matches(host.replacing("_", with: "x"))
  }
}

/// The extensions of a certificate by their identifiers, in the syntax of OpenSSL. Source: RFC 5280 §4.2, x509v3_config(5).
typealias CertificateExtensions = KeyValuePairs<Int32, String>

extension CertificateExtensions {
  /// The extensions of an authority, which issues no other authorities.
  static let authority: Self = [
    NID_basic_constraints: "critical,CA:TRUE,pathlen:0",
    NID_key_usage: "critical,keyCertSign,cRLSign",
    NID_subject_key_identifier: "hash",
  ]

  /// Returns the extensions of a server certificate. `names` is the value of its `subjectAltName` in the syntax of OpenSSL.
  static func server(_ names: String) -> Self {
    [
      NID_basic_constraints: "critical,CA:FALSE",
      NID_key_usage: "critical,digitalSignature",
      NID_ext_key_usage: "serverAuth",
      NID_subject_key_identifier: "hash",
      NID_authority_key_identifier: "keyid:always",
      NID_subject_alt_name: names,
    ]
  }
}
#endif
