/// The code for an enumeration.
struct EnumerationExpansion {
  /// A case as one of the texts that stand for it codes it.
  private struct Arm {
    let enumerationCase: Case
    let tag: String
    /// The members of the object with the case's values.
    let tree: MemberTree
    /// The name of the enumeration of the keys of ``tree``, which is inside ``codingKeys``.
    let keys: String
    let codingKeys: String
    let model: String

    var hasValues: Bool { !enumerationCase.values.isEmpty }
    var coding: ContainerCoding { ContainerCoding(keys: "\(codingKeys).\(keys)", model: model) }
  }

  private let model: Model
  private let tagging: Tagging
  private let cases: [Case]
  /// All known cases by all their texts.
  private let arms: [Arm]
  private let mapping = Mapping()

  init(_ model: Model, _ tagging: Tagging, _ cases: [Case]) {
    self.model = model
    self.tagging = tagging
    self.cases = cases
    arms = cases.filter { !$0.isUnknown }.flatMap { enumerationCase in
      ([enumerationCase.tag] + enumerationCase.aliases).enumerated().map { index, tag in
        Arm(
          enumerationCase: enumerationCase, tag: tag, tree: Self.tree(of: enumerationCase, tag, tagging),
          keys: enumerationCase.plainName.capitalizedFirst + (index == 0 ? "" : "\(index + 1)") + "Keys",
          codingKeys: model.codingKeys, model: model.name)
      }
    }
  }

  private static func tree(of enumerationCase: Case, _ tag: String, _ tagging: Tagging) -> MemberTree {
    let content: String
    var isNewtypeInObject = false
    switch tagging {
    case .raw, .name, .internal: return MemberTree(enumerationCase.values)
    case .key:
      content = tag
      isNewtypeInObject = true
    case .external: content = tag
    case .adjacent(_, let key): content = key
    }
    guard var newtype = enumerationCase.newtype, !isNewtypeInObject else {
      return enumerationCase.values.isEmpty ? MemberTree([]) : MemberTree(enumerationCase.values, in: content)
    }
    newtype.path = [content]
    return MemberTree([newtype])
  }

  private var unknown: Case? { cases.first(where: \.isUnknown) }

  /// The case that stands for itself in every form: one of a raw type or of a name.
  private var isPlainRaw: Bool { if case .raw = tagging { unknown == nil } else { false } }

  // MARK: - Parts

  var parts: Parts {
    Parts(
      reading: reading, mappingDecoding: mappingDecoding, decoding: decoding, writing: writing,
      mappingEncoding: mappingEncoding, encoding: encoding)
  }

  /// Returns the expression for a case with its values.
  private func construction(_ enumerationCase: Case, _ value: (Property) -> String) -> String {
    guard !enumerationCase.values.isEmpty else { return ".\(enumerationCase.name)" }
    let arguments = enumerationCase.values.map { $0.isLabelled ? "\($0.label): \(value($0))" : value($0) }
    return ".\(enumerationCase.name)(\(arguments.joined(separator: ", ")))"
  }

  private func variable(_ property: Property) -> String { property.plainName + "Value" }

  /// Returns the pattern that binds the values of a case.
  private func pattern(_ enumerationCase: Case) -> String {
    guard !enumerationCase.values.isEmpty else { return ".\(enumerationCase.name)" }
    let variables = enumerationCase.values.map { "let \(variable($0))" }
    return ".\(enumerationCase.name)(\(variables.joined(separator: ", ")))"
  }

  /// Returns the cases as they are written: one arm each.
  private var writtenArms: [Arm] {
    var names: Set<String> = []
    return arms.filter { names.insert($0.enumerationCase.name).inserted }
  }

  private func header(_ declaration: String, _ protocolName: String) -> String {
    model.access + declaration + model.functionClause(protocolName)
  }

  // MARK: - Keys

  var keys: Lines {
    var lines = Lines()
    let cases: [String]
    switch tagging {
    case .raw, .name: return lines
    case .external where memberArms.isEmpty:
      lines.add("enum \(model.codingKeys): Swift.CodingKey {}")
      return lines
    case .key, .external: cases = zip(keyNames, memberArms).map { "case \($0) = \($1.tag.literal)" }
    case .internal(let tag), .adjacent(let tag, _): cases = ["case tag = \(tag.literal)"]
    }
    lines.block("enum \(model.codingKeys): Swift.String, Swift.CodingKey") { lines in
      for enumerationCase in cases { lines.add(enumerationCase) }
      for arm in arms where arm.hasValues && !isInternalNewtype(arm) {
        lines.add(arm.coding.keyEnumeration(of: arm.tree, named: arm.keys))
      }
    }
    return lines
  }

