extension EnumShape {
  /// The keys of the enumeration that `key` is a case of; none where it is no enumeration.
  static func keys(besides key: any CodingKey) -> [String] {
    func keys<Key: CodingKey>(_ key: Key) -> [String] {
      guard let shape = EnumShape(of: Key.self) else { return [] }
      return (0..<shape.count).compactMap { shape.value(Key.self, $0)?.stringValue }
    }
    return keys(key)
  }
}
