import Anvil
import AnvilSQLite
import AnvilTesting
import Foundation
import Testing

/// Statuses can be compared by name in a file that imports a store, although its conditions have operators of the same names.
@Suite(.timeLimit(.minutes(15))) struct StatusNameTests {
  @Test func statusIsComparedByNameInAFileThatImportsAStore() async throws {
    let server = try LoopbackServer()
    server.on(.get, "/missing") { _ in .status(404) }
    server.on(.get, "/there") { _ in .status(200) }
    let service = TransportService()
    let failure = await #expect(throws: TransportFailure.self) {
      try await service.execute(HTTP.Request(url: server.url("/missing"))).get()
    }
    let missing = try #require(failure?.response)
    let there = try await service.execute(HTTP.Request(url: server.url("/there"))).get().response
    #expect(there.status == .ok && there.status != .created)
    #expect(missing.status == .notFound && missing.status == .clientError(.notFound))
    switch missing.status {
    case .notFound: break
    default: Issue.record("\(missing.status)")
    }
    let condition = StoredColumn<Member, Int>("age") == 18 && StoredColumn<Member, String?>("name") != nil
    #expect("\(type(of: condition))" == "StoreCondition<Member>")
  }
}
