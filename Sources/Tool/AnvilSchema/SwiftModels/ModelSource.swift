internal import AnvilBase

struct ModelSource {
  let types: ModelTypes
  let names: TypeNames
  let rootName: String
  let style: SwiftModels.Style
  let access: SwiftModels.Access

  func source(origin: String?) -> String {
    var lines = SourceLines()
    writeHeader(origin: origin, to: &lines)
    let imports = imports
    for name in imports { lines.add("import \(name)") }
    if !imports.isEmpty { lines.add() }
    let outermost = types.types.indices.filter { names.hosts[$0] == nil }
    for (index, type) in outermost.enumerated() {
      if index > 0 { lines.add() }
      writeType(type, to: &lines)
    }
    if case .made? = types.root.parts.last {
    } else {
      lines.add("\(access.modifier)typealias \(rootName) = \(written(types.root))")
    }
    if types.rootStructure == nil { writeSupport(to: &lines) }
    return lines.text
  }

  func written(_ type: SwiftType) -> String {
    switch type {
    case .bool: "Bool"
    case .int: "Int"
    case .uint64: "UInt64"
    case .double: "Double"
    case .decimal: "Decimal"
    case .string: "String"
    case .date: "Date"
    case .day: "JSON.Day"
    case .url: "URL"
    case .uuid: "UUID"
    case .unknown: style.isCodable ? "Unknown" : "JSON"
    case .array(let element): "[\(written(element))]"
    case .dictionary(let value): "[String: \(written(value))]"
    case .optional(let wrapped): "\(written(wrapped))?"
    case .lenient(let number): "NumberOrString<\(written(number))>"
    case .box(let value): "Box<\(written(value))>"
    case .made(let index): names.names[index]
    }
  }

  /// The type of a whole document: a generated type, or the type alias with the root name.
  var documentType: String {
    if case .made? = types.root.parts.last { written(types.root) } else { rootName }
  }

  private var imports: [String] {
    (style.isCodable ? [] : ["Anvil"]) + (types.usedTypes.contains(where: \.needsFoundation) ? ["Foundation"] : [])
  }

  private func writeHeader(origin: String?, to lines: inout SourceLines) {
    if let origin {
      lines.fill("//", "Made by `anvil model` from \(origin).".split(separator: " "))
      lines.add("//")
    }
    switch style {
    case .macro:
      lines.add("//     let model = try JSON.read(\(documentType).self, from: data)")
      if hasDatesWithoutStrategy {
        lines.add("//")
        lines.add("// JSONDecoder needs the strategy .iso8601 for dates.")
      }
    case .mapping: lines.add("//     let model: \(documentType) = try .decode(JSON(parsing: data))")
    case .codable(let keys):
      lines.add("//     let decoder = JSON.Decoder()  // or JSONDecoder()")
      if types.usedTypes.contains(.date) { lines.add("//     decoder.dateDecodingStrategy = .iso8601") }
      if keys == .snakeCase { lines.add("//     decoder.keyDecodingStrategy = .convertFromSnakeCase") }
      lines.add("//     let model = try decoder.decode(\(documentType).self, from: data)")
    }
    lines.add()
  }

  private func writeType(_ index: Int, to lines: inout SourceLines) {
    switch types.types[index].body {
    case .structure(let properties): writeStructure(index, properties, to: &lines)
    case .enumeration(let values): writeEnumeration(names.names[index], values, to: &lines)
    case .choice(let alternatives, let storage): writeChoice(names.names[index], alternatives, storage, to: &lines)
    case .tagged(let key, let cases, let storage): writeTagged(names.names[index], key, cases, storage, to: &lines)
    }
  }

  private func writeStructure(_ index: Int, _ properties: [ModelTypes.Property], to lines: inout SourceLines) {
    let names = Self.names(for: properties.map(\.key))
    let named = zip(names, properties).map { NamedProperty(name: $0, property: $1) }
    let isNamed = isNamed(named)
    if style.isMacro { lines.add("@JSONCodable\(isNamed ? " @CodableNaming(.snakeCase)" : "")") }
    let head = "\(access.modifier)struct \(self.names.names[index]): \(conformances)Hashable, Sendable"
    lines.block(head) { lines in
      for property in named {
        let keyword = if case .lenient = property.property.type { "var" } else { "let" }
        let declaration = "\(access.modifier)\(keyword) \(property.escapedName): \(written(property))"
        lines.add(markers(of: property, isNamed: isNamed) + declaration)
      }
      if style.isMapping {
        lines.add()
        writeDecode(named, to: &lines)
      } else if style.isCodable, named.contains(where: { $0.name != $0.property.key }) {
        lines.add()
        writeCases("private enum CodingKeys: String, CodingKey", named.map { ($0.name, $0.property.key) }, to: &lines)
      }
      for nested in types.types.indices where self.names.hosts[nested] == index {
        lines.add()
        writeType(nested, to: &lines)
      }
      if index == types.rootStructure { writeSupport(to: &lines) }
    }
  }

