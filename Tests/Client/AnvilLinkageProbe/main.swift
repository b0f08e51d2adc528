import Anvil
import Dispatch

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Uses the API of a program that gets a model. ClientLinkageTests checks its contents. With a number as its argument, it makes as many short
// calls over a session in memory, whose functions scripts/walk counts.

struct User: Decodable, Sendable {
  var id: Int
}

/// A session that responds to each request with the same user.
struct MemorySession: TransportSession {
  let user = Data(#"{"id": 1, "name": "Ada"}"#.utf8)
  let headers: HTTP.Headers = [.contentType: .applicationJSON]

  func send(_ request: HTTP.Request, options: TransportOptions) async throws(TransportError) -> TransportResponse {
    TransportResponse(HTTP.Response(request: request, status: 200, headers: headers), body: user)
  }
}

func makeCalls(_ count: Int) async -> String {
  let api = Gateway("https://api.example.com/v1", session: MemorySession())
  do {
    var sum = 0
    for _ in 0..<count { sum += try await api.get("users/1", as: User.self).id }
    return "\(sum) users"
  } catch {
    return "\(error)"
  }
}

func describe() -> String {
  let api = Gateway("http://127.0.0.1")
  let stub = api.request("users", 1)
  do {
    let user = try HTTP.Body(#"{"id": 1}"#, contentType: .applicationJSON).decode(as: User.self)
    return "\(stub.method) user \(user.id)"
  } catch {
    return "\(error)"
  }
}

// The main thread waits for the calls: valgrind cannot run a program whose main thread has ended.
let isDone = DispatchSemaphore(value: 0)
Task.detached {
  if let count = CommandLine.arguments.dropFirst().first.flatMap({ Int($0) }) {
    print(await makeCalls(count))
  } else {
    print(describe())
  }
  isDone.signal()
}
isDone.wait()
