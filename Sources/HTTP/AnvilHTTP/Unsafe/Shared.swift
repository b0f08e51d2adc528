/// A value in storage that copies share. A change copies the value if another copy refers to the same storage, and does not affect that copy.
///
/// It is for large values that are passed from layer to layer and that few layers change: copying one takes a single reference count.
/// AnvilClient has the like, `Boxed`: Swift 6.3 does not specialise generic types of the package in another module, which took 4,000
/// instructions of a short call.
@propertyWrapper
@safe
struct Shared<Value: Sendable>: Sendable {
  /// Safety: the value changes only in `_modify`, after `makeUnique()`: exactly one wrapper refers to the storage then, to which the change has
  /// exclusive access. Hence the storage is `Sendable`, and checks for exclusive access, which took 600 of a short call's 31,600 instructions,
  /// would never fail.
  private final class Storage: @unchecked Sendable {
    @exclusivity(unchecked) var value: Value

    init(_ value: Value) {
      unsafe self.value = value
    }
  }

  private var storage: Storage

  /// Creates storage that contains `wrappedValue`.
  init(wrappedValue: Value) {
    storage = Storage(wrappedValue)
  }

  /// The value.
  var wrappedValue: Value {
    _read { yield unsafe storage.value }
    _modify {
      makeUnique()
      yield unsafe &storage.value
    }
  }

  // Not inlined, because otherwise each setter of a property would contain the code that copies the whole value.
  @inline(never)
  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { storage = unsafe Storage(storage.value) }
  }

  /// Returns whether both share storage. Values with separate storage may still be equal.
  func isSame(as other: Shared) -> Bool { storage === other.storage }
}
