/// Room for the values of some rows, one row after the other, that become an array without being copied one by one.
///
/// Safety: the first `count` of `values` are initialised, always, in memory that this class alone has, for `capacity` of them.
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

  /// Takes over all values of the row, which are null then.
  func append(movingFrom row: RowValues) {
    reserve(row.count)
    // Safety: there is room for as many after `count`.
    unsafe row.move(to: values + count)
    count += row.count
  }

  func append(_ value: StoreValue) {
    reserve(1)
    unsafe (values + count).initialize(to: value)
    count += 1
  }

  /// The values, none of which is in here any more.
  func take() -> [StoreValue] {
    // Safety: the array's memory is not initialised, and has room for `count` values; they move.
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
    // Safety: the values move, so that the old memory has none of them any more.
    unsafe larger.moveInitialize(from: values, count: count)
    unsafe values.deallocate()
    unsafe values = larger
  }
}
