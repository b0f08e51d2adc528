/// Coding of enumerations with the containers of any `Decoder` and `Encoder`.
extension EnumerationExpansion {
  var decoding: Lines {
    var lines = Lines()
    lines.block(header("init(from decoder: \(Names.decoder)) throws", Names.decodable)) { lines in
      switch tagging {
      case .raw where isPlainRaw: lines.add("try self.init(_rawValueFrom: decoder)")
      case .raw(let type):
        lines.add("let rawValue = try decoder.singleValueContainer().decode(\(type).self)")
        lines.add("self = \(model.name)(rawValue: rawValue) ?? .\(unknown?.name ?? "")")
      case .name:
        lines.add("let text = try decoder.singleValueContainer().decode(Swift.String.self)")
        assignTexts("text", &lines)
      case .key, .external: decodeOnlyMember(&lines)
      case .internal(let tag), .adjacent(let tag, _):
        lines.add("let tags = try\(isOpen ? "?" : "") decoder.container(keyedBy: \(model.codingKeys).self)")
        let read = isOpen ? "tags.flatMap({ $0._tagIfPresent(forKey: .tag) })" : "try tags._tag(forKey: .tag)"
        lines.block("switch \(read)") { lines in
          for arm in arms {
            lines.add("case \(arm.tag.literal)\(isOpen ? "?" : ""):")
            decode(arm, &lines)
          }
          lines.add("default:")
          decodeUnknown("tags", key: ".tag", tag, &lines)
        }
      }
    }
    if case .raw(let type) = tagging, let unknown {
      // The default for types with raw values would refuse the others.
      lines.block(header("static func decode(_ json: \(Names.json)) throws -> \(model.name)", Names.mappingDecodable)) {
        $0.add("\(model.name)(rawValue: try \(type).decode(json)) ?? .\(unknown.name)")
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
        let cases = texts.joined(separator: ", ")
        lines.add(
          "default: throw AnvilCodable.CodingFailure._noCase(of: \(model.name).self, in: decoder, cases: [\(cases)])")
      }
    }
  }

  func decode(_ arm: Arm, _ lines: inout Lines) {
    guard arm.hasValues else { return lines.add("  self = .\(arm.enumerationCase.name)") }
    if isInternalNewtype(arm), let newtype = arm.enumerationCase.newtype {
      let value = "try decoder._value(\(newtype.type).self, of: Self.self)"
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
        lines.add("  self = " + unknownValue(unknown))
      } else {
        lines.add("  throw AnvilCodable.CodingFailure._noCase(of: \(model.name).self, in: keys)")
      }
    }
  }

  private func decodeUnknown(_ container: String, key: String, _ tag: String, _ lines: inout Lines) {
    guard let unknown else {
      lines.add("  throw AnvilCodable.CodingFailure._noCase(")
      return lines.add(
        "    of: \(model.name).self, forKey: \(key), in: \(container), cases: [\(tags.joined(separator: ", "))])")
    }
    lines.add("  self = " + unknownValue(unknown))
  }

  private func unknownValue(_ unknown: Case) -> String {
    construction(unknown) { "try decoder._value(\($0.type).self, of: Self.self, isUnknown: true)" }
  }

  var encoding: Lines {
    var lines = Lines()
    lines.block(header("func encode(to encoder: \(Names.encoder)) throws", Names.encodable)) { lines in
      if case .raw = tagging {
        lines.add("var container = encoder.singleValueContainer()")
        lines.add("try container.encode(self.rawValue)")
        return
      }
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

  func encode(_ arm: Arm, _ index: Int) -> Lines {
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
      lines.add("try tags.encode(\(arm.enumerationCase.tagLiteral), forKey: .tag)")
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
      lines.add("try tags.encode(\(unknown.tagLiteral), forKey: .tag)")
    }
    return lines
  }
}
