/// The working memory of a session, which can be reused by the next call of the same encoder or of another one.
///
/// `@unchecked Sendable`: only one session at a time uses it. The encoder hands it out under a lock, and takes it back only from
/// a session without other references.
final class EncodingMemory: @unchecked Sendable {
  /// The maximum size of the text memory that is kept.
  private static let keptCapacity = 1 << 16

  let output = OutputMemory(capacity: 1024)
  let slots = SessionStack<ValueSlot>(capacity: 16)
  let members = SessionStack<EncodedMember>(capacity: 64)
  let keys = SessionStack<any CodingKey>(capacity: 16)
  let shortcuts = ShortcutMemory<EncodingShortcut>()
  let containers = ContainerMemory<ObjectFrame.State>()
  let main = TextFragment(parent: nil, root: 0)

  static let pool = MemoryPool<EncodingMemory>()

  deinit {
    output.deallocate()
    slots.deallocate()
    members.deallocate()
    keys.deallocate()
    shortcuts.deallocate()
    containers.deallocate()
  }

  /// Removes everything except the cached information about types.
  ///
  /// - Returns: True if the memory is worth keeping.
  func reset() -> Bool {
    output.truncate(to: 0)
    slots.truncate(to: 0)
    members.truncate(to: 0)
    keys.truncate(to: 0)
    return output.capacity <= Self.keptCapacity
  }
}
