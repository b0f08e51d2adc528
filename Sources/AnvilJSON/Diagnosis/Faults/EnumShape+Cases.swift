extension EnumShape {
  /// The keys of the enumeration that `key` is a case of; none where it is no enumeration.
  static func keys(besides key: any CodingKey) -> [String] {
    func keys<Key: CodingKey>(_ key: Key) -> [String] {
      guard let shape = EnumShape(of: Key.self) else { return [] }
      return (0..<shape.count).compactMap { shape.value(Key.self, $0)?.stringValue }
    }
    return keys(key)
  }

  /// The raw values of `type` as text, at most the first twelve; none where it is no enumeration.
  static func rawValues(of type: Any.Type) -> [String] {
    func rawValues<T: RawRepresentable>(_ type: T.Type) -> [String] {
      guard let shape = EnumShape(of: type) else { return [] }
      return (0..<min(shape.count, 12)).compactMap { shape.value(type, $0) }.map { "\($0.rawValue)" }
    }
    return (type as? any RawRepresentable.Type).map { rawValues($0) } ?? []
  }
}
