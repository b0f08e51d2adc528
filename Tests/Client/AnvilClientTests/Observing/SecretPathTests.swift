import AnvilClient
import AnvilHTTP
import AnvilObservability
import AnvilTesting
import Foundation
import Synchronization
import Testing

/// The renderings of exchanges whose paths contain secrets. The patterns apply to the whole process, so each test runs in a separate one.
struct SecretPathTests {
  @Test func logsHideSecretSegments() async {
    await #expect(processExitsWith: .success) {
      for details in [RequestLog.Details.outcomes, .heads] {
        let lines = Mutex<[RequestLog.Entry]>([])
        try await exchange(through: [
          RequestLog(details: details) { entry in lines.withLock { $0.append(entry) } }.interceptor
        ])
        let entries = lines.withLock { $0 }
        var dumped = ""
        dump(entries, to: &dumped)
        expectNoSecret(in: entries.map { "\($0)" }.joined(separator: "\n"))
        #expect(!dumped.contains("SECRET"))
      }
    }
  }

  @Test func archivesHideSecretSegments() async {
    await #expect(processExitsWith: .success) {
      let recorder = HARRecorder()
      try await exchange(through: [recorder])
      expectNoSecret(in: String(decoding: try recorder.archive(), as: UTF8.self))
    }
  }

  @Test func spansAndMetricsHideSecretSegments() async {
    await #expect(processExitsWith: .success) {
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")
      defer { try? FileManager.default.removeItem(at: file) }
      let exporter = OTLPExporter(to: .file(file), service: "test")
      try await exchange(through: [exporter])
      await exporter.close()
      expectNoSecret(in: try String(contentsOf: file, encoding: .utf8))
    }
  }

  @Test func curlCommandsHideSecretSegments() async {
    await #expect(processExitsWith: .success) {
      let requests = try await exchange(through: [])
      expectNoSecret(in: requests.map { $0.curlCommand() }.joined(separator: "\n"))
      expectNoSecret(in: requests.map { "\($0)" }.joined(separator: "\n"))
      #expect(requests.first?.curlCommand(redaction: nil).contains("/bot1:SECRET/getMe") == true)
    }
  }

  @Test func failuresAndReportsHideSecretSegments() async {
    await #expect(processExitsWith: .success) {
      let failures = Mutex<[TransportFailure]>([])
      try await exchange(through: []) { failure in failures.withLock { $0.append(failure) } }
      let all = failures.withLock { $0 }
      #expect(all.count == 2)
      var dumped = ""
      dump(all, to: &dumped)
      expectNoSecret(in: all.map { "\($0)" }.joined(separator: "\n"))
      expectNoSecret(in: all.map { "\(FailureReport($0)?.line ?? "")" }.joined(separator: "\n"))
      #expect(!dumped.contains("SECRET") && !all.contains { $0.localizedDescription.contains("SECRET") })
    }
  }
}

/// Executes requests whose paths and fields contain a secret, as do the fields of their responses.
///
/// - Returns: The requests.
@discardableResult
private func exchange(
  through interceptors: [any Interceptor], onFailure: (TransportFailure) -> Void = { _ in }
) async throws -> [HTTP.Request] {
  HTTP.Redaction.secretPaths = ["/bot{token}", "hooks.example.com/services/*/{key}"]
  let world = try World(interceptors: interceptors)
  world.session.on("any", where: { _ in true }) { _ in
    .status(404, headers: [.location: "/bot2:SECRET/x", .link: "<https://h/bot3:SECRET>; rel=next"])
  }
  for text in ["https://u:p@api.example.com/bot1:SECRET/getMe?page=2", "https://hooks.example.com/services/T/SECRET"] {
    let outcome = await world.backend.outcome(
      Request<HTTP.Response, TransportFailure>(
        url: try #require(URL(string: text)), headers: [.referer: "https://h/bot4:SECRET"]))
    if let failure = outcome.failure { onFailure(failure) }
  }
  return world.session.requests
}

private func expectNoSecret(in text: String) {
  #expect(!text.contains("SECRET"), "\(text)")
  #expect(text.contains("/bot<redacted>/getMe") && text.contains("/services/T/<redacted>"), "\(text)")
}
