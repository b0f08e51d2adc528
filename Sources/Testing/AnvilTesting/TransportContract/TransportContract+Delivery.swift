internal import AnvilClient
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Cases for the delivery of bodies: in pieces, to slow readers, and to readers that do not read the whole body.
extension TransportContract {
  private static let block = pattern(1 << 16)

  static let deliveryCases: [Case] = [
    Case("a body that arrives in small pieces is complete", needs: [.sockets]) { setting in
      let server = try setting.server(answering: .fault(.slowDrip(interval: .milliseconds(2), count: 60)))
      try expect(try await setting.response(to: setting.get(server)).body.string, is: String(repeating: ".", count: 60))
    },
    Case("chunks are never empty, and there are none after the end") { setting in
      let server = try setting.server(answering: .chunked([Data("a".utf8), Data("b".utf8)]))
      let response = try await setting.session.send(setting.get(server), options: .patient)
      var chunks = response.body.makeAsyncIterator()
      var body = Data()
      while let chunk = try await chunks.next() {
        try expect(!chunk.isEmpty, "an empty chunk")
        body += chunk
      }
      try expect(body, is: Data("ab".utf8))
      for _ in 0..<2 { try expect(try await chunks.next(), is: nil) }
    },
    Case("a slow reader receives the complete body") { setting in
      let server = try setting.server()
      server.on(.get, "/") { _ in .chunked(repeatElement(block, count: 512)) }
      let options = TransportOptions(timeout: .seconds(120), responseDelivery: .streamed)
      let response = try await setting.session.send(setting.get(server), options: options)
      var (count, burst) = (0, 0)
      for try await chunk in response.body {
        try expect(chunk.first, is: block[count % block.count])
        (count, burst) = (count + chunk.count, burst + chunk.count)
        // The pause gives buffers time to fill up. The outcome does not depend on it.
        if burst > 1 << 20 {
          burst = 0
          try await Task.sleep(for: .milliseconds(2))
        }
      }
      try expect(count, is: 32 << 20)
    },
    Case("a body that is released half read closes its connection, and the session stays usable", needs: [.sockets]) {
      setting in
      let server = try setting.server(
        answering: .fault(.slowDrip(interval: .milliseconds(5), count: 10_000)))
      do {
        let response = try await setting.session.send(setting.get(server), options: .patient)
        var chunks = response.body.makeAsyncIterator()
        _ = try await chunks.next()
        try expect(server.abandonedConnections.isEmpty, "the connection was closed before the body was released")
      }
      try await wait { !server.abandonedConnections.isEmpty }
      try await setting.expectUsable()
    },
    Case("a body that is released unread closes its connection", needs: [.sockets]) { setting in
      let server = try setting.server()
      server.on(.get, "/") { _ in .chunked(repeatElement(Data("chunk".utf8), count: .max), every: .milliseconds(1)) }
      _ = try await setting.session.send(setting.get(server), options: .patient)
      try await wait { !server.abandonedConnections.isEmpty }
      try await setting.expectUsable()
    },
    Case("an unread body does not delay other transfers") { setting in
      let server = try setting.server()
      server.on(.get, "/large") { _ in .chunked(repeatElement(block, count: 800)) }
      server.on(.get, "/small") { _ in .text("small") }
      let options = TransportOptions(timeout: .seconds(120), responseDelivery: .streamed)
      let unread = try await setting.session.send(setting.get(server, "/large"), options: options)
      for _ in 0..<20 {
        try expect(try await setting.response(to: setting.get(server, "/small")).body.string, is: "small")
      }
      withExtendedLifetime(unread) {}
    },
    Case("a server cannot send more of a response that is not read", needs: [.backPressure, .rawConnection]) {
      setting in
      let server = try setting.server()
      server.on(.get, "/") { _ in .chunked(repeatElement(block, count: .max)) }
      let options = TransportOptions(timeout: nil, responseDelivery: .streamed)
      let response = try await setting.session.send(setting.get(server), options: options)
      func sent() -> Int { server.sentByteCounts.values.reduce(0, +) }
      // Both systems and the session buffer some MiB. The count has settled when it stays the same many times in a row.
      var (last, unchanged) = (-1, 0)
      while unchanged < 50 {
        try await Task.sleep(for: .milliseconds(2))
        let now = sent()
        try expect(now < 256 << 20, "\(now) bytes of a response that is not read were sent")
        (last, unchanged) = (now, now == last ? unchanged + 1 : 0)
      }
      // The transfer continues each time the reader reads further chunks.
      var chunks = response.body.makeAsyncIterator()
      var count = 0
      for round in 1...3 {
        let before = sent()
        while count < round << 24 || sent() == before {
          let chunk = try require(try await chunks.next(), "chunk")
          try expect(chunk.first, is: block[count % block.count])
          count += chunk.count
        }
      }
    },
  ]
}
