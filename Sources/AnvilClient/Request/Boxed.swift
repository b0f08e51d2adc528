/// A value in copy-on-write storage: copies share the storage until one of them is changed.
///
/// It is for large values that are passed from layer to layer and that few layers change.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
  // The value is changed only while there is exactly one reference to the box.
  private final class Box: @unchecked Sendable {
    var value: Value

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
      if !isKnownUniquelyReferenced(&box) { copyBox() }
      yield &box.value
    }
  }

  // Inlined, the copying of the whole value was repeated in each setter of a property.
  @inline(never)
  private mutating func copyBox() {
    box = Box(box.value)
  }

  /// The wrapper itself, so that another property can share the storage.
  var projectedValue: Boxed { self }

  /// Returns whether both share storage. Values with separate storage may be equal, too.
  func isSame(as other: Boxed) -> Bool { box === other.box }
}
