/// The working memory of a session, which can be reused by the next call of the same decoder or of another one.
///
/// `@unchecked Sendable`: only one session at a time uses it. The decoder hands it out under a lock, and takes it back only from
/// a session without other references.
final class DecodingMemory: @unchecked Sendable {
  let shortcuts = ShortcutMemory<any DirectlyDecodable.Type>()
  let containers = ContainerMemory<MemberFrame.State>()

  static let pool = MemoryPool<DecodingMemory>()

  deinit {
    shortcuts.deallocate()
    containers.deallocate()
  }
}
