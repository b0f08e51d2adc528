/// The markers that tell `@JSONCodable` what a property's declaration does not.
extension ModelSource {
  /// Whether `@CodableNaming(.snakeCase)` on a type spares markers for keys of `properties`.
  func isNamed(_ properties: [NamedProperty]) -> Bool {
    guard case .macro(.snakeCase) = style else { return false }
    return properties.contains { $0.name != $0.property.key && Self.snakeCase($0.name) == $0.property.key }
  }

  /// The attributes of a property, each with a space behind it.
  ///
  /// - Parameter isNamed: Whether the type has `@CodableNaming(.snakeCase)`.
  func markers(of property: NamedProperty, isNamed: Bool) -> String {
    guard isMacro else { return "" }
    let key = property.property.key
    let isKnown = (isNamed ? Self.snakeCase(property.name) : property.name) == key
    let strategy = dateStrategy(for: property.property.type).map { "@CodableBy(\($0)) " } ?? ""
    return (isKnown ? "" : "@CodingKey(\(key.swiftLiteral)) ") + strategy
  }

  /// Returns the key that `@CodableNaming(.snakeCase)` derives from `name`; `nil` if `name` has other characters than letters and digits,
  /// of which ``KeyWords`` keeps fewer.
  private static func snakeCase(_ name: String) -> String? {
    let isPlain = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    return isPlain ? KeyWords(name).words.joined(separator: "_") : nil
  }

  /// The strategy for a date, or for arrays of dates; `nil` for other types.
  private func dateStrategy(for type: SwiftType) -> String? {
    switch type {
    case .date: ".iso8601"
    case .array(let element): dateStrategy(for: element).map { ".elements(\($0))" }
    default: nil
    }
  }

  /// Whether there are dates whose form no marker tells.
  var hasDatesWithoutStrategy: Bool {
    types.types.reduce(into: [types.root]) { found, type in
      switch type.body {
      case .structure(let properties): found += properties.map(\.type).filter { dateStrategy(for: $0) == nil }
      case .choice(let alternatives, _): found += alternatives.map(\.type)
      case .enumeration: break
      }
    }.contains { $0.parts.contains(.date) }
  }
}
