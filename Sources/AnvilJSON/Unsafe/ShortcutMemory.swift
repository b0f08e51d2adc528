/// How types are decoded or encoded, as far as it has been found out: direct-mapped by the type's identity.
///
/// Safety: `base` points to `count` initialised entries that live until `deallocate()`, which deinitialises them; every
/// index is masked to fewer.
@safe
struct ShortcutMemory<Shortcut> {
  struct Entry {
    var type: ObjectIdentifier?
    var shortcut: Shortcut?
  }

  private static var count: Int { 128 }
  private let base: UnsafeMutablePointer<Entry>

  init() {
    unsafe base = .allocate(capacity: Self.count)
    unsafe base.initialize(repeating: Entry(), count: Self.count)
  }

  func deallocate() {
    unsafe base.deinitialize(count: Self.count)
    unsafe base.deallocate()
  }

  /// The entry that `type` has or would have.
  @inline(__always)
  subscript(type: ObjectIdentifier) -> Entry {
    get { unsafe base[Self.index(of: type)] }
    nonmutating set { unsafe base[Self.index(of: type)] = newValue }
  }

  @inline(__always)
  private static func index(of type: ObjectIdentifier) -> Int {
    // Metadata is aligned and often allocated in a row: the low bits say little.
    let address = UInt(bitPattern: type)
    return Int(truncatingIfNeeded: (address &>> 4 ^ address &>> 9) & UInt(count - 1))
  }
}
