struct EnumerationExpansion {
  /// A case together with one of the texts that identify it.
  struct Arm {
    let enumerationCase: Case
    let tag: String
    /// The members of the object with the case's values.
    let tree: MemberTree
    /// The name of the key case that identifies the case by ``tag``.
    let key: String
    /// The name of the enumeration of the keys of ``tree``, which is inside ``codingKeys``.
    let keys: String
    let codingKeys: String
    let model: String

    var hasValues: Bool { !enumerationCase.values.isEmpty }
    var coding: ContainerCoding { ContainerCoding(keys: "\(codingKeys).\(keys)", model: model) }
  }

  let model: Model
  let tagging: Tagging
  let cases: [Case]
  /// One arm for each tag and each alias of every case except the unknown case.
  let arms: [Arm]

  init(_ model: Model, _ tagging: Tagging, _ cases: [Case]) {
    self.model = model
    self.tagging = tagging
    self.cases = cases
    // Cases such as owner and Owner must have different names, as must their aliases and the enumerations of their keys.
    var scope = Scope(names: cases.map(\.plainName))
    arms = cases.filter { !$0.isUnknown }.flatMap { enumerationCase in
      ([enumerationCase.tag] + enumerationCase.aliases).enumerated().map { index, tag in
        let suffix = index == 0 ? "" : "\(index + 1)"
        return Arm(
          enumerationCase: enumerationCase, tag: tag, tree: Self.tree(of: enumerationCase, tag, tagging),
          key: index == 0 ? enumerationCase.name : scope.name("\(enumerationCase.identifier)_\(suffix)"),
          keys: scope.name(enumerationCase.identifier.capitalizedFirst + suffix + "Keys"),
          codingKeys: model.codingKeys, model: model.name)
      }
    }
  }

  static func tree(of enumerationCase: Case, _ tag: String, _ tagging: Tagging) -> MemberTree {
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
    // Without the member, nothing would tell which case it is.
    if case .external = tagging { newtype.isNullWritten = true }
    return MemberTree([newtype])
  }

  var unknown: Case? { cases.first(where: \.isUnknown) }

  /// True if the cases have raw values and none of them is `@CodableUnknown`. The type then uses the coding of `RawRepresentable` types.
  var isPlainRaw: Bool { if case .raw = tagging { unknown == nil } else { false } }

  var parts: Parts {
    Parts(reading: reading, decoding: decoding, writing: writing, encoding: encoding)
  }

  /// Returns the expression for a case with its values.
  func construction(_ enumerationCase: Case, _ value: (Property) -> String) -> String {
    guard !enumerationCase.values.isEmpty else { return ".\(enumerationCase.name)" }
    let arguments = enumerationCase.values.map { $0.isLabelled ? "\($0.label): \(value($0))" : value($0) }
    return ".\(enumerationCase.name)(\(arguments.joined(separator: ", ")))"
  }

  func variable(_ property: Property) -> String { property.identifier + "Value" }

  /// Returns the pattern that binds the values of a case.
  func pattern(_ enumerationCase: Case) -> String {
    guard !enumerationCase.values.isEmpty else { return ".\(enumerationCase.name)" }
    let variables = enumerationCase.values.map { "let \(variable($0))" }
    return ".\(enumerationCase.name)(\(variables.joined(separator: ", ")))"
  }

  /// The arms that are written: one for each case.
  var writtenArms: [Arm] {
    var names: Set<String> = []
    return arms.filter { names.insert($0.enumerationCase.name).inserted }
  }

  func header(_ declaration: String, _ protocolName: String) -> String {
    model.modifiers + declaration + model.functionClause(protocolName)
  }

  /// The declaration of the member that identifies cases, and of the values that are in the same object.
  var tag: Lines {
    var lines = Lines()
    lines.add("\(model.modifiers)static var _tagKey: Swift.String { \(tagging.tag?.literal ?? "") }")
    lines.block("\(model.modifiers)static var _taggedValues: [(type: any Any.Type, isUnknown: Swift.Bool)]") { lines in
      var values: [String] = []
      for enumerationCase in cases {
        guard let value = enumerationCase.newtype else { continue }
        if enumerationCase.isUnknown {
          values.append("(\(value.fullMetatype), true)")
        } else if case .internal = tagging {
          values.append("(\(value.fullMetatype), false)")
        }
      }
      lines.add("[\(values.joined(separator: ", "))]")
    }
    return lines
  }

  /// True if a value without a known tag has a case.
  var isOpen: Bool { unknown != nil }

