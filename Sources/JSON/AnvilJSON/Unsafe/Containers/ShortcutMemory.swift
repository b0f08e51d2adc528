/// A cache of how types are decoded or encoded, with open addressing by the type's identity.
///
/// Safety: `base` points to `count` initialised entries that live until `deallocate()`, which deinitialises them; every index is masked to
/// a value below `count`.
@safe
struct ShortcutMemory<Shortcut> {
  private struct Entry {
    var type: ObjectIdentifier?
    var shortcut: Shortcut?
  }

  private static var count: Int { 256 }
  /// The number of consecutive slots in which a type may be stored.
  private static var slots: Int { 8 }
  private let base: UnsafeMutablePointer<Entry>

  init() {
    unsafe base = .allocate(capacity: Self.count)
    unsafe base.initialize(repeating: Entry(), count: Self.count)
  }

  func deallocate() {
    unsafe base.deinitialize(count: Self.count)
    unsafe base.deallocate()
  }

  /// Returns the shortcut of `type`. If it is not cached, `find` is called.
  @inline(__always)
  func shortcut(for type: ObjectIdentifier, _ find: () -> Shortcut?) -> Shortcut? {
    let index = Self.index(of: type)
    if unsafe base[index].type == type { return unsafe base[index].shortcut }
    return shortcut(for: type, from: index, find)
  }

  @inline(never)
  private func shortcut(for type: ObjectIdentifier, from start: Int, _ find: () -> Shortcut?) -> Shortcut? {
    for place in 0..<Self.slots {
      let index = (start &+ place) & (Self.count &- 1)
      if unsafe base[index].type == type { return unsafe base[index].shortcut }
      if unsafe base[index].type == nil {
        let shortcut = find()
        unsafe base[index] = Entry(type: type, shortcut: shortcut)
        return shortcut
      }
    }
    let shortcut = find()
    unsafe base[start] = Entry(type: type, shortcut: shortcut)
    return shortcut
  }

  @inline(__always)
  private static func index(of type: ObjectIdentifier) -> Int {
    // Metadata is aligned and often allocated consecutively. The high bits of the product depend on all bits of the address.
    let mixed = UInt64(UInt(bitPattern: type)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed &>> 56)
  }
}
