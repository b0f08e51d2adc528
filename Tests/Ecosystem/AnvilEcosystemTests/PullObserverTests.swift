#if SwiftLog && SwiftMetrics
import Anvil
import AnvilEcosystem
import AnvilSQLite
import AnvilStore
import AnvilSync
import AnvilTestSupport
import AnvilTesting
import Foundation
import Logging
import Testing

@testable import AnvilSyncEcosystem

@Suite(.timeLimit(.minutes(15))) struct PullObserverTests {
  private let session = StubSession()
  private let log = RecordedLog()
  private let metrics = RecordedMetrics()

  @Test func pagesAndTheEndOfARunAreLoggedAndCounted() async throws {
    session.serve(pages: [[1, 2], [3]])
    let store = try await Store(.inMemory)
    try await store.run(session.pull, observers: [.log(log.logger), .metrics(metrics)])
    #expect(log.all.map(\.level) == [.debug, .debug, .info])
    #expect(log.all.last?.message.hasPrefix("pull members: 2 pages, 3 inserted") == true)
    #expect(log.all.allSatisfy { $0.metadata["pull"] == "members" })
    #expect(metrics.sums(of: "anvil.pull.pages") == ["anvil.pull=members": 2])
    #expect(metrics.sums(of: "anvil.pull.rows") == ["anvil.pull=members anvil.row.change=inserted": 3])
    #expect(metrics.sums(of: "anvil.pull.runs") == ["anvil.pull=members": 1])
  }

  @Test func skippedRowsAreAWarning() async throws {
    session.on("page", where: { _ in true }) { _ in .json(#"[{"id": 1, "name": "a"}, {"id": 2, "name": 7}]"#) }
    let store = try await Store(.inMemory)
    try await store.run(session.pull, observers: [.log(log.logger), .metrics(metrics)])
    #expect(log.all.last?.level == .warning)
    #expect(metrics.sums(of: "anvil.pull.rows")["anvil.pull=members anvil.row.change=skipped"] == 1)
  }

  @Test func aFailedRunIsLoggedAndCountedWithItsCodeAndItsPages() async throws {
    session.serve(pages: [[1, 2]], next: true)
    session.on("end", where: { _ in true }) { _ in .failure(TransportError(code: .tlsFailure)) }
    let store = try await Store(.inMemory)
    await #expect(throws: TransportFailure.self) {
      try await store.run(session.pull, observers: [.log(log.logger), .metrics(metrics)])
    }
    #expect(log.all.last?.level == .error)
    #expect(log.all.last?.metadata["error"] == "tlsFailure")
    #expect(metrics.sums(of: "anvil.pull.rows") == ["anvil.pull=members anvil.row.change=inserted": 2])
    #expect(metrics.sums(of: "anvil.pull.runs") == ["anvil.pull=members error.type=tlsFailure": 1])
  }

  @Test func theErrorOfAStatusIsItsNumber() async throws {
    session.on("any", where: { _ in true }) { _ in .status(404) }
    let store = try await Store(.inMemory)
    await #expect(throws: TransportFailure.self) {
      try await store.run(session.pull, observers: [.log(log.logger), .metrics(metrics)])
    }
    #expect(log.all.last?.metadata["error"] == "404")
    #expect(log.all.last?.message.contains("Not Found") == true)
    #expect(metrics.sums(of: "anvil.pull.runs") == ["anvil.pull=members error.type=404": 1])
  }

  @Test func onlyErrorsWithSafeDescriptionsAreShown() async throws {
    enum Refusal: Error { case row(String) }
    struct Mishap: Error, CustomStringConvertible { var description: String { "ada@example.com" } }
    let url = try #require(URL(string: "https://api.example.com/members?token=ada"))
    let failure = TransportFailure(
      error: TransportError(code: .noConnection, underlyingError: Mishap()), request: HTTP.Request(url: url))
    for (error, type, text) in [
      (Refusal.row("ada@example.com"), "Refusal.row", "Refusal.row"), (Mishap(), "Mishap", "Mishap"),
      (failure, "noConnection", "no connection"), (AnyError(failure), "noConnection", "no connection"),
      (CancellationError(), "cancelled", "cancelled"),
      (TransportError(code: .clientError(.notFound)), "404", "404 Not Found"),
    ] as [(any Error, String, String)] {
      PullObserver.log(log.logger).handler(of: "members")(.failed(error))
      PullObserver.metrics(metrics).handler(of: "members")(.failed(error))
      let entry = try #require(log.all.last)
      #expect(entry.metadata["error"]?.hasSuffix(type) == true)
      #expect(entry.message.hasSuffix(text) && !entry.message.contains("ada"))
      #expect(metrics.sums(of: "anvil.pull.runs").keys.contains { $0.hasSuffix(type) })
    }
  }

  @Test func anErrorOfTheStoreIsShown() async throws {
    let store = try await Store(.inMemory)
    await store.close()
    session.serve(pages: [[1]])
    await #expect(throws: StoreError.self) {
      try await store.run(session.pull, observers: [.log(log.logger), .metrics(metrics)])
    }
    #expect(log.all.last?.metadata["error"] == "StoreError")
    #expect(log.all.last?.message == "pull members: the store was closed")
    #expect(metrics.sums(of: "anvil.pull.runs") == ["anvil.pull=members error.type=StoreError": 1])
  }

  @Test func changesOfAStoreAreLogged() async throws {
    let store = try await Store(.inMemory)
    let changes = store.changes(of: Member.self)
    let log = log
    let logging = Task { await store.logChanges(of: Member.self, to: log.logger, at: .info) }
    session.serve(pages: [[1, 2]])
    try await waitUntil {
      try await store.forgetPosition(of: session.pull)
      session.serve(pages: [[.random(in: 0...1_000_000)]])
      try await store.run(session.pull)
      return !log.all.isEmpty
    }
    #expect(log.all.first?.metadata["entity"] == "Member")
    #expect(log.all.first?.message.hasPrefix("Member: ") == true)
    logging.cancel()
    await logging.value
    _ = changes
  }
}

struct Member: Codable, Sendable, ManagedDecodable {
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
  var id: Int
  var name: String
}

extension StubSession {
  /// A pull of all pages at `members`.
  var pull: Pull<Member> {
    Pull(
      "members", Gateway("https://api.example.com", session: self, configuration: .bare).request("members"),
      of: Member.self, by: .linkHeader)
  }

  /// Answers with pages of members, once each.
  ///
  /// - Parameter next: Whether the last page has a link to a further one.
  func serve(pages: [[Int]], next: Bool = false) {
    for (index, ids) in pages.enumerated() {
      let rows = ids.map { #"{"id": \#($0), "name": "m\#($0)"}"# }.joined(separator: ",")
      let isLast = index == pages.count - 1 && !next
      on("page \(index + 1)", where: { _ in true }, times: 1) { _ in
        .status(
          200, headers: isLast ? [.contentType: .applicationJSON] : [.link: "<members?page=\(index + 2)>; rel=next"],
          body: Data("[\(rows)]".utf8))
      }
    }
  }
}
#endif
