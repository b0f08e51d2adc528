import Foundation
import Rounds

/// The nginx of `scripts/with-nginx`, from its environment variables.
struct Server {
  /// HTTP/1.1 without TLS.
  let plain: String
  /// HTTP/2 over TLS.
  let secure: String
  /// The file with the authority that signed the server's certificate.
  let authorities: String

  init(environment: [String: String] = ProcessInfo.processInfo.environment) throws {
    guard let plain = environment["ANVIL_NGINX_HTTP_URL"], let secure = environment["ANVIL_NGINX_URL"],
      let authorities = environment["ANVIL_NGINX_CA"]
    else {
      throw BenchmarkError("there is no server: run Benchmarks/measure-transport, or scripts/with-nginx with this")
    }
    (self.plain, self.secure, self.authorities) = (plain, secure, authorities)
  }
}
