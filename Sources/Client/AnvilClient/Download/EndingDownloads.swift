internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The downloads of this process that were cancelled and may not have released their files yet.
///
/// A promise is settled as soon as it is cancelled, so the caller may continue before the download has ended. The next download to the same
/// file waits for these downloads, so that it does not fail because of them.
final class EndingDownloads: Sendable {
  static let shared = EndingDownloads()

  /// Promises that are settled when the downloads end, by the paths of their files.
  private let ends = Mutex<[String: [ObjectIdentifier: Promise<Void>]]>([:])

  /// Returns promises that are settled when the downloads whose file is `target` end.
  func ends(of target: URL) -> [Promise<Void>] {
    let path = target.trackedPath
    return ends.withLock { $0[path].map { Array($0.values) } ?? [] }
  }

  /// Runs `work`, which downloads to `target`. If the task is cancelled, the download is in the list until `work` has ended.
  func tracking<Value: Sendable>(_ target: URL, _ work: () async throws -> Value) async throws -> Value {
    let path = target.trackedPath
    let end = PromiseState()
    defer {
      ends.withLock {
        $0[path]?[ObjectIdentifier(end)] = nil
        if $0[path]?.isEmpty == true { $0[path] = nil }
      }
      Settling.perform { end.settle(SettledOutcome(value: ()), &$0) }
    }
    return try await withTaskCancellationHandler(operation: work) {
      let promise = Promise<Void>(state: end)
      ends.withLock { $0[path, default: [:]][ObjectIdentifier(end)] = promise }
    }
  }
}

extension URL {
  /// The path with the symbolic links in its folders resolved, so that all paths to the file give the same result.
  fileprivate var trackedPath: String {
    deletingLastPathComponent().resolvingSymlinksInPath().appendingPathComponent(lastPathComponent).path
  }
}
