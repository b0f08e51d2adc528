internal import AnvilBase
package import Foundation
import Synchronization

/// A server on 127.0.0.1 for other protocols and malformed HTTP. A closure serves each connection on a new thread.
package final class RawServer: Sendable {
  private struct State {
    var isOver = false
    var connections: [ObjectIdentifier: RawSocket] = [:]
    var count = 0
  }

  package let port: Int
  private let listener: RawSocket
  private let state = Mutex(State())

  /// - Parameters:
  ///   - accepts: Whether connections are accepted. The system itself completes some without that.
  ///   - serve: Called with each connection, which is closed when it returns.
  package init(backlog: Int32 = 512, accepts: Bool = true, _ serve: @escaping @Sendable (RawSocket) -> Void) throws {
    (listener, port) = try RawSocket.listening(backlog: backlog)
    guard accepts else { return }
    let thread = OwnedThread.start(stackSize: 1 << 20) { [weak self, listener] in
      while let connection = listener.accepted() {
        guard let self, self.keep(connection) else { return }
        let serving = OwnedThread.start(stackSize: 1 << 20) { [weak self] in
          serve(connection)
          self?.forget(connection)
        }
        serving?.detach()
      }
    }
    thread?.detach()
  }

  deinit {
    listener.end()
    for connection in state.withLock({ $0.connections.values.map(\.self) }) { connection.end() }
  }

  /// The number of connections so far.
  package var connectionCount: Int { state.withLock { $0.count } }

  /// The number of open connections.
  package var openConnectionCount: Int { state.withLock { $0.connections.count } }

  private func keep(_ connection: RawSocket) -> Bool {
    state.withLock { state in
      state.count += 1
      state.connections[ObjectIdentifier(connection)] = connection
      return true
    }
  }

  private func forget(_ connection: RawSocket) {
    state.withLock { _ = $0.connections.removeValue(forKey: ObjectIdentifier(connection)) }
  }

  package func url(_ path: String = "/", scheme: String = "http") throws -> URL {
    guard let url = URL(string: "\(scheme)://127.0.0.1:\(port)\(path)") else { throw CocoaError(.fileNoSuchFile) }
    return url
  }
}
