extension EnumMetadata {
  /// Returns at most the first twelve raw values of `type` as text; an empty array if it is not an enumeration with raw values.
  package static func rawValues(of type: Any.Type) -> [String] {
    func rawValues<T: RawRepresentable>(_ type: T.Type) -> [String] {
      guard let shape = EnumMetadata(of: type) else { return [] }
      return (0..<min(shape.count, 12)).compactMap { shape.value(type, $0) }.map { "\($0.rawValue)" }
    }
    return (type as? any RawRepresentable.Type).map { rawValues($0) } ?? []
  }
}