  /// The known cases that are an object with one member, by all their texts.
  private var memberArms: [Arm] { if case .external = tagging { arms.filter(\.hasValues) } else { arms } }

  /// The names of the keys that stand for cases, in the order of ``memberArms``.
  private var keyNames: [String] {
    var counts: [String: Int] = [:]
    return memberArms.map { arm in
      counts[arm.enumerationCase.name, default: 0] += 1
      let count = counts[arm.enumerationCase.name] ?? 1
      return count == 1 ? arm.enumerationCase.name : "\(arm.enumerationCase.plainName)_\(count)"
    }
  }

  private func isInternalNewtype(_ arm: Arm) -> Bool {
    if case .internal = tagging { arm.enumerationCase.newtype != nil } else { false }
  }

  // MARK: - The direct path

  private var reading: Lines {
    var lines = Lines()
    guard !isPlainRaw else { return lines }
    lines.block(
      header(
        "static func read(from reader: inout \(Names.reader)) throws(\(Names.readingError)) -> \(model.name)",
        Names.readable)
    ) { lines in
      switch tagging {
      case .raw(let type):
        lines.add("\(model.name)(rawValue: try reader.read(Swift.\(type).self)) ?? .\(unknown?.name ?? "")")
      case .name:
        if unknown == nil { lines.add("let offset = reader.offset") }
        lines.add("let text = try reader.read(Swift.String.self)")
        lines.add(
          switchOverTexts("text", otherwise: "throw reader.dataCorrupted(\(noCase), at: offset)"))
      case .key: readOnlyMember(&lines)
      case .external:
        guard unknown == nil else { return readAsJSON(&lines) }
        if arms.contains(where: { !$0.hasValues }) { readText(&lines) }
        readOnlyMember(&lines)
      case .internal(let tag), .adjacent(let tag, _): readTagged(by: tag, &lines)
      }
    }
    return lines
  }

  /// The reason of errors, as a literal.
  private var noCase: String { "no case of \(model.name)".literal }

  /// Adds a switch over the texts of cases without values.
  private func switchOverTexts(
    _ text: String, isText: Bool = true, otherwise: String
  ) -> Lines {
    var lines = Lines()
    lines.block("switch \(text)") { lines in
      for enumerationCase in cases where !enumerationCase.isUnknown && enumerationCase.values.isEmpty {
        let texts = ([enumerationCase.tag] + enumerationCase.aliases).map(\.literal).joined(separator: ", ")
        lines.add("case \(texts): return .\(enumerationCase.name)")
      }
      if isText, let unknown {
        lines.add("default: return .\(unknown.name)\(unknown.values.isEmpty ? "" : "(text)")")
      } else {
        lines.add("default: \(otherwise)")
      }
    }
    return lines
  }

  private func readText(_ lines: inout Lines) {
    lines.block("if reader.kind == .string") { lines in
      lines.add("let offset = reader.offset")
      lines.add(
        switchOverTexts(
          "try reader.read(Swift.String.self)", isText: false,
          otherwise: "throw reader.dataCorrupted(\(noCase), at: offset)"))
    }
  }

  private func readAsJSON(_ lines: inout Lines) {
    lines.add("let offset = reader.offset")
    lines.add("let json = try reader.read(\(Names.json).self)")
    lines.add(
      "do { return try \(model.name).decode(json) } catch { throw reader.dataCorrupted(\"\\(error)\", at: offset) }")
  }

  /// Adds the code that reads the only member whose key is the name of a case. Other members are skipped, as containers do.
  private func readOnlyMember(_ lines: inout Lines) {
    lines.add("let objectOffset = reader.offset")
    lines.add("var name: Swift.Optional<Swift.String> = nil")
    lines.add("var value: Swift.Optional<\(model.name)> = nil")
    lines.add("try reader.beginObject()")
    lines.block("while let key = try reader.nextKey()") { lines in
      lines.block("switch key") { lines in
        for arm in memberArms {
          lines.add("case \(arm.tag.literal) where name == nil:")
          if let newtype = newtypeOutsideObject(arm) {
            lines.add("  value = \(model.name).\(arm.enumerationCase.name)(try reader.read(\(newtype.type).self))")
          } else {
            readMembers(of: innerTree(of: arm), arm, "value = \(model.name)", &lines)
          }
          lines.add("  name = key")
        }
        let tags = memberArms.map(\.tag.literal).joined(separator: ", ")
        if !tags.isEmpty {
          lines.add("case \(tags):")
          lines.add("  // Of several members with one key, the first counts.")
          lines.add(
            "  if name != key { throw reader.dataCorrupted(\("more than the name of one case".literal), at: objectOffset) }"
          )
          lines.add("  try reader.skip()")
        }
        lines.add("default: try reader.skip()")
      }
      lines.add("try reader.nextMember()")
    }
    lines.add(
      "guard let value else { throw reader.dataCorrupted(\(noCase), at: objectOffset) }")
    lines.add("return value")
  }

