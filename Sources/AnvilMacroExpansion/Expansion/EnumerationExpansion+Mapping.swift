/// Mapping of enumerations from `JSON`.
extension EnumerationExpansion {
  var mappingDecoding: Lines {
    var lines = Lines()
    guard !isPlainRaw else { return lines }
    lines.block(header("static func decode(_ json: \(Names.json)) throws -> \(model.name)", Names.mappingDecodable)) {
      lines in
      switch tagging {
      case .raw(let type):
        lines.add("\(model.name)(rawValue: try \(type).decode(json)) ?? .\(unknown?.name ?? "")")
      case .name:
        lines.add("let text = try Swift.String.decode(json)")
        lines.add(switchOverTexts("text", otherwise: "throw AnvilCodable.CodingFailure(\(noCase(texts)))"))
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
        let read = isOpen ? "json._tagIfPresent(at: \(tag.literal))" : "try json._tag(at: \(tag.literal))"
        map(read, &lines)
      }
    }
    return lines
  }

  func map(_ tag: String, _ lines: inout Lines) {
    let isKey: Bool
    switch tagging {
    case .key, .external: isKey = true
    default: isKey = false
    }
    lines.block("switch \(tag)") { lines in
      for arm in isKey ? memberArms : arms {
        let value = construction(arm.enumerationCase) { property in
          if isInternalNewtype(arm) { return "try json._value(of: Self.self)" }
          let placed = arm.tree.properties.first { $0.plainName == property.plainName } ?? property
          return mapping.value(of: self.placed(placed, arm), in: "json")
        }
        lines.add("case \(arm.tag.literal)\(isKey || isOpen ? "?" : ""):")
        if isKey, !arm.hasValues {
          lines.add("  _ = try json.value(at: \(arm.tag.literal)) as [Swift.String: \(Names.json)]")
        }
        lines.add("  return \(value)")
      }
      if let unknown {
        lines.add("default: return \(construction(unknown) { _ in "try json._value(of: Self.self, isUnknown: true)" })")
      } else {
        let problem = isKey ? noKey(found: "names.count") : noCase(tags)
        lines.add("default: throw AnvilCodable.CodingFailure(\(problem))")
      }
    }
  }

  /// Returns `property`, an associated value of the case of `arm`, with its full path from the root of the enumeration's JSON.
  private func placed(_ property: Property, _ arm: Arm) -> Property {
    var placed = property
    switch tagging {
    case .raw, .name, .internal: break
    case .key: placed.path = [arm.tag] + property.path
    case .external:
      placed.path = arm.enumerationCase.newtype == nil ? [arm.tag] + property.path : [arm.tag]
      placed.isNullWritten = arm.enumerationCase.newtype != nil
    case .adjacent(_, let content):
      placed.path = arm.enumerationCase.newtype == nil ? [content] + property.path : [content]
    }
    return placed
  }
}
