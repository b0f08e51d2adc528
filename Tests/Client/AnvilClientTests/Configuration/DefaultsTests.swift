import AnvilHTTP
import AnvilTestSupport
import Foundation
import Testing

@testable import AnvilClient

/// The guide's table of defaults has the values of the code.
@Suite struct DefaultsTests {
  private func seconds(_ duration: Duration?) -> String {
    guard let duration else { return "no limit" }
    let seconds = duration / .seconds(1)
    return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
  }

  @Test func theTableHasTheValuesOfTheCode() throws {
    let text = try Checkout.guide("ClientBehaviour")
    let section = try #require(
      text.components(separatedBy: "## Look up a default\n").last?.components(separatedBy: "\n## ").first)
    let found = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2).map {
      $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }.filter { !$0[2].hasPrefix("`CurlSession") }  // tested with that module
    let (settings, retries, backoff, download) = (
      RequestSettings(), RetryPolicy(), ExponentialBackoff(), DownloadOptions()
    )
    let expected = [
      "`timeout`": seconds(RequestSettings.defaultTimeout), "`deadline`": seconds(settings.deadline),
      "`idleTimeout`": seconds(settings.idleTimeout),
      "`DownloadOptions.idleTimeout`": seconds(DownloadOptions.defaultIdleTimeout),
      "`sizeLimit`": "\(RequestSettings.defaultSizeLimit) bytes",
      "`RetryPolicy.attemptLimit`": "\(retries.attemptLimit)",
      "`RetryPolicy.retryAfterLimit`": seconds(retries.retryAfterLimit),
      "`ExponentialBackoff(base:)`": seconds(backoff.base),
      "`ExponentialBackoff(delayLimit:)`": seconds(backoff.delayLimit),
      "`redirects`": "\(FollowUpLimit.standard)",
      "recoveries of a call by `recovering`": "\(BackendService.maximumRecoveries)",
      "refreshes of a token within \(TokenMachine.windowSeconds) s": "\(TokenMachine.limit)",
      "size of a `Cookie` field": "\(CookieInterceptor.fieldLimit) bytes",
      "name and value of a cookie": "\(SetCookie.sizeLimit) bytes",
      "lifetime of a cookie that a server sets": "\(SetCookie.ageLimit / 86_400) days",
      "cookies of a domain": "\(CookieStore.domainLimit)", "cookies of a jar": "\(CookieStore.totalLimit)",
      "`URLForm.Decoder(depthLimit:)`": try argument("depthLimit: Int = ", of: "init(dates:"),
      "`URLForm.Decoder(pairLimit:)`":
        try argument("pairLimit: Int = ", of: "init(dates:").replacing("_", with: ""),
      "`pageLimit:`": try argument("pageLimit: Int = ", of: "func pages<Value>(") == ".max" ? "no limit" : "",
      "size of a response that identical requests share": "\(SharingInterceptor.defaultBodyLimit) bytes",
      "size of a failure's body that is kept for a stream or a download":
        "\(TransportService.streamedFailureLimit) bytes",
      "shortest time before events that a server can set": seconds(EventSourceMachine.shortestReconnectionTime),
      "longest time before events that a server can set": seconds(EventSourceMachine.longestReconnectionTime),
      "time without an event after which a connection counts as successful": seconds(EventSourceMachine.provenTime),
      "bytes of a download that a killed process can lose": "\(Download.keepInterval) bytes",
      "`RetryPolicy.drainLimit`": "\(retries.drainLimit) bytes",
      "`RateLimiter(pauseLimit:)`": try argument("pauseLimit: Duration = .seconds(", of: "init(requests:") + " s",
      "`cachedSizeLimit`": "\(ClientConfiguration.standard.cachedSizeLimit) bytes",
      "`DownloadOptions.fruitlessAttemptLimit`": "\(download.fruitlessAttemptLimit)",
      // The description of this row has the window.
      "`RetryPolicy.Budget(minimum:)`": try argument("minimum: Int = ", of: "init(ratio:"),
      "`RetryPolicy.Budget(ratio:)`": try argument("ratio: Double = ", of: "init(ratio:"),
      "`MemoryCacheStorage(sizeLimit:)`":
        "\(try product(of: argument("sizeLimit limit: Int = ", of: "init(sizeLimit limit: Int = "))) bytes",
      "`CircuitBreaker(failureLimit:)`": try argument("failureLimit: Int = ", of: "init(failureLimit:"),
      "`CircuitBreaker(pause:)`": try argument("pause: Duration = .seconds(", of: "init(failureLimit:") + " s",
      "`HTTP.ServerSentEvent.Reconnection(time:)`": seconds(HTTP.ServerSentEvent.Reconnection().time),
      "`sizeLimit:`; fixed for the events of a request":
        "\(try product(of: argument("sizeLimit limit: Int = ", of: "func lines("))) bytes",
    ]
    #expect(found.count == expected.count)
    let window = try argument("window: Duration = .seconds(", of: "init(ratio:")
    #expect(found.contains { $0[0] == "least retries of an origin in \(window) s" })
    let interface = try Checkout.text("API/Anvil.txt")
    for policy in ["follow", "followWhereSafe"] {
      #expect(interface.contains("case \(policy)(limit: Int = \(FollowUpLimit.standard))"))
    }
    for row in found {
      let (value, setting) = (row[1], row[2])
      // A fixed value has no setting, and is known by its description.
      #expect(expected[setting == "fixed" ? row[0] : setting] == value, "\(row[0])")
    }
  }

  /// Returns the default value after `label` in the declaration that contains `declaration`, from the list of the public interface.
  private func argument(_ label: String, of declaration: String) throws -> String {
    let interface = try Checkout.text("API/Anvil.txt")
    let line = try #require(interface.split(separator: "\n").first { $0.contains(declaration) && $0.contains(label) })
    let rest = try #require(line.ranges(of: label).first).upperBound
    return String(line[rest...].prefix { !",)".contains($0) })
  }

  /// Returns the value of a shift such as `32 << 20`.
  private func product(of shift: String) throws -> Int {
    let parts = shift.components(separatedBy: " << ").compactMap(Int.init)
    try #require(parts.count == 2)
    return parts[0] << parts[1]
  }
}
