import Anvil
import AnvilSQLite
import AnvilSync
import AnvilTesting
import Foundation
import Synchronization
import Testing

// sample: contributor
struct Contributor: Codable, Sendable, ManagedDecodable {
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]

  var id: Int
  var login: String
  var company: String?
}
// end sample

@Suite(.timeLimit(.minutes(15))) struct PullSamples {
  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    server.on(.get, "/contributors") { request in
      if request.query["since"] != nil {
        return .json(#"[{"id": 3, "updated_at": "2026-03-01", "deleted_at": "2026-03-01"}]"#)
      }
      guard request.query["page"] == "2" else {
        return .status(
          200, headers: [.link: "</contributors?page=2>; rel=next"],
          body: Data(
            #"[{"id": 1, "login": "ada", "updated_at": "2026-01-01"}, {"id": 2, "login": 7, "updated_at": "2026-01-02"}]"#
              .utf8))
      }
      return .json(#"[{"id": 3, "login": "cy", "company": "Anvil", "stars": 5, "updated_at": "2026-02-01"}]"#)
    }
    for team in ["red", "blue"] { server.on(.get, "/teams/\(team)/contributors") { _ in .json("[]") } }
  }

  private func withPath(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "anvil-samples-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.appending(path: "contributors.db").path())
  }

  @Test func listingIsStored() async throws {
    try await withPath { path in
      let baseURL = server.url
      // sample: pull
      let api = Gateway(baseURL: baseURL)
      let store = try await Store(.sqlite(path: path))
      let contributors = Pull(
        "contributors", api.request("contributors", query: ["per_page": 100]), of: Contributor.self, by: .linkHeader,
        cursor: .field("updated_at", parameter: "since"), tombstone: .field("deleted_at"))
      let report = try await store.run(contributors)
      print(report)  // 2 pages, 2 inserted, 0 updated, 0 unchanged, 0 deleted, 1 skipped, …
      // end sample
      #expect("\(report)".hasPrefix("2 pages, 2 inserted, 0 updated, 0 unchanged, 0 deleted, 1 skipped"))
      // sample: report
      for row in report.skipped { print(row) }  // page 1, [1].login: expected String, found a number, …
      for drift in report.drift { print(drift) }  // login: type mismatch (1 row), stars: unknown key (1 row)
      // end sample
      #expect(report.skipped.first?.path == "[1].login")
      #expect(report.drift.map(\.description) == ["login: type mismatch (1 row)", "stars: unknown key (1 row)"])

      let counts = Mutex<[Int]>([])
      func show(_ everyone: [Contributor]) -> Bool {
        counts.withLock { $0.append(everyone.count) }
        return everyone.count != 1
      }
      // sample: watch
      let updates = Task {
        while true {
          do { print(try await store.run(contributors)) } catch { print(error) }  // the next run continues
          try await Task.sleep(for: .seconds(60))
        }
      }
      for try await everyone in store.values(of: Contributor.self) {
        guard show(everyone) else { break }
      }
      updates.cancel()
      // end sample
      #expect(counts.withLock { $0.last } == 1)
      #expect(server.requests.last?.query["since"] == "2026-02-01")
    }
  }

  @Test func missingRowsAndPartitions() async throws {
    try await withPath { path in
      let store = try await Store(.sqlite(path: path))
      let api = Gateway(baseURL: server.url)
      // sample: pull-partitions
      let teams = Pull(
        "teams",
        partitions: ["red": api.request("teams/red/contributors"), "blue": api.request("teams/blue/contributors")],
        of: Contributor.self, by: .pageNumber("page") { $0.count == 0 }, missing: .deleted)
      let result = try await store.run(teams)
      // end sample
      let baseURL = server.url
      @Sendable func newToken() async throws -> TokenRefresher.Token { .init("t0") }
      // sample: pull-coordinator
      let coordinator = StoreCoordinator(store)
      var configuration = ClientConfiguration.standard
      configuration.rateLimit = RateLimiter(requests: 10, per: .seconds(1), coordinator: coordinator)
      configuration.authentication = [
        .bearer(TokenRefresher(sharedAs: "api", by: coordinator) { _ in try await newToken() })
      ]
      let shared = Gateway(baseURL: baseURL, configuration: configuration)
      // end sample
      _ = try await shared.request("teams/red/contributors").send()
      #expect(server.requests.last?.headers[.authorization]?.rawValue == "Bearer t0")
      #expect(result.pages == 2)
      #expect(result.missingRows == .deleted)
    }
  }
}
