internal import AnvilHTTP
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Sends informational responses on a connection until the final response begins.
///
/// The server keeps every request that it received. ``end()`` releases the connection, which a request would otherwise keep
/// open.
final class InformationalSender: Sendable {
  private let connection: Mutex<Connection>

  /// Wrapped in a structure, because each access to a mutex of a bare closure would wrap it in two more closures.
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
