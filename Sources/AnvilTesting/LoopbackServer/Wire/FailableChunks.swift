internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The chunks of a body whose source may fail: the connection is broken off then, as a client must not take part of a body for
/// the whole.
final class FailableChunks: Sequence, IteratorProtocol, Sendable {
  private let produce: @Sendable () throws -> Data?
  private let failed = Mutex(false)

  init(_ produce: @escaping @Sendable () throws -> Data?) {
    self.produce = produce
  }

  /// Whether the end was a failure.
  var hasFailed: Bool { failed.withLock { $0 } }

  func next() -> Data? {
    do {
      return try produce()
    } catch {
      failed.withLock { $0 = true }
      return nil
    }
  }
}
