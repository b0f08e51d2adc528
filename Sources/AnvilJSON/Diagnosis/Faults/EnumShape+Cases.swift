extension EnumShape {
  /// Returns all keys of the enumeration that has the case `key`; an empty array if the key's type is not an enumeration.
  static func keys(besides key: any CodingKey) -> [String] {
    func keys<Key: CodingKey>(_ key: Key) -> [String] {
      guard let shape = EnumShape(of: Key.self) else { return [] }
      return (0..<shape.count).compactMap { shape.value(Key.self, $0)?.stringValue }
    }
    return keys(key)
  }

  /// Returns at most the first twelve raw values of `type` as text; an empty array if it is not an enumeration.
  static func rawValues(of type: Any.Type) -> [String] {
    func rawValues<T: RawRepresentable>(_ type: T.Type) -> [String] {
      guard let shape = EnumShape(of: type) else { return [] }
      return (0..<min(shape.count, 12)).compactMap { shape.value(type, $0) }.map { "\($0.rawValue)" }
    }
    return (type as? any RawRepresentable.Type).map { rawValues($0) } ?? []
  }
}
