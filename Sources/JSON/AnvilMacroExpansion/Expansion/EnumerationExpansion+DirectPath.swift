extension EnumerationExpansion {
  var reading: Lines {
    var lines = Lines()
    guard !isPlainRaw else { return lines }
    lines.block(
      header(
        "static func read(from reader: inout \(Names.reader)) throws(\(Names.readingError)) -> \(model.name)",
        Names.readable)
    ) { lines in
      switch tagging {
      case .raw(let type):
        lines.add("\(model.selfExpression)(rawValue: try reader.read(\(type).self)) ?? .\(unknown?.name ?? "")")
      case .name:
        if unknown == nil { lines.add("let offset = reader.offset") }
        lines.add("let text = try reader.read(Swift.String.self)")
        lines.add(
          switchOverTexts("text", otherwise: "throw \(noCase(texts, at: "offset"))"))
      case .key: readOnlyMember(&lines)
      case .external:
        guard unknown == nil else { return lines.add("try reader._readCodable(\(model.selfExpression).self)") }
        if arms.contains(where: { !$0.hasValues }) { readText(&lines) }
        readOnlyMember(&lines)
      case .internal(let tag), .adjacent(let tag, _): readTagged(by: tag, &lines)
      }
    }
    return lines
  }

  /// The error for an unknown text, as an expression.
  private func noCase(_ cases: [String], at offset: String) -> String {
    "reader._noCase(of: \(model.selfExpression).self, [\(cases.joined(separator: ", "))], at: \(offset))"
  }

  /// The error for an object that has not exactly one of the keys of the cases, as an expression.
  private func noKey(found count: Int) -> String {
    let cases = Self.distinct(memberArms).joined(separator: ", ")
    return "reader._noKey(of: \(model.selfExpression).self, [\(cases)], found: \(count), at: objectOffset)"
  }

  /// The texts of the cases without values, as literals.
  var texts: [String] { cases.filter { !$0.isUnknown && $0.values.isEmpty }.map(\.tag.literal) }

  /// The tags of the cases, as literals.
  var tags: [String] { Self.distinct(arms) }

  private static func distinct(_ arms: [Arm]) -> [String] {
    arms.map(\.tag.literal).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Returns a switch over the texts of cases without values. Each is followed by `result`, which returns or assigns the case.
  func switchOverTexts(
    _ text: String, isText: Bool = true, result: String = "return ", otherwise: String
  ) -> Lines {
    .block("switch \(text)") { lines in
      for enumerationCase in cases where !enumerationCase.isUnknown && enumerationCase.values.isEmpty {
        let texts = ([enumerationCase.tag] + enumerationCase.aliases).map(\.literal).joined(separator: ", ")
        lines.add("case \(texts): \(result).\(enumerationCase.name)")
      }
      if isText, let unknown {
        lines.add("default: \(result).\(unknown.name)\(unknown.values.isEmpty ? "" : "(text)")")
      } else {
        lines.add("default: \(otherwise)")
      }
    }
  }

  private func readText(_ lines: inout Lines) {
    lines.block("if reader.kind == .string") { lines in
      lines.add("let offset = reader.offset")
      lines.add(
        switchOverTexts(
          "try reader.read(Swift.String.self)", isText: false,
          otherwise: "throw \(noCase(texts, at: "offset"))"))
    }
  }

  /// Adds the code that reads the member whose key identifies a case, of which there must be exactly one. Other members are skipped, as
  /// with containers.
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
            let construction = "\(model.selfExpression).\(arm.enumerationCase.name)"
            let fallback = newtype.isOptional ? nil : newtype.fallback
            let null = fallback.map { "reader.readNullIfPresent() ? \($0.text) : " } ?? ""
            lines.add("  value = \(construction)(try \(null)reader.read(\(newtype.fullMetatype)))")
          } else {
            let tree = MemberTree(arm.enumerationCase.values)
            readMembers(
              of: tree, canBeNull: arm.hasValues && tree.isOptional, arm, "value = \(model.selfExpression)", &lines)
          }
          lines.add("  name = key")
        }
        let tags = memberArms.map(\.tag.literal).joined(separator: ", ")
        if !tags.isEmpty {
          lines.add("case \(tags):")
          lines.add("  // Of several members with one key, the first counts.")
          lines.add(
            "  if name != key { throw \(noKey(found: 2)) }"
          )
          lines.add("  try reader.skip()")
        }
        lines.add("default: try reader.skip()")
      }
      lines.add("try reader.nextMember()")
    }
    lines.add(
      "guard let value else { throw \(noKey(found: 0)) }")
    lines.add("return value")
  }

  private func newtypeOutsideObject(_ arm: Arm) -> Property? {
    if case .external = tagging { arm.enumerationCase.newtype } else { nil }
  }

  private func readMembers(
    of tree: MemberTree, canBeNull: Bool = false, _ arm: Arm, _ result: String, _ lines: inout Lines
  ) {
    var scope = Scope(tree.properties)
    let reserved: Set = ["reader", "objectOffset", "name", "key", "value"]
    for name in reserved.sorted() { _ = scope.name(name) }
    var reading = DirectReading(
      tree, reader: "reader", scope: scope, model: model.name, keys: model.codingKeys, reserved: reserved)
    var body = reading.members(of: tree, canBeNull: canBeNull)
    body.add(result + construction(arm.enumerationCase) { reading.value(of: $0) })
    for line in body.text { lines.add("  " + line) }
  }

  private func readTagged(by tag: String, _ lines: inout Lines) {
    lines.block("switch try reader.\(isOpen ? "_tagIfPresent" : "tag")(\(tag.literal))") { lines in
      for arm in arms {
        lines.add("case \(arm.tag.literal)\(isOpen ? "?" : ""):")
        if !arm.hasValues {
          lines.add("  try reader.skip()")
          lines.add("  return .\(arm.enumerationCase.name)")
        } else if isInternalNewtype(arm) {
          lines.add(
            "  return .\(arm.enumerationCase.name)(try reader._value(\(arm.enumerationCase.values[0].fullMetatype), of: Self.self))"
          )
        } else {
          readMembers(of: arm.tree, arm, "return ", &lines)
        }
      }
      lines.add("default:")
      if let unknown {
        if let value = unknown.values.first {
          let read = "try reader._value(\(value.fullMetatype), of: Self.self, isUnknown: true)"
          lines.add("  return .\(unknown.name)(\(read))")
        } else {
          lines.add("  try reader.skip()")
          lines.add("  return .\(unknown.name)")
        }
      } else {
        let cases = tags.joined(separator: ", ")
        lines.add("  throw reader._noCase(of: \(model.selfExpression).self, forKey: \(tag.literal), [\(cases)])")
      }
    }
  }

  var writing: Lines {
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

  func write(_ arm: Arm) -> Lines {
    var lines = Lines()
    let writing = DirectWriting(value: variable)
    switch tagging {
    case .raw: break
    case .name: lines.add("writer.write(\(arm.tag.literal))")
    case .key where !arm.hasValues:
      lines.add("writer.object { members in members.object(\(arm.tag.literal)) { _ in } }")
    case .external where !arm.hasValues: lines.add("writer.write(\(arm.tag.literal))")
    case .key, .external:
      lines.block("writer.object", parameters: " members in") { $0.add(writing.members(of: arm.tree)) }
    case .internal(let tag), .adjacent(let tag, _):
      if isInternalNewtype(arm), let newtype = arm.enumerationCase.newtype {
        lines.add(
          "writer._write(\(variable(newtype)), of: Self.self, taggedBy: \(tag.literal), \(arm.enumerationCase.tagLiteral))"
        )
      } else {
        lines.block("writer.object", parameters: " members in") { lines in
          lines.add("members.write(\(tag.literal), \(arm.enumerationCase.tagLiteral))")
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
      lines.add("writer.object { members in members.write(\(tag.literal), \(unknown.tagLiteral)) }")
    }
    return lines
  }
}
