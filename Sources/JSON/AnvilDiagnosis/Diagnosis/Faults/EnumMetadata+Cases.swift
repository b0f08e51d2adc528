internal import AnvilJSON

extension EnumMetadata {
  /// Returns all keys of the enumeration that has the case `key`; an empty array if the key's type is not an enumeration.
  static func keys(besides key: any CodingKey) -> [String] {
    func keys<Key: CodingKey>(_ key: Key) -> [String] {
      guard let shape = EnumMetadata(of: Key.self) else { return [] }
      return (0..<shape.count).compactMap { shape.value(Key.self, $0)?.stringValue }
    }
    return keys(key)
  }
}
