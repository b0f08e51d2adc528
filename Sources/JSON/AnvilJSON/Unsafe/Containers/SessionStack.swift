/// A growing stack that a class can hold as a constant: changing it needs neither exclusive access to the class nor
/// reference counting.
///
/// Safety: `header` points to one initialised header that lives until `deallocate()`; its `base` has room for
/// `capacity` elements, of which the first `count` are initialised. Indices are checked only by `assert`, because the
/// session computes all of them, from counts.
@safe
struct SessionStack<Element> {
  @safe
  private struct Header {
    var base: UnsafeMutablePointer<Element>
    var count = 0
    var capacity: Int
  }

  private let header: UnsafeMutablePointer<Header>

  init(capacity: Int) {
    unsafe header = .allocate(capacity: 1)
    unsafe header.initialize(to: Header(base: .allocate(capacity: capacity), capacity: capacity))
  }

  func deallocate() {
    unsafe header.pointee.base.deinitialize(count: header.pointee.count)
    unsafe header.pointee.base.deallocate()
    unsafe header.deallocate()
  }

  @inline(__always)
  var count: Int { unsafe header.pointee.count }

  @inline(__always)
  var isEmpty: Bool { count == 0 }

  /// The index of the top element.
  @inline(__always)
  var top: Int { count &- 1 }

  @inline(__always)
  subscript(index: Int) -> Element {
    get {
      assert(index >= 0 && index < count)
      return unsafe header.pointee.base[index]
    }
    nonmutating _modify {
      assert(index >= 0 && index < count)
      yield unsafe &header.pointee.base[index]
    }
  }

  @inline(__always)
  func push(_ element: Element) {
    let count = count
    if unsafe count == header.pointee.capacity { grow() }
    unsafe (header.pointee.base + count).initialize(to: element)
    unsafe header.pointee.count = count &+ 1
  }

  @inline(__always)
  func truncate(to count: Int) {
    assert(count >= 0 && count <= self.count)
    unsafe (header.pointee.base + count).deinitialize(count: self.count &- count)
    unsafe header.pointee.count = count
  }

  /// Removes the elements from `index` on and returns them.
  func cut(from index: Int) -> [Element] {
    let tail = (index..<count).map { self[$0] }
    truncate(to: index)
    return tail
  }

  func swap(with other: SessionStack) {
    unsafe Swift.swap(&header.pointee, &other.header.pointee)
  }

  @inline(never)
  private func grow() {
    let old = unsafe header.pointee
    let base = UnsafeMutablePointer<Element>.allocate(capacity: old.capacity * 2)
    unsafe base.moveInitialize(from: old.base, count: old.count)
    unsafe old.base.deallocate()
    unsafe header.pointee.base = base
    unsafe header.pointee.capacity = old.capacity * 2
  }
}
