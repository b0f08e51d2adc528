internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The downloads of this process that were cancelled and may not have let go of their files yet.
///
/// Whoever cancels a download may go on before it has ended: a promise is settled as soon as it is cancelled. The next
/// download to the same file must not fail for that, so it waits for these.
final class EndingDownloads: Sendable {
  static let shared = EndingDownloads()

  /// By the paths of their files.
  private let ends = Mutex<[String: [ObjectIdentifier: Promise<Void>]]>([:])

  /// The end of each whose file is `target`.
  func ends(of target: URL) -> [Promise<Void>] {
    let path = target.trackedPath
    return ends.withLock { $0[path].map { Array($0.values) } ?? [] }
  }

  /// Does `work` on `target`, and counts it among these from when its task is cancelled until it has ended.
  func tracking<Value: Sendable>(_ target: URL, _ work: () async throws -> Value) async throws -> Value {
    let path = target.trackedPath
    let end = PromiseState<Void>()
    defer {
      ends.withLock {
        $0[path]?[ObjectIdentifier(end)] = nil
        if $0[path]?.isEmpty == true { $0[path] = nil }
      }
      Settling.perform { end.settle(.success(()), &$0) }
    }
    return try await withTaskCancellationHandler(operation: work) {
      let promise = Promise(state: end)
      ends.withLock { $0[path, default: [:]][ObjectIdentifier(end)] = promise }
    }
  }
}

extension URL {
  /// The same for every way to the same file through symbolic links of directories.
  fileprivate var trackedPath: String {
    deletingLastPathComponent().resolvingSymlinksInPath().appendingPathComponent(lastPathComponent).path
  }
}
