/// What a session works in, which the next call of the same decoder can use again, or of another one.
///
/// `@unchecked Sendable`: one session at a time has it. The decoder hands it out under a lock, and takes it back only from
/// a session that nobody else refers to.
final class DecodingMemory: @unchecked Sendable {
  let shortcuts = ShortcutMemory<any DirectlyDecodable.Type>()
  let containers = ContainerMemory<MemberFrame.State>()

  static let pool = MemoryPool<DecodingMemory>()

  deinit {
    shortcuts.deallocate()
    containers.deallocate()
  }
}
