internal import AnvilHTTP
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Sends informational responses on a connection until the final response begins.
///
/// The server keeps every request that it received: ``end()`` releases the connection, which a request would otherwise keep
/// open.
final class InformationalSender: Sendable {
  private let write: Mutex<(@Sendable (Data) -> Void)?>

  init(_ write: (@Sendable (Data) -> Void)?) {
    self.write = Mutex(write)
  }

  func send(_ status: HTTP.Status, _ headers: HTTP.Headers) {
    guard (102..<200).contains(status.code), headers.allSatisfy({ $0.key.isValid && $0.value.isValid }) else { return }
    write.withLock { $0?(ReplyScript.head(status, headers)) }
  }

  /// Makes later calls of ``send(_:_:)`` have no effect.
  func end() {
    write.withLock { $0 = nil }
  }
}
