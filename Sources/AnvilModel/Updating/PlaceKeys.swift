/// The key under which a class keeps what its superclass encodes.
struct SuperKey: CodingKey {
  var stringValue: String { "super" }
  var intValue: Int? { nil }

  init() {}
  init?(stringValue: String) { guard stringValue == "super" else { return nil } }
  init?(intValue: Int) { nil }
}

/// The place of an element, counted from 0, in a coding path.
struct IndexKey: CodingKey {
  let index: Int
  var stringValue: String { "Index \(index)" }
  var intValue: Int? { index }

  init(_ index: Int) { self.index = index }
  init?(stringValue: String) { nil }
  init?(intValue: Int) { index = intValue }
}