  /// The values of a case as members of one object, without the object around them.
  private func innerTree(of arm: Arm) -> MemberTree { MemberTree(arm.enumerationCase.values) }

  private func newtypeOutsideObject(_ arm: Arm) -> Property? {
    if case .external = tagging { arm.enumerationCase.newtype } else { nil }
  }

  private func readMembers(of tree: MemberTree, _ arm: Arm, _ result: String, _ lines: inout Lines) {
    var scope = Scope(tree.properties)
    let reserved: Set = ["reader", "objectOffset", "name", "key", "value"]
    for name in reserved.sorted() { _ = scope.name(name) }
    var reading = DirectReading(tree, reader: "reader", scope: scope, model: model.name, reserved: reserved)
    var body = Lines()
    body.add(reading.members(of: tree))
    body.add(result + construction(arm.enumerationCase) { reading.value(of: $0) })
    for line in body.text { lines.add("  " + line) }
  }

  private func readTagged(by tag: String, _ lines: inout Lines) {
    lines.block("switch try reader.tag(\(tag.literal))") { lines in
      for arm in arms {
        lines.add("case \(arm.tag.literal):")
        if !arm.hasValues {
          lines.add("  try reader.skip()")
          lines.add("  return .\(arm.enumerationCase.name)")
        } else if isInternalNewtype(arm) {
          lines.add(
            "  return .\(arm.enumerationCase.name)(try reader.read(\(arm.enumerationCase.values[0].type).self))")
        } else {
          readMembers(of: arm.tree, arm, "return ", &lines)
        }
      }
      lines.add("default:")
      if let unknown {
        if let value = unknown.values.first {
          lines.add("  return .\(unknown.name)(try reader.read(\(value.type).self))")
        } else {
          lines.add("  try reader.skip()")
          lines.add("  return .\(unknown.name)")
        }
      } else {
        lines.add("  throw reader.dataCorrupted(\(noCase), at: reader.offset)")
      }
    }
  }

  private var writing: Lines {
    var lines = Lines()
    if case .raw = tagging { return lines }
    lines.block(header("func write(to writer: inout \(Names.writer))", Names.writable)) { lines in
      lines.block("switch self") { lines in
        for arm in writtenArms {
          lines.add("case \(pattern(arm.enumerationCase)):")
          for line in write(arm).text { lines.add("  " + line) }
        }
        if let unknown {
          lines.add("case \(pattern(unknown)):")
          for line in writeUnknown(unknown).text { lines.add("  " + line) }
        }
      }
    }
    return lines
  }

  private func write(_ arm: Arm) -> Lines {
    var lines = Lines()
    let writing = DirectWriting(value: variable)
    switch tagging {
    case .raw: break
    case .name: lines.add("writer.write(\(arm.tag.literal))")
    case .key, .external:
      if !arm.hasValues {
        if case .external = tagging {
          lines.add("writer.write(\(arm.tag.literal))")
        } else {
          lines.add("writer.object { members in members.object(\(arm.tag.literal)) { _ in } }")
        }
      } else {
        lines.block("writer.object") { lines in
          lines.add("members in")
          lines.add(writing.members(of: arm.tree))
        }
      }
    case .internal(let tag), .adjacent(let tag, _):
      if isInternalNewtype(arm), let newtype = arm.enumerationCase.newtype {
        lines.add("writer.write(\(variable(newtype)), taggedBy: \(tag.literal), \(arm.tag.literal))")
      } else {
        lines.block("writer.object") { lines in
          lines.add("members in")
          lines.add("members.write(\(tag.literal), \(arm.tag.literal))")
          lines.add(writing.members(of: arm.tree))
        }
      }
    }
    return lines
  }

