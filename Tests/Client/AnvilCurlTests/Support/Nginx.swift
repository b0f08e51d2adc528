import AnvilCurl
import AnvilTesting
import Foundation

/// The nginx that `scripts/with-nginx` has started.
struct Nginx {
  /// The running server, or `nil` if it was not started.
  static let shared = Nginx(ProcessInfo.processInfo.environment)

  let url: URL
  let plainURL: URL
  let authority: URL
  private let environment: [String: String]

  private init?(_ environment: [String: String]) {
    guard let url = environment["ANVIL_NGINX_URL"].flatMap(URL.init(string:)),
      let plainURL = environment["ANVIL_NGINX_HTTP_URL"].flatMap(URL.init(string:)),
      let authority = environment["ANVIL_NGINX_CA"]
    else { return nil }
    self.url = url
    self.plainURL = plainURL
    self.authority = URL(filePath: authority)
    self.environment = environment
  }

  /// A configuration that trusts nginx's authority and no other.
  var configuration: CurlSession.Configuration {
    var configuration = CurlSession.Configuration()
    configuration.tls.trust = .authorities(.file(authority))
    return configuration
  }

  /// The route through nginx to a loopback server.
  var endpoint: TransportContract.Endpoint {
    let names: [(TransportContract.Endpoint.CertificateDefect, String)] = [
      (.wrongHost, "WRONG_HOST"), (.expired, "EXPIRED"), (.selfSigned, "SELF_SIGNED"), (.unknownIssuer, "UNKNOWN_CA"),
    ]
    let untrusted = names.compactMap { distrust, name in
      self["\(name)_URL"].flatMap(URL.init(string:)).map { (distrust, $0) }
    }
    return .through(front: url, untrusted: Dictionary(uniqueKeysWithValues: untrusted))
  }

  /// The environment variable `ANVIL_NGINX_` with the suffix `name`, which the script sets.
  subscript(name: String) -> String? { environment["ANVIL_NGINX_\(name)"] }
}
