internal import Synchronization

/// What calls have worked in and others can use again, of the whole process: a coder that is made for one call is as fast as
/// one that is kept.
final class MemoryPool<Memory: AnyObject & Sendable>: Sendable {
  /// As many as are likely in use at once.
  private static var limit: Int { 8 }
  private let memories = Mutex<[Memory]>([])

  func take() -> Memory? { memories.withLock { $0.popLast() } }

  /// Keeps `memory`, to which nobody refers any more, or lets it go when there are enough.
  func give(_ memory: Memory) {
    memories.withLock { memories in
      if memories.count < Self.limit { memories.append(memory) }
    }
  }
}
