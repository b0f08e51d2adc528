import AnvilBase
import AnvilTestSupport
import Foundation

/// A server with one thread that answers each request `slow` after a delay, over any number of connections.
final class SlowServer: Sendable {
  let port: Int
  private let listener: RawSocket

  /// - Parameter delay: The delay of an answer, in milliseconds.
  init(delay: Int = 300) throws {
    let (listener, port) = try RawSocket.listening(backlog: 4096)
    self.listener = listener
    self.port = port
    let thread = OwnedThread.start(stackSize: 1 << 20) {
      let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nslow".utf8)
      var connections: [RawSocket] = []
      var due: [(ContinuousClock.Instant, RawSocket)] = []
      while true {
        let now = ContinuousClock.now
        let ready = due.prefix { $0.0 <= now }
        for (_, connection) in ready { connection.write(answer) }
        due.removeFirst(ready.count)
        guard let readable = RawSocket.readable([listener] + connections, milliseconds: due.isEmpty ? -1 : 5) else {
          return
        }
        for connection in readable {
          if connection === listener {
            guard let new = listener.accepted() else { return }
            connections.append(new)
          } else if let bytes = connection.read() {
            // Heads are short and arrive in one piece on loopback.
            let count = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n\r\n").count - 1
            due += repeatElement((now + .milliseconds(delay), connection), count: count)
          } else {
            connections.removeAll { $0 === connection }
          }
        }
      }
    }
    thread?.detach()
  }

  deinit {
    listener.end()
  }
}
