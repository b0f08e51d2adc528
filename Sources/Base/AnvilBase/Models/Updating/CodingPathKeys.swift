/// The key under which a class stores the values encoded by its superclass.
package struct SuperKey: CodingKey {
  package var stringValue: String { "super" }
  package var intValue: Int? { nil }

  package init() {}
  package init?(stringValue: String) { guard stringValue == "super" else { return nil } }
  package init?(intValue: Int) { nil }
}

/// The index of an element in a coding path, counted from 0.
package struct IndexKey: CodingKey {
  package let index: Int
  package var stringValue: String { "Index \(index)" }
  package var intValue: Int? { index }

  package init(_ index: Int) { self.index = index }
  package init?(stringValue: String) { nil }
  package init?(intValue: Int) { index = intValue }
}
