#if os(Linux)
/// The names and addresses of a server's certificate, in the syntax of OpenSSL: `DNS:localhost,IP:127.0.0.1`.
///
/// Source: RFC 5280 §4.2.1.6, x509v3_config(5).
struct SubjectNames: CustomStringConvertible {
  let description: String

  /// Creates the names of the loopback interface and of `hosts`. Hosts that are neither IP addresses nor DNS names are ignored.
  init(_ hosts: some Sequence<String>) {
    var names = ["DNS:localhost", "IP:127.0.0.1", "IP:::1"]
    var known = Set(names)
    for host in hosts {
      let name = IPAddressText.isValid(host) ? "IP:\(host)" : "DNS:\(host.lowercased())"
      guard name.hasPrefix("IP:") || Self.isName(host), known.insert(name).inserted else { continue }
      names.append(name)
    }
    description = names.joined(separator: ",")
  }

  /// Returns whether `host` has the form of a DNS name. Other characters could have a special meaning in the syntax of OpenSSL. Source: RFC
  /// 1034 §3.5.
  private static func isName(_ host: String) -> Bool {
    guard host.utf8.count <= 253 else { return false }
    return host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
      (1...63).contains(label.count)
        && label.allSatisfy { byte in
          switch byte {
          // An underscore is not valid in a host name, but the names of some servers contain it.
          case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
          default: false
          }
        }
    }
  }
}
#endif
