internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension TransportContract {
  static let cancellationCases: [Case] = [
    Case("a request cancelled before it starts is not sent") { setting in
      let server = try setting.server(answering: .text("ok"))
      let request = setting.get(server)
      let task = Task {
        await waitForCancellation()
        return await setting.exchange(request)
      }
      task.cancel()
      try await task.value.expectError(.cancelled)
      try expect(server.requests.count, is: 0)
    },
    Case("a request cancelled before the head is received ends at once") { setting in
      let server = try setting.server(answering: .fault(.neverAnswers))
      let request = setting.get(server)
      let task = Task { await setting.execute(request, TransportOptions(timeout: nil)) }
      try await wait { !server.requests.isEmpty }
      task.cancel()
      let failure = try require(await task.value.failure, "failure")
      try expect(failure.error.code, is: .cancelled)
      try expect(failure.request, is: request)
      try expect(failure.response, is: nil)
    },
    Case("a request cancelled before the head is received closes its connection", needs: [.sockets]) { setting in
      let server = try setting.server(answering: .fault(.neverAnswers))
      let request = setting.get(server)
      let task = Task { await setting.exchange(request, TransportOptions(timeout: nil)) }
      try await wait { !server.requests.isEmpty }
      task.cancel()
      try await task.value.expectError(.cancelled)
      try await wait { !server.abandonedConnections.isEmpty }
      try await setting.expectUsable()
    },
    Case("a failure caused by cancellation contains the received part of the body", needs: [.sockets]) { setting in
      let server = try setting.server(sending: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", then: .hang)
      let request = setting.get(server)
      let heard = Recorder<Int>()
      let options = TransportOptions(timeout: nil, progressHandler: { heard.add($0.byteCount) })
      let task = Task { await setting.execute(request, options) }
      try await wait { heard.all.contains(4) }
      task.cancel()
      let failure = try require(await task.value.failure, "failure")
      try expect(failure.error.code, is: .cancelled)
      try expect(failure.request, is: request)
      try expect(failure.response?.code, is: 200)
      try expect(failure.response?.body.string, is: "half")
      try await wait { !server.abandonedConnections.isEmpty }
    },
    Case("a cancelled reader receives an error and no more data") { setting in
      let server = try setting.server()
      server.on(.get, "/") { _ in .chunked(repeatElement(Data("chunk".utf8), count: .max), every: .milliseconds(1)) }
      let response = try await setting.session.send(setting.get(server), options: TransportOptions())
      let reading = Task {
        await waitForCancellation()
        for try await _ in response.body {}
      }
      reading.cancel()
      switch await reading.result {
      case .success: throw ContractViolation(description: "an endless body has ended")
      case .failure(let error):
        try expect((error as? TransportError)?.code, is: .cancelled)
      }
      try await setting.expectUsable()
    },
    Case("a request whose body is still being sent is cancelled at once") { setting in
      let server = try setting.echoServer()
      let (chunks, sending) = AsyncStream<Data>.makeStream()
      sending.yield(Data("part".utf8))
      let request = HTTP.Request(method: .put, url: setting.url(server, "/x"), body: .stream(chunks))
      let task = Task { await setting.exchange(request, TransportOptions(timeout: nil)) }
      // It does not matter whether sending has begun.
      for _ in 0..<10 { await Task.yield() }
      task.cancel()
      try await task.value.expectError(.cancelled)
      try await setting.expectUsable()
      try expect(server.requests.count, is: 0)
    },
    Case("redirections can be cancelled at any moment", needs: [.sockets]) { setting in
      let server = try setting.server(answering: .status(302, headers: [.location: "/to"], body: Data("moved".utf8)))
      let request = setting.get(server)
      try await race(setting, 400) { request }
      for microseconds in stride(from: 100, to: 1500, by: 7) {
        let outcome = await setting.exchange(request, TransportOptions(timeout: .microseconds(microseconds)))
        if outcome.error != nil { try outcome.expectError(.timedOut) } else { try expect(outcome.head?.code, is: 302) }
      }
      try await setting.expectUsable()
    },
    Case("uploads can be cancelled at any moment", needs: [.sockets]) { setting in
      let server = try setting.server(requestBodies: .counted)
      server.on(.put, "/") { .text("\($0.bodyByteCount)") }
      let url = setting.url(server)
      let file = try TemporaryFile(Data(count: 300_000))
      try await race(setting, 100) { HTTP.Request(method: .put, url: url, body: .file(file.url)) }
      try await race(setting, 100) { HTTP.Request(method: .put, url: url, body: HTTP.Body(file.contents)) }
      let response = try await setting.response(to: HTTP.Request(method: .put, url: url, body: .file(file.url)))
      try expect(response.body.string, is: "300000")
    },
    Case("responses can be cancelled at any moment") { setting in
      let server = try setting.server()
      server.on(.get, "/") { _ in .chunked(Array(repeating: Data("chunk".utf8), count: 4), every: .milliseconds(3)) }
      let request = setting.get(server)
      try await race(setting, 150, pause: 150) { request }
      try await setting.expectUsable()
    },
  ]

  /// Sends requests and cancels each at a different moment. Every request must end, with any result.
  private static func race(
    _ setting: Setting, _ count: Int, pause microseconds: Int = 50, _ request: @escaping @Sendable () -> HTTP.Request
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<count {
        // Only a few run at a time, so that each is in progress when it is cancelled.
        if index >= 40 { try await group.next() }
        group.addTask {
          let task = Task { await setting.exchange(request()) }
          try await Task.sleep(for: .microseconds(index % 40 * microseconds))
          task.cancel()
          let outcome = await task.value
          if outcome.error != nil {
            try outcome.expectError(.cancelled)
          } else if outcome.head?.code == 200, outcome.text.hasPrefix("chunk") {
            try expect(outcome.text, is: "chunkchunkchunkchunk")
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
