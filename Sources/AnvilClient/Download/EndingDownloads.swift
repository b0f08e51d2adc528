internal import Synchronization

/// The downloads of this process that were cancelled and may not have let go of their files yet.
///
/// Whoever cancels a download may go on before it has ended: a promise is settled as soon as it is cancelled. The next
/// download to the same file must not fail for that, so it waits for these.
final class EndingDownloads: Sendable {
  static let shared = EndingDownloads()

  private let ends = Mutex<[ObjectIdentifier: Promise<Void>]>([:])

  /// The end of each.
  var all: [Promise<Void>] { ends.withLock { Array($0.values) } }

  /// Does `work`, and counts it among these from when its task is cancelled until it has ended.
  func tracking<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
    let end = PromiseState<Void>()
    defer {
      _ = ends.withLock { $0.removeValue(forKey: ObjectIdentifier(end)) }
      Settling.perform { end.settle(.success(()), &$0) }
    }
    return try await withTaskCancellationHandler(operation: work) {
      let promise = Promise(state: end)
      ends.withLock { $0[ObjectIdentifier(end)] = promise }
    }
  }
}
