internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension TransportContract {
  static let timeoutCases: [Case] = [
    Case("a timeout below a second is exact, and the error has its phase") { setting in
      let server = try setting.server()
      server.on(.get, "/*") { _ in .fault(.neverAnswers) }
      for milliseconds in [50, 200, 350] {
        // Each request has a different path, as an earlier request may arrive late.
        let (path, timeout) = ("/\(milliseconds)", Duration.milliseconds(milliseconds))
        let outcome = await setting.exchange(setting.get(server, path), TransportOptions(timeout: timeout))
        try outcome.expectError(.timedOut)
        // On a busy machine, connecting with TLS may take this long.
        if outcome.error?.phase != .firstByte {
          try expect(
            !server.requests.contains { $0.path == path },
            "the request arrived, but the error is \(String(describing: outcome.error))")
        }
        // This checks only that the time is not shorter than the limit, not how busy the machine is.
        let elapsed = try require(outcome.error?.elapsed, "elapsed time")
        try expect(elapsed >= timeout, "\(elapsed) is shorter than \(timeout)")
        try expect(outcome.head, is: nil)
      }
    },
    Case("a timeout closes the connection", needs: [.sockets]) { setting in
      let server = try setting.server(answering: .fault(.neverAnswers))
      // On a busy machine, the time limit may be reached before the request is in the expected phase.
      repeat {
        try await setting.exchange(setting.get(server), TransportOptions(timeout: .milliseconds(200)))
          .expectError(.timedOut)
      } while server.requests.isEmpty
      try await wait { !server.abandonedConnections.isEmpty }
      try await setting.expectUsable()
    },
    Case("a timeout applies while a body arrives slowly", needs: [.sockets]) { setting in
      let server = try setting.server(
        answering: .chunked(repeatElement(Data(".".utf8), count: .max), every: .milliseconds(5)))
      let outcome = await setting.exchange(setting.get(server), timingOutIn: .body, after: .seconds(1))
      try outcome.expectError(.timedOut, in: .body)
      try expect(outcome.error?.elapsed ?? .zero >= .seconds(1), "\(String(describing: outcome.error))")
      try expect(outcome.head?.code, is: 200)
    },
    Case("the timeout of a streamed response ends with its head", needs: [.sockets]) { setting in
      let server = try setting.server(
        answering: .chunked(repeatElement(Data(".".utf8), count: 60), every: .milliseconds(50)))
      let options = TransportOptions(timeout: .seconds(2), responseDelivery: .streamed)
      let response = try await setting.session.send(setting.get(server), options: options)
      var count = 0
      for try await chunk in response.body { count += chunk.count }
      try expect(count, is: 60)
    },
    Case("a timeout applies while a request body stream yields no data") { setting in
      let server = try setting.echoServer()
      let outcome = await setting.timedOut(in: .send, after: .milliseconds(100), error: \.error) {
        let body = HTTP.Body.stream(AsyncStream<Data> { _ in })
        return await setting.exchange(HTTP.Request(method: .put, url: setting.url(server, "/x"), body: body), $0)
      }
      try outcome.expectError(.timedOut, in: .send)
      try await setting.expectUsable()
      try expect(server.requests.count, is: 0)
    },
    Case("a zero or negative timeout expires at once, and a huge one never does") { setting in
      let server = try setting.server(answering: .text("ok"))
      for timeout in [Duration.zero, .seconds(-5)] {
        try await setting.exchange(setting.get(server), TransportOptions(timeout: timeout)).expectError(.timedOut)
      }
      for timeout in [nil, Duration.seconds(Int64.max), .seconds(1e18)] {
        let response = try await setting.response(to: setting.get(server), TransportOptions(timeout: timeout))
        try expect(response.body.string, is: "ok")
      }
    },
  ]
}
