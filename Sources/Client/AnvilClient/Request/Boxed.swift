/// A value in storage that copies share. A change creates new storage and does not affect other copies.
///
/// It is for large values that are passed from layer to layer and that few layers change.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
  // Immutable, so that reading a property neither checks for exclusive access nor copies the whole value.
  private final class Box: Sendable {
    let value: Value

    init(_ value: Value) {
      self.value = value
    }
  }

  private var box: Box

  init(wrappedValue: Value) {
    box = Box(wrappedValue)
  }

  var wrappedValue: Value {
    _read { yield box.value }
    _modify {
      var value = box.value
      defer { replaceBox(value) }
      yield &value
    }
  }

  // Not inlined, because otherwise each setter of a property would contain the code that copies the whole value.
  @inline(never)
  private mutating func replaceBox(_ value: Value) {
    box = Box(value)
  }

  /// The wrapper itself, so that another property can share the storage.
  var projectedValue: Boxed { self }

  /// Returns whether both share storage. Values with separate storage may still be equal.
  func isSame(as other: Boxed) -> Bool { box === other.box }
}