  private func writeUnknown(_ unknown: Case) -> Lines {
    var lines = Lines()
    if let value = unknown.values.first {
      lines.add("writer.write(\(variable(value)))")
      return lines
    }
    switch tagging {
    case .raw, .name, .key, .external: lines.add("writer.write(\(unknown.tag.literal))")
    case .internal(let tag), .adjacent(let tag, _):
      lines.add("writer.object { members in members.write(\(tag.literal), \(unknown.tag.literal)) }")
    }
    return lines
  }

  // MARK: - Mapping

  private var mappingDecoding: Lines {
    var lines = Lines()
    guard !isPlainRaw else { return lines }
    lines.block(header("static func decode(_ json: \(Names.json)) throws -> \(model.name)", Names.mappingDecodable)) {
      lines in
      switch tagging {
      case .raw(let type):
        lines.add("\(model.name)(rawValue: try Swift.\(type).decode(json)) ?? .\(unknown?.name ?? "")")
      case .name:
        lines.add("let text = try Swift.String.decode(json)")
        lines.add(switchOverTexts("text", otherwise: "throw AnvilCodable.CodingFailure(\(noCase))"))
      case .key, .external:
        if case .external = tagging, arms.contains(where: { !$0.hasValues }) {
          lines.block("if let text = json.string") { lines in
            lines.add(switchOverTexts("text", isText: false, otherwise: "break"))
          }
        }
        let members = "[Swift.String: \(Names.json)].decode(json)"
        lines.add("let members = \(unknown == nil ? "try \(members)" : "(try? \(members)) ?? [:]")")
        let tags = memberArms.map(\.tag.literal).joined(separator: ", ")
        lines.add("let names = ([\(tags)] as [Swift.String]).filter(members.keys.contains)")
        map("names.count == 1 ? names.first : nil", &lines)
      case .internal(let tag), .adjacent(let tag, _):
        lines.add("let tag: Swift.String = try json.value(at: \(tag.literal))")
        map("tag", &lines)
      }
    }
    return lines
  }

  private func map(_ tag: String, _ lines: inout Lines) {
    let isKey: Bool
    switch tagging {
    case .key, .external: isKey = true
    default: isKey = false
    }
    lines.block("switch \(tag)") { lines in
      for arm in isKey ? memberArms : arms {
        let value = construction(arm.enumerationCase) { property in
          if isInternalNewtype(arm) { return "try json.value(at: \(Names.json).Path())" }
          let placed = arm.tree.properties.first { $0.plainName == property.plainName } ?? property
          return mapping.value(of: self.placed(placed, arm), in: "json")
        }
        lines.add("case \(arm.tag.literal)\(isKey ? "?" : ""):")
        if isKey, !arm.hasValues {
          lines.add("  _ = try json.value(at: \(arm.tag.literal)) as [Swift.String: \(Names.json)]")
        }
        lines.add("  return \(value)")
      }
      if let unknown {
        lines.add("default: return \(construction(unknown) { _ in "try json.value(at: \(Names.json).Path())" })")
      } else {
        lines.add("default: throw AnvilCodable.CodingFailure(\(noCase))")
      }
    }
  }

  /// Returns a value of a case with its whole path.
  private func placed(_ property: Property, _ arm: Arm) -> Property {
    var placed = property
    switch tagging {
    case .raw, .name, .internal: break
    case .key: placed.path = [arm.tag] + property.path
    case .external: placed.path = arm.enumerationCase.newtype == nil ? [arm.tag] + property.path : [arm.tag]
    case .adjacent(_, let content):
      placed.path = arm.enumerationCase.newtype == nil ? [content] + property.path : [content]
    }
    return placed
  }

  private var mappingEncoding: Lines {
    var lines = Lines()
    if case .raw = tagging { return lines }
    lines.block(header("func encode(into json: inout \(Names.builder)) throws", Names.mappingEncodable)) { lines in
      lines.block("switch self") { lines in
        for arm in writtenArms {
          lines.add("case \(pattern(arm.enumerationCase)):")
          for line in mapWriting(arm).text { lines.add("  " + line) }
        }
        if let unknown {
          lines.add("case \(pattern(unknown)):")
          lines.add("  " + mapUnknown(unknown))
        }
      }
    }
    return lines
  }

