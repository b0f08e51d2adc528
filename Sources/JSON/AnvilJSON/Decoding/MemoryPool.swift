internal import Synchronization

/// A pool of working memory that is shared by all calls of coders in the process. A coder that is created for one call is therefore as fast
/// as one that is kept.
final class MemoryPool<Memory: AnyObject & Sendable>: Sendable {
  /// The maximum number of memories in the pool. More are probably not in use at the same time.
  private static var limit: Int { 8 }
  private let memories = Mutex<[Memory]>([])

  func take() -> Memory? { memories.withLock { $0.popLast() } }

  /// Keeps `memory`, which must have no other references, or releases it if the pool is full.
  func give(_ memory: Memory) {
    memories.withLock { memories in
      if memories.count < Self.limit { memories.append(memory) }
    }
  }
}
