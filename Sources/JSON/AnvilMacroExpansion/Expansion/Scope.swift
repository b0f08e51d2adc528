/// The variables of one generated function. Their names do not hide each other or a property.
struct Scope {
  private var taken: Set<String>

  /// Creates a scope.
  ///
  /// - Parameter properties: The properties that the function uses by name.
  init(_ properties: [Property]) { taken = Set(properties.flatMap { [$0.plainName, $0.identifier] }) }

  /// Returns `name`, or the first of `name_2`, `name_3`, … that is not taken.
  mutating func name(_ name: String) -> String {
    var candidate = name
    var number = 2
    while !taken.insert(candidate).inserted {
      candidate = "\(name)_\(number)"
      number += 1
    }
    return candidate
  }
}
