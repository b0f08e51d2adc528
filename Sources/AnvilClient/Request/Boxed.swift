/// A value whose copies share one place in memory until one of them is changed.
///
/// For large values that a request carries from layer to layer and that few layers change.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
  // Changed only while there is no other reference to it.
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
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
  }

  /// The box, for another holder of the same value.
  var projectedValue: Boxed { self }

  /// Whether both are copies of one box that was not changed since. Others may be equal, too.
  func isSame(as other: Boxed) -> Bool { box === other.box }
}
