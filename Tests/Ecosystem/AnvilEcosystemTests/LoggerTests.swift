#if SwiftLog
import Anvil
import AnvilEcosystem
import AnvilTesting
import Foundation
import Logging
import Synchronization
import Testing

@Suite struct LoggerTests {
  private let url = URL(string: "https://api.example.com/users/1?token=secret")
  private let entries = RecordedLog()

  @Test func configurationTakesALoggerAndWritesALineForEachCall() async throws {
    let session = StubSession()
    session.on("user", where: { _ in true }) { _ in .json(#"{"id": 1}"#) }
    var configuration = ClientConfiguration.standard
    configuration.logging = .init(entries.logger)
    let gateway = Gateway("https://api.example.com", session: session, configuration: configuration)
    var request = gateway.request("users/1")
    request.query = ["token": "secret"]
    _ = try await request.send()
    let entry = try #require(entries.all.first)
    #expect(entries.all.count == 1)
    #expect(entry.level == .info)
    #expect(entry.message.hasPrefix("GET https://api.example.com/users/1?token="))
    #expect(entry.metadata["method"] == "GET")
    #expect(entry.metadata["status"] == "200")
    #expect(entry.metadata["bytes"] == "9")
    #expect(!"\(entry)".contains("secret"))
  }

  @Test func theErrorOfAFailureIsTheNameOfItsCode() async {
    let session = StubSession()
    session.on("any", where: { _ in true }) { _ in .failure(TransportError(code: .tlsFailure)) }
    var configuration = ClientConfiguration.bare
    configuration.logging = .init(entries.logger)
    _ = try? await Gateway("https://api.example.com", session: session, configuration: configuration).request("a")
      .send()
    #expect(entries.all.map { $0.metadata["error"] } == ["tlsFailure"])
    #expect(entries.all.first?.message.contains("TLS failure") == true)
  }

  @Test(arguments: [(404, Logger.Level.warning), (503, .error), (204, .info)])
  func levelDependsOnTheOutcome(status: Int, level: Logger.Level) async throws {
    let session = StubSession()
    session.on("any", where: { _ in true }) { _ in .status(HTTP.Status(code: status)) }
    var configuration = ClientConfiguration.bare
    configuration.logging = .init(entries.logger)
    _ = try? await Gateway("https://api.example.com", session: session, configuration: configuration).request("a")
      .send()
    #expect(entries.all.map(\.level) == [level])
  }

  @Test func entriesBelowTheLevelOfTheLoggerAreNotWritten() {
    var logger = entries.logger
    logger.logLevel = .warning
    logger.log(RequestLog.Entry(level: .info, message: "unimportant"))
    logger.log(RequestLog.Entry(level: .error, message: "important"))
    #expect(entries.all.map(\.message) == ["important"])
  }

  @Test func valuesWithTheSameNameAreJoined() {
    entries.logger.log(
      RequestLog.Entry(level: .debug, message: "m", metadata: [("vary", "a"), ("vary", "b"), ("other", "c")]))
    #expect(entries.all.first?.metadata == ["vary": "a, b", "other": "c"])
  }
}

/// A logger that keeps what is written.
final class RecordedLog: Sendable {
  struct Entry: Sendable {
    var level: Logger.Level
    var message: String
    var metadata: [String: String]
  }

  private let entries = Mutex<[Entry]>([])

  var all: [Entry] { entries.withLock { $0 } }

  var logger: Logger {
    var logger = Logger(label: "test") { _ in Handler(log: self) }
    logger.logLevel = .trace
    return logger
  }

  private struct Handler: LogHandler {
    let log: RecordedLog
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let metadata = (event.metadata ?? [:]).mapValues { "\($0)" }
      log.entries.withLock {
        $0.append(Entry(level: event.level, message: "\(event.message)", metadata: metadata))
      }
    }
  }
}
#endif
