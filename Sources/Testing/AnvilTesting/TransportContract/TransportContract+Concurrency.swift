internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension TransportContract {
  static let concurrencyCases: [Case] = [
    Case("concurrent requests receive their own responses") { setting in
      let server = try setting.server()
      server.on(.get, "/echo/:id") { .text($0.parameters["id"] ?? "") }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<200 {
          let request = setting.get(server, "/echo/\(index)")
          group.addTask { try expect(try await setting.response(to: request).body.string, is: "\(index)") }
        }
        try await group.waitForAll()
      }
    },
    Case("concurrent request and response bodies are not mixed up") { setting in
      let server = try setting.echoServer()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<60 {
          if index >= 20 { try await group.next() }
          let bytes = Data(repeating: UInt8(index), count: 20_000 + index * 1_000)
          let request = HTTP.Request(method: .post, url: setting.url(server, "/x"), body: HTTP.Body(bytes))
          group.addTask {
            try expect(try await setting.response(to: request).body.data == bytes, "echo \(index) is another request's")
          }
        }
        try await group.waitForAll()
      }
    },
    Case(
      "hundreds of concurrent requests with all kinds of outcomes neither hang nor get mixed up", needs: [.sockets]
    ) {
      setting in
      let server = try setting.server()
      server.on(.get, "/small/:id") { .text("\($0.parameters["id"] ?? "")!") }
      server.on(.get, "/large/:id") { request in
        let id = UInt8(truncatingIfNeeded: Int(request.parameters["id"] ?? "") ?? 0)
        return .chunked(repeatElement(Data(repeating: id, count: 10_000), count: 40))
      }
      server.on(.get, "/reset/:id") { _ in .fault(.resetBeforeHead) }
      server.on(.get, "/cut/:id") { _ in .fault(.resetInBody) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<600 {
          if index >= 16 { try await group.next() }
          group.addTask { try await stress(setting, server, index) }
        }
        try await group.waitForAll()
      }
      try await setting.expectUsable()
    },
  ]

  /// Sends the request with the number `index`. The number determines the kind of the request, and when it is cancelled or times out.
  private static func stress(_ setting: Setting, _ server: LoopbackServer, _ index: Int) async throws {
    switch index % 6 {
    case 0:
      try expect(try await setting.response(to: setting.get(server, "/small/\(index)")).body.string, is: "\(index)!")
    case 1:
      let request = setting.get(server, "/large/\(index)")
      let task = Task { await setting.exchange(request) }
      try await Task.sleep(for: .microseconds(index % 83 * 60))
      task.cancel()
      let outcome = await task.value
      if outcome.error != nil { try outcome.expectError(.cancelled) } else { try expectLarge(outcome.body, index) }
    case 2:
      let options = TransportOptions(timeout: .microseconds(index % 97 * 100 + 1))
      let outcome = await setting.exchange(setting.get(server, "/large/\(index)"), options)
      if outcome.error != nil { try outcome.expectError(.timedOut) } else { try expectLarge(outcome.body, index) }
    case 3:
      let response = try await setting.session.send(setting.get(server, "/large/\(index)"), options: .patient)
      var chunks = response.body.makeAsyncIterator()
      for _ in 0..<(index % 4) { _ = try await chunks.next() }
    case 4:
      try expectLarge(try await setting.response(to: setting.get(server, "/large/\(index)")).body.data, index)
    default:
      let target = index % 4 == 1 ? "/reset/\(index)" : "/cut/\(index)"
      let outcome = await setting.exchange(setting.get(server, target))
      try expect(outcome.error != nil || outcome.head?.code == 502, "\(target) succeeded with \(outcome.text)")
    }
  }

  private static func expectLarge(_ body: Data?, _ index: Int) throws {
    let expected = Data(repeating: UInt8(truncatingIfNeeded: index), count: 400_000)
    try expect(body == expected, "\(body?.count ?? 0) bytes of \(index) are incomplete or belong to another")
  }
}
