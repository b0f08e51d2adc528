/// A buffer for the values of rows, one row after the other. It becomes an array without copying single values.
///
/// Safety: the first `count` elements of `values` are always initialised. Only this class has access to the memory,
/// which has room for `capacity` elements.
@safe
final class RowBuffer {
  private var values: UnsafeMutablePointer<StoreValue>
  private var capacity: Int
  private(set) var count = 0

  /// - Parameter capacity: The number of values for which memory is allocated at first.
  init(capacity: Int) {
    self.capacity = max(capacity, 1)
    unsafe values = .allocate(capacity: self.capacity)
  }

  deinit {
    // Safety: the last use of the memory.
    unsafe values.deinitialize(count: count)
    unsafe values.deallocate()
  }

  /// Moves all values out of the row, which then contains only nulls.
  func append(movingFrom row: RowValues) {
    reserve(row.count)
    // Safety: there is room for the values of the row after the first `count`.
    unsafe row.move(to: values + count)
    count += row.count
  }

  func append(_ value: StoreValue) {
    reserve(1)
    unsafe (values + count).initialize(to: value)
    count += 1
  }

  /// Returns the values and empties the buffer.
  func take() -> [StoreValue] {
    // Safety: the array's memory is uninitialised and has room for `count` values, which are moved.
    let array = unsafe Array<StoreValue>(unsafeUninitializedCapacity: count) { target, initializedCount in
      if let start = target.baseAddress { unsafe start.moveInitialize(from: values, count: count) }
      initializedCount = count
    }
    count = 0
    return array
  }

  private func reserve(_ added: Int) {
    guard added > capacity - count else { return }
    capacity = max(capacity * 2, count + added)
    let larger = UnsafeMutablePointer<StoreValue>.allocate(capacity: capacity)
    // Safety: the values are moved, so that the old memory contains none of them.
    unsafe larger.moveInitialize(from: values, count: count)
    unsafe values.deallocate()
    unsafe values = larger
  }
}