  private func mapWriting(_ arm: Arm) -> Lines {
    var lines = Lines()
    switch tagging {
    case .raw: return lines
    case .name: lines.add("try json.write(\(arm.tag.literal))")
    case .key where !arm.hasValues: lines.add("try json.write(at: \(arm.tag.literal)) { _ in }")
    case .external where !arm.hasValues: lines.add("try json.write(\(arm.tag.literal))")
    case .key, .external: break
    case .internal(let tag), .adjacent(let tag, _):
      lines.add("try json.write(\(arm.tag.literal), at: \(tag.literal))")
    }
    guard arm.hasValues else { return lines }
    if isInternalNewtype(arm), let newtype = arm.enumerationCase.newtype {
      lines.add("try json.write(\(variable(newtype)))")
      return lines
    }
    let placed = arm.enumerationCase.values.map { self.placed($0, arm) }
    if let content = placed.first?.path.first, placed.allSatisfy(\.isOmittable), placed[0].path.count > 1 {
      // The object is written even if all its values are left out.
      lines.block("try json.write(at: \(content.literal))") { lines in
        lines.add("json in")
        lines.add(mapping.writing(MemberTree(arm.enumerationCase.values), to: "json", variable))
      }
      return lines
    }
    lines.add(mapping.writing(MemberTree(placed), to: "json", variable))
    return lines
  }

  private func mapUnknown(_ unknown: Case) -> String {
    if let value = unknown.values.first { return "try json.write(\(variable(value)))" }
    switch tagging {
    case .raw, .name, .key, .external: return "try json.write(\(unknown.tag.literal))"
    case .internal(let tag), .adjacent(let tag, _): return "try json.write(\(unknown.tag.literal), at: \(tag.literal))"
    }
  }

  // MARK: - Containers

  private var decoding: Lines {
    var lines = Lines()
    guard !isPlainRaw else { return lines }
    lines.block(header("init(from decoder: \(Names.decoder)) throws", Names.decodable)) { lines in
      switch tagging {
      case .raw(let type):
        lines.add("let rawValue = try decoder.singleValueContainer().decode(Swift.\(type).self)")
        lines.add("self = \(model.name)(rawValue: rawValue) ?? .\(unknown?.name ?? "")")
      case .name:
        lines.add("let text = try decoder.singleValueContainer().decode(Swift.String.self)")
        assignTexts("text", &lines)
      case .key, .external: decodeOnlyMember(&lines)
      case .internal(let tag), .adjacent(let tag, _):
        lines.add("let tags = try decoder.container(keyedBy: \(model.codingKeys).self)")
        lines.block("switch try tags.decode(Swift.String.self, forKey: .tag)") { lines in
          for arm in arms {
            lines.add("case \(arm.tag.literal):")
            decode(arm, &lines)
          }
          lines.add("default:")
          decodeUnknown("tags", key: ".tag", tag, &lines)
        }
      }
    }
    return lines
  }

  private func assignTexts(_ text: String, _ lines: inout Lines) {
    lines.block("switch \(text)") { lines in
      for enumerationCase in cases where !enumerationCase.isUnknown && enumerationCase.values.isEmpty {
        let texts = ([enumerationCase.tag] + enumerationCase.aliases).map(\.literal).joined(separator: ", ")
        lines.add("case \(texts): self = .\(enumerationCase.name)")
      }
      if let unknown {
        lines.add("default: self = .\(unknown.name)\(unknown.values.isEmpty ? "" : "(text)")")
      } else {
        lines.add("default: throw AnvilCodable.CodingFailure.noCase(of: \(model.name).self, in: decoder)")
      }
    }
  }

  private func decode(_ arm: Arm, _ lines: inout Lines) {
    guard arm.hasValues else { return lines.add("  self = .\(arm.enumerationCase.name)") }
    if isInternalNewtype(arm), let newtype = arm.enumerationCase.newtype {
      let value = "try decoder.singleValueContainer().decode(\(newtype.type).self)"
      return lines.add("  self = .\(arm.enumerationCase.name)(\(value))")
    }
    var scope = Scope(arm.tree.properties)
    for name in ["decoder", "tags", "keys", "key"] { _ = scope.name(name) }
    var values: [String: String] = [:]
    let body = arm.coding.decoding(arm.tree, from: "decoder", &scope) { property, value, _ in
      values[property.plainName] = value
    }
    for line in body.text { lines.add("  " + line) }
    lines.add("  self = " + construction(arm.enumerationCase) { values[$0.plainName] ?? "" })
  }