  var keys: Lines {
    var lines = Lines()
    let cases: [String]
    switch tagging {
    case .raw, .name: return lines
    case .external where memberArms.isEmpty:
      lines.add("enum \(model.codingKeys): Swift.CodingKey {}")
      return lines
    case .key, .external: cases = memberArms.map { "case \($0.key) = \($0.tag.literal)" }
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

  /// The known cases that are coded as an object with one member, once for each of their texts.
  var memberArms: [Arm] { if case .external = tagging { arms.filter(\.hasValues) } else { arms } }

  func isInternalNewtype(_ arm: Arm) -> Bool {
    if case .internal = tagging { arm.enumerationCase.newtype != nil } else { false }
  }
}

/// Coding of enumerations with the containers of any `Decoder` and `Encoder`.
extension EnumerationExpansion {
  var decoding: Lines {
    var lines = Lines()
    lines.block(header("init(from decoder: \(Names.decoder)) throws", Names.decodable)) { lines in
      switch tagging {
      case .raw where isPlainRaw: lines.add("try self.init(_rawValueFrom: decoder)")
      case .raw(let type):
        lines.add("let rawValue = try decoder.singleValueContainer().decode(\(type).self)")
        lines.add("self = \(model.selfExpression)(rawValue: rawValue) ?? .\(unknown?.name ?? "")")
      case .name:
        lines.add("let text = try decoder.singleValueContainer().decode(Swift.String.self)")
        let cases = texts.joined(separator: ", ")
        let error =
          "AnvilCodable.CodingStrategyError._noCase(of: \(model.selfExpression).self, in: decoder, cases: [\(cases)])"
        lines.add(switchOverTexts("text", result: "self = ", otherwise: "throw \(error)"))
      case .key, .external: decodeOnlyMember(&lines)
      case .internal, .adjacent:
        lines.add("let tags = try\(isOpen ? "?" : "") decoder.container(keyedBy: \(model.codingKeys).self)")
        let read = isOpen ? "tags.flatMap({ $0._tagIfPresent(forKey: .tag) })" : "try tags._tag(forKey: .tag)"
        lines.block("switch \(read)") { lines in
          for arm in arms {
            lines.add("case \(arm.tag.literal)\(isOpen ? "?" : ""):")
            decode(arm, &lines)
          }
          lines.add("default:")
          decodeUnknown(&lines)
        }
      }
    }
    if case .raw(let type) = tagging, let unknown {
      // The default for types with raw values would refuse the others.
      lines.block(header("static func decode(_ json: \(Names.json)) throws -> \(model.name)", Names.mappingDecodable)) {
        $0.add("\(model.selfExpression)(rawValue: try \(type).decode(json)) ?? .\(unknown.name)")
      }
    }
    return lines
  }

  func decode(_ arm: Arm, _ lines: inout Lines) {
    guard arm.hasValues else { return lines.add("  self = .\(arm.enumerationCase.name)") }
    if isInternalNewtype(arm), let newtype = arm.enumerationCase.newtype {
      let value = "try decoder._value(\(newtype.fullMetatype), of: Self.self)"
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
      for arm in memberArms {
        lines.add("case .\(arm.key)?:")
        if !arm.hasValues {
          lines.add("  _ = try keys.nestedContainer(keyedBy: \(model.codingKeys).self, forKey: .\(arm.key))")
        }
        decode(arm, &lines)
      }
      lines.add("case nil:")
      if let unknown {
        lines.add("  self = " + unknownValue(unknown))
      } else {
        lines.add("  throw AnvilCodable.CodingStrategyError._noCase(of: \(model.selfExpression).self, in: keys)")
      }
    }
  }

  private func decodeUnknown(_ lines: inout Lines) {
    if let unknown { return lines.add("  self = " + unknownValue(unknown)) }
    lines.add("  throw AnvilCodable.CodingStrategyError._noCase(")
    let cases = tags.joined(separator: ", ")
    lines.add("    of: \(model.selfExpression).self, forKey: .tag, in: tags, cases: [\(cases)])")
  }

  private func unknownValue(_ unknown: Case) -> String {
    construction(unknown) { "try decoder._value(\($0.fullMetatype), of: Self.self, isUnknown: true)" }
  }

  var encoding: Lines {
    .block(header("func encode(to encoder: \(Names.encoder)) throws", Names.encodable)) { lines in
      if case .raw = tagging { return encode("self.rawValue", &lines) }
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
  }

  func encode(_ arm: Arm, _ index: Int) -> Lines {
    var lines = Lines()
    switch tagging {
    case .raw: return lines
    case .external where !arm.hasValues, .name: encode(arm.tag.literal, &lines)
    case .key where !arm.hasValues:
      lines.add("var container = encoder.container(keyedBy: \(model.codingKeys).self)")
      lines.add(
        "_ = container.nestedContainer(keyedBy: \(model.codingKeys).self, forKey: .\(arm.enumerationCase.name))")
    case .key, .external: break
    case .internal, .adjacent: encode(tag: arm.enumerationCase.tagLiteral, &lines)
    }
    guard arm.hasValues else { return lines }
    if isInternalNewtype(arm), let newtype = arm.enumerationCase.newtype {
      lines.add("try encoder._encode(\(variable(newtype)), of: Self.self)")
      // If the value has a member with the key of the tag, the tag is kept.
      lines.add("try tags.encode(\(arm.enumerationCase.tagLiteral), forKey: .tag)")
      return lines
    }
    var scope = Scope(arm.tree.properties)
    for name in ["encoder", "tags"] { _ = scope.name(name) }
    lines.add(arm.coding.encoding(arm.tree, to: "encoder", &scope, variable))
    return lines
  }

  private func encodeUnknown(_ unknown: Case) -> Lines {
    var lines = Lines()
    if let value = unknown.values.first, case .internal = tagging {
      // A value in a tagged value: both are written into one object.
      lines.add("try \(variable(value)).encode(to: encoder)")
      return lines
    }
    if let value = unknown.values.first {
      encode(variable(value), &lines)
    } else if tagging.tag == nil {
      encode(unknown.tag.literal, &lines)
    } else {
      encode(tag: unknown.tagLiteral, &lines)
    }
    return lines
  }

  private func encode(_ value: String, _ lines: inout Lines) {
    lines.add("var container = encoder.singleValueContainer()")
    lines.add("try container.encode(\(value))")
  }

  private func encode(tag: String, _ lines: inout Lines) {
    lines.add("var tags = encoder.container(keyedBy: \(model.codingKeys).self)")
    lines.add("try tags.encode(\(tag), forKey: .tag)")
  }
}
