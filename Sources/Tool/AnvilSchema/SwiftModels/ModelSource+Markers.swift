/// Markers that give `@JSONCodable` details that are not in a property's declaration.
extension ModelSource {
  /// Returns whether `@CodableNaming(.snakeCase)` on the type makes markers for some keys unnecessary.
  func isNamed(_ properties: [NamedProperty]) -> Bool {
    guard case .macro(.snakeCase) = style else { return false }
    return properties.contains { $0.name != $0.property.key && Self.snakeCase($0.name) == $0.property.key }
  }

  /// Returns the attributes of a property, each followed by a space.
  ///
  /// - Parameter isNamed: True if the type has `@CodableNaming(.snakeCase)`.
  func markers(of property: NamedProperty, isNamed: Bool) -> String {
    guard isMacro else { return "" }
    let key = property.property.key
    let isKnown = (isNamed ? Self.snakeCase(property.name) : property.name) == key
    let strategy = dateStrategy(for: property.property.type).map { "@CodableBy(\($0)) " } ?? ""
    let wrapper = if case .lenient = property.property.type { "@NumberOrString " } else { "" }
    return (isKnown ? "" : "@CodingKey(\(key.swiftLiteral)) ") + strategy + wrapper
  }

  /// Returns the key that `@CodableNaming(.snakeCase)` derives from `name`. Returns `nil` if `name` contains other
  /// characters than letters and digits, because ``KeyWords`` drops some of them.
  private static func snakeCase(_ name: String) -> String? {
    let isPlain = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    return isPlain ? KeyWords(name).words.joined(separator: "_") : nil
  }

  /// Returns the strategy for dates, also in arrays and dictionaries; `nil` for other types.
  private func dateStrategy(for type: SwiftType) -> String? {
    switch type {
    case .date: ".iso8601"
    case .array(let inner), .dictionary(let inner), .optional(let inner): dateStrategy(for: inner)
    default: nil
    }
  }

  /// True if there are dates whose format no marker can express.
  var hasDatesWithoutStrategy: Bool {
    types.types.reduce(into: [types.root]) { found, type in
      switch type.body {
      case .structure(let properties): found += properties.map(\.type).filter { dateStrategy(for: $0) == nil }
      case .choice(let alternatives, _): found += alternatives.map(\.type)
      case .enumeration, .tagged: break
      }
    }.contains { $0.parts.contains(.date) }
  }
}