  private func decodeOnlyMember(_ lines: inout Lines) {
    if case .external = tagging, arms.contains(where: { !$0.hasValues }) {
      lines.add("let text = try? decoder.singleValueContainer().decode(Swift.String.self)")
      lines.block("switch text") { lines in
        for arm in arms where !arm.hasValues {
          lines.add("case \(arm.tag.literal)?:")
          lines.add("  self = .\(arm.enumerationCase.name)")
          lines.add("  return")
        }
        lines.add("default: break")
      }
    }
    let isTolerant = unknown != nil
    lines.add("let keys = try\(isTolerant ? "?" : "") decoder.container(keyedBy: \(model.codingKeys).self)")
    lines.add(
      "let key: Swift.Optional<\(model.codingKeys)> = keys\(isTolerant ? "?" : "").allKeys.count == 1 ? keys\(isTolerant ? "?" : "").allKeys.first : nil"
    )
    lines.block("switch key") { lines in
      for (name, arm) in zip(keyNames, memberArms) {
        lines.add("case .\(name)?:")
        if !arm.hasValues {
          lines.add("  _ = try keys.nestedContainer(keyedBy: \(model.codingKeys).self, forKey: .\(name))")
        }
        decode(arm, &lines)
      }
      lines.add("case nil:")
      if let unknown {
        lines.add(
          "  self = " + construction(unknown) { "try decoder.singleValueContainer().decode(\($0.type).self)" })
      } else {
        lines.add("  throw AnvilCodable.CodingFailure.noCase(of: \(model.name).self, in: keys)")
      }
    }
  }

  private func decodeUnknown(_ container: String, key: String, _ tag: String, _ lines: inout Lines) {
    guard let unknown else {
      return lines.add(
        "  throw AnvilCodable.CodingFailure.noCase(of: \(model.name).self, forKey: \(key), in: \(container))")
    }
    lines.add("  self = " + construction(unknown) { "try decoder.singleValueContainer().decode(\($0.type).self)" })
  }

  private var encoding: Lines {
    var lines = Lines()
    if case .raw = tagging { return lines }
    lines.block(header("func encode(to encoder: \(Names.encoder)) throws", Names.encodable)) { lines in
      lines.block("switch self") { lines in
        for (index, arm) in writtenArms.enumerated() {
          lines.add("case \(pattern(arm.enumerationCase)):")
          for line in encode(arm, index).text { lines.add("  " + line) }
        }
        if let unknown {
          lines.add("case \(pattern(unknown)):")
          for line in encodeUnknown(unknown).text { lines.add("  " + line) }
        }
      }
    }
    return lines
  }

  private func encode(_ arm: Arm, _ index: Int) -> Lines {
    var lines = Lines()
    let single = "var container = encoder.singleValueContainer()"
    switch tagging {
    case .raw: return lines
    case .name:
      lines.add(single)
      lines.add("try container.encode(\(arm.tag.literal))")
    case .external where !arm.hasValues:
      lines.add(single)
      lines.add("try container.encode(\(arm.tag.literal))")
    case .key where !arm.hasValues:
      lines.add("var container = encoder.container(keyedBy: \(model.codingKeys).self)")
      lines.add(
        "_ = container.nestedContainer(keyedBy: \(model.codingKeys).self, forKey: .\(arm.enumerationCase.name))")
    case .key, .external: break
    case .internal, .adjacent:
      lines.add("var tags = encoder.container(keyedBy: \(model.codingKeys).self)")
      lines.add("try tags.encode(\(arm.tag.literal), forKey: .tag)")
    }
    guard arm.hasValues else { return lines }
    if isInternalNewtype(arm), let newtype = arm.enumerationCase.newtype {
      lines.add("try \(variable(newtype)).encode(to: encoder)")
      return lines
    }
    var scope = Scope(arm.tree.properties)
    for name in ["encoder", "tags"] { _ = scope.name(name) }
    lines.add(arm.coding.encoding(arm.tree, to: "encoder", &scope, variable))
    return lines
  }

  private func encodeUnknown(_ unknown: Case) -> Lines {
    var lines = Lines()
    if let value = unknown.values.first {
      lines.add("var container = encoder.singleValueContainer()")
      lines.add("try container.encode(\(variable(value)))")
      return lines
    }
    switch tagging {
    case .raw, .name, .key, .external:
      lines.add("var container = encoder.singleValueContainer()")
      lines.add("try container.encode(\(unknown.tag.literal))")
    case .internal, .adjacent:
      lines.add("var tags = encoder.container(keyedBy: \(model.codingKeys).self)")
      lines.add("try tags.encode(\(unknown.tag.literal), forKey: .tag)")
    }
    return lines
  }
}
