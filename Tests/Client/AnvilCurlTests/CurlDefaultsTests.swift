import AnvilCurl
import AnvilTestSupport
import Foundation
import Testing

/// The rows of the guide's table of defaults that are settings of a `CurlSession`.
@Suite struct CurlDefaultsTests {
  @Test func theTableHasTheValuesOfTheCode() throws {
    let rows = try Checkout.guide("ClientBehaviour").split(separator: "\n").filter { $0.hasPrefix("| ") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    let prefix = "`CurlSession."
    let found = Dictionary(
      rows.filter { $0.count == 3 && $0[2].hasPrefix(prefix) }.map {
        ($0[2].dropFirst(prefix.count).dropLast().replacing("Configuration.", with: ""), $0[1])
      },
      uniquingKeysWith: { first, _ in first })
    let configuration = CurlSession.Configuration()
    let (timeouts, connections) = (configuration.timeouts, configuration.connections)
    guard case .automatic(let decompression) = configuration.decompression else {
      Issue.record("bodies are not decompressed by default")
      return
    }
    func seconds(_ duration: Duration?) -> String { duration.map { "\(Int($0 / .seconds(1))) s" } ?? "no limit" }
    #expect(
      found == [
        "timeouts.connect": seconds(timeouts.connect), "timeouts.tls": seconds(timeouts.tls),
        "headSizeLimit": "\(configuration.headSizeLimit) bytes", "connections.perHost": "\(connections.perHost)",
        "connections.perMultiplexedHost": "\(connections.perMultiplexedHost)",
        "DecompressionLimits(size:)": "\(decompression.size) bytes",
        "DecompressionLimits(ratio:)": "\(decompression.ratio)",
        "connections.total": "\(connections.total)",
        "connections.idle": "\(connections.idle)", "connections.idleLifetime": seconds(connections.idleLifetime),
      ])
  }
}
