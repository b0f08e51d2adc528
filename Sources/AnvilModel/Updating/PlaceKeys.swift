/// The key under which a class keeps what its superclass encodes.
package struct SuperKey: CodingKey {
  package var stringValue: String { "super" }
  package var intValue: Int? { nil }

  package init() {}
  package init?(stringValue: String) { guard stringValue == "super" else { return nil } }
  package init?(intValue: Int) { nil }
}

/// The place of an element, counted from 0, in a coding path.
package struct IndexKey: CodingKey {
  package let index: Int
  package var stringValue: String { "Index \(index)" }
  package var intValue: Int? { index }

  package init(_ index: Int) { self.index = index }
  package init?(stringValue: String) { nil }
  package init?(intValue: Int) { index = intValue }
}
