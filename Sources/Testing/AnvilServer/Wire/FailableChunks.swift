internal import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The chunks of a body whose source may fail. The connection is then reset, so that the client does not mistake a part of the body for the
/// whole body.
package final class FailableChunks: Sequence, IteratorProtocol, Sendable {
  private let produce: @Sendable () throws -> Data?
  private let failed = Mutex(false)

  init(_ produce: @escaping @Sendable () throws -> Data?) {
    self.produce = produce
  }

  /// True if the source ended with an error.
  var hasFailed: Bool { failed.withLock { $0 } }

  package func next() -> Data? {
    do {
      return try produce()
    } catch {
      failed.withLock { $0 = true }
      return nil
    }
  }
}
