internal import AnvilHTTP
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Sends informational responses on a connection until the final response begins.
///
/// Every request holds its sender, and the server keeps all requests. ``end()`` therefore releases the connection, which would otherwise
/// stay open.
final class InformationalSender: Sendable {
  private let connection: Mutex<Connection>

  /// The value of the mutex. It is a structure, because each access to a mutex that contains a closure directly would wrap the closure in
  /// two further closures.
  private struct Connection {
    var write: (@Sendable (Data) -> Void)?
  }

  init(_ write: (@Sendable (Data) -> Void)?) {
    connection = Mutex(Connection(write: write))
  }

  func send(_ status: HTTP.Status, _ headers: HTTP.Headers) {
    guard (102..<200).contains(status.code), headers.allSatisfy({ $0.key.isValid && $0.value.isValid }) else { return }
    connection.withLock { $0.write?(ReplyScript.head(status, headers)) }
  }

  /// Makes later calls of ``send(_:_:)`` have no effect.
  func end() {
    connection.withLock { $0.write = nil }
  }
}