  private func writeEnumeration(_ name: String, _ values: [String], to lines: inout SourceLines) {
    let names = Self.names(for: values)
    if style.isMacro { lines.add("@JSONCodable") }
    let head = "\(access.modifier)enum \(name): String, \(conformances)Sendable"
    writeCases(head, Array(zip(names, values)), to: &lines)
  }

  /// Writes an enum of objects whose types the member `key` identifies.
  private func writeTagged(
    _ name: String, _ key: String, _ cases: [ModelTypes.TaggedCase], _ storage: ModelTypes.Storage,
    to lines: inout SourceLines
  ) {
    lines.add("@JSONCodable @JSONTagged(by: \(key.swiftLiteral))")
    lines.block("\(access.modifier)\(storage.rawValue) \(name): Hashable, Sendable") { lines in
      let names = Self.names(for: cases.map(\.text))
      for (name, tagged) in zip(names, cases) {
        let marker = name == tagged.text ? "" : "@CodingKey(\(tagged.text.swiftLiteral)) "
        let value = tagged.type.map { "(\(written($0)))" } ?? ""
        lines.add("\(marker)case \(SwiftName.escaped(name))\(value)")
      }
      let unknown = ["other", "unknown", "another"].first { !names.contains($0) } ?? "otherValue"
      lines.add("@CodableUnknown case \(unknown)(JSON)")
    }
  }

  /// The protocols of structs and enums of strings, each followed by a comma.
  private var conformances: String { style.isMacro ? "" : protocols.map { "\($0), " }.joined() }

  /// Writes an enum of strings. Cases with the same name as their value share a line.
  private func writeCases(_ head: String, _ cases: [(name: String, value: String)], to lines: inout SourceLines) {
    lines.block(head) { lines in
      var plain: [String] = []
      for (name, value) in cases {
        let isPlain = name == value
        let line = "case \((plain + [SwiftName.escaped(name)]).joined(separator: ", "))"
        if !plain.isEmpty, !isPlain || !lines.fits(line) {
          lines.add("case \(plain.joined(separator: ", "))")
          plain = []
        }
        if isPlain {
          plain.append(SwiftName.escaped(name))
        } else {
          lines.add("case \(SwiftName.escaped(name)) = \(value.swiftLiteral)")
        }
      }
      if !plain.isEmpty { lines.add("case \(plain.joined(separator: ", "))") }
    }
  }

  /// Returns a unique name for each key. Valid names are kept, unless they differ only in their Unicode form, which is one name to Swift.
  private static func names(for keys: [String]) -> [String] {
    var used = Set(keys.filter { SwiftName.property($0) == $0 })
    var kept: Set<String> = []
    return keys.map { key in
      let first = SwiftName.property(key)
      if first == key, kept.insert(key).inserted { return key }
      var candidate = first
      var number = 2
      while !used.insert(candidate).inserted {
        candidate = "\(first)\(number)"
        number += 1
      }
      return candidate
    }
  }
}

extension ModelSource {
  struct NamedProperty {
    let name: String
    let property: ModelTypes.Property

    var escapedName: String { SwiftName.escaped(name) }
  }

  /// Returns the property's type, which is optional if the value can be missing.
  func written(_ property: NamedProperty) -> String {
    // The wrapper is an attribute of the property.
    let type =
      if case .lenient(let number) = property.property.type { written(number) } else { written(property.property.type) }
    return property.property.absence == .never ? type : "\(type)?"
  }
}

/// Markers that give `@JSONCodable` details that are not in a property's declaration.
extension ModelSource {
  /// Returns whether `@CodableNaming(.snakeCase)` on the type makes markers for some keys unnecessary.
  func isNamed(_ properties: [NamedProperty]) -> Bool {
    guard case .macro(.snakeCase) = style else { return false }
    return properties.contains { $0.name != $0.property.key && Self.snakeCase($0.name) == $0.property.key }
  }

  /// Returns the attributes of a property, each followed by a space. `isNamed` is true if the type has `@CodableNaming(.snakeCase)`.
  func markers(of property: NamedProperty, isNamed: Bool) -> String {
    guard style.isMacro else { return "" }
    let key = property.property.key
    let isKnown = (isNamed ? Self.snakeCase(property.name) : property.name) == key
    let strategy = dateStrategy(for: property.property.type).map { "@CodableBy(\($0)) " } ?? ""
    let wrapper = if case .lenient = property.property.type { "@NumberOrString " } else { "" }
    return (isKnown ? "" : "@CodingKey(\(key.swiftLiteral)) ") + strategy + wrapper
  }

  /// Returns the key that `@CodableNaming(.snakeCase)` derives from `name`; `nil` for characters that ``KeyWords`` may drop.
  private static func snakeCase(_ name: String) -> String? {
    let isPlain = name.utf8.allSatisfy { $0.isLetter || $0.isDigit }
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
  private var hasDatesWithoutStrategy: Bool {
    types.types.reduce(into: [types.root]) { found, type in
      let isStructure = if case .structure = type.body { true } else { false }
      found += type.body.types.filter { !isStructure || dateStrategy(for: $0) == nil }
    }.contains { $0.parts.contains(.date) }
  }
}
