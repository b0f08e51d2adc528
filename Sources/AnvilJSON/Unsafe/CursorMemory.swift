/// Where reading of some objects stands: a hint of which member is asked for next.
///
/// Direct-mapped by the low bits of an object's index, which is enough for the objects that are open at once: a hint that
/// was overwritten costs a search and gives the same value.
///
/// Safety: `base` points to `count` initialised cursors that live until `deallocate()`; every index is masked to fewer.
@safe
struct CursorMemory {
  /// A place in an object.
  struct Cursor: BitwiseCopyable {
    /// The object's index.
    var object: Int
    /// The index of the key behind the member that was read last.
    var next: Int
    /// The index of the key of the member that was read last.
    var latest: Int
  }

  private static let count = 64
  private let base: UnsafeMutablePointer<Cursor>

  init() {
    unsafe base = .allocate(capacity: Self.count)
    unsafe base.initialize(repeating: Cursor(object: -1, next: 0, latest: 0), count: Self.count)
  }

  func deallocate() {
    unsafe base.deallocate()
  }

  @inline(__always)
  subscript(object: Int) -> Cursor {
    get { unsafe base[object & (Self.count - 1)] }
    nonmutating set { unsafe base[object & (Self.count - 1)] = newValue }
  }
}
