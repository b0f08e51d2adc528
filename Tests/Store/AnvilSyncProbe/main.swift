import Anvil
import AnvilSQLite
import AnvilSync
import Dispatch

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Stores as many responses as its argument says. Each comes from a session in memory and changes the same row. scripts/walk counts the
// functions that one of them enters.

struct User: Codable, Sendable, ManagedDecodable {
  static let matchKeys: [MatchKey]? = [.key(CodingKeys.id)]
  var id: Int
  var name: String
  var visits: Int
}

/// A session whose responses contain the number in the path of the request.
struct MemorySession: TransportSession {
  let headers: HTTP.Headers = [.contentType: .applicationJSON]

  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    let visits = request.url.lastPathComponent
    let user = Data(#"{"id": 1, "name": "Ada", "visits": \#(visits)}"#.utf8)
    return TransportResponse(HTTP.Response(request: request, status: 200, headers: headers), body: user)
  }
}

func storeResponses(_ count: Int) async -> String {
  let api = Gateway("https://api.example.com/v1", session: MemorySession())
  do {
    let store = try await Store(.inMemory)
    for visits in 0..<count { _ = try await api.request("visits", visits).store(User.self, in: store) }
    return "\(try await store.fetch(User.self, key: 1)?.visits ?? 0)"
  } catch {
    return "\(error)"
  }
}

// The main thread waits: valgrind cannot run a program whose main thread has ended.
let isDone = DispatchSemaphore(value: 0)
Task.detached {
  print(await storeResponses(CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1))
  isDone.signal()
}
isDone.wait()
