internal import AnvilJSON

/// Access to the members of a schema with checks of their types.
struct SchemaKeywords {
  let json: JSON
  let steps: [JSON.Step]

  subscript(keyword: String) -> JSON? { json[keyword] }

  func malformed(_ keyword: String, _ reason: String) -> JSONSchema.Malformed {
    JSONSchema.Malformed(steps: steps + [.key(keyword)], reason: reason)
  }

  /// Returns the value of `keyword`, which must be a non-negative integer, clamped to `Int.max`; `nil` if the keyword is missing.
  func count(_ keyword: String) throws(JSONSchema.Malformed) -> Int? {
    guard let value = self[keyword] else { return nil }
    guard let count = value.exactNumber?.count else { throw malformed(keyword, "not a non-negative integer") }
    return count
  }

  /// Returns the value of `keyword`, which must be an array of strings; `nil` if the keyword is missing.
  func strings(_ keyword: String) throws(JSONSchema.Malformed) -> [String]? {
    guard let value = self[keyword] else { return nil }
    let strings = value.elements.compactMap(\.string)
    guard value.kind == .array, strings.count == value.count else {
      throw malformed(keyword, "not an array of strings")
    }
    return strings
  }

  /// Returns the text of a regular expression after checking that it is supported.
  func pattern(_ value: JSON, at place: [JSON.Step]) throws(JSONSchema.Malformed) -> String {
    guard let text = value.string else { throw JSONSchema.Malformed(steps: steps + place, reason: "not a string") }
    do {
      _ = try SchemaPattern(text)
    } catch {
      throw JSONSchema.Malformed(steps: steps + place, reason: error.reason)
    }
    return text
  }

  /// Returns the rules for numbers: their bounds and `multipleOf`.
  func bounds() throws(JSONSchema.Malformed) -> [SchemaRule] {
    let sides: [(String, NumberBound.Side)] = [
      ("minimum", .atLeast), ("exclusiveMinimum", .above), ("maximum", .atMost), ("exclusiveMaximum", .below),
    ]
    var rules: [SchemaRule] = []
    for (keyword, side) in sides {
      guard let value = self[keyword] else { continue }
      guard let number = value.exactNumber else { throw malformed(keyword, "not a number") }
      rules.append(.bound(NumberBound(side: side, value: number, text: (value.numberText ?? "").cut)))
    }
    if let value = self["multipleOf"] {
      guard let number = value.exactNumber, !number.isZero, !number.isNegative else {
        throw malformed("multipleOf", "not a number above 0")
      }
      guard number.digits.count <= ExactNumber.longestDivisor else {
        throw malformed("multipleOf", "a number of more than \(ExactNumber.longestDivisor) digits")
      }
      rules.append(.multiple(of: number, text: (value.numberText ?? "").cut))
    }
    return rules
  }

  /// Returns the rules for the lengths of strings and for the numbers of elements and members.
  func sizes() throws(JSONSchema.Malformed) -> [SchemaRule] {
    var rules: [SchemaRule] = []
    for (suffix, measure) in [("Length", Measure.characters), ("Items", .elements), ("Properties", .members)] {
      if let least = try count("min" + suffix) { rules.append(.minimum(measure, least)) }
      if let most = try count("max" + suffix) { rules.append(.maximum(measure, most)) }
    }
    return rules
  }
}

extension JSON {
  static var emptyMembers: Members { JSON([(key: String, value: JSON)]()).members }
}
