import AnvilJSON

/// A JSON value as a plain tree, returned by ``ReferenceParser``.
enum ReferenceValue {
  case null
  case bool(Bool)
  /// The number's text.
  case number(String)
  case string(String)
  case array([ReferenceValue])
  case object([(key: String, value: ReferenceValue)])

  /// Returns whether `json` has the same value, number for number and member for member.
  func matches(_ json: JSON) -> Bool {
    switch self {
    case .null: return json.isNull && json.kind == .null
    case .bool(let value): return json.bool == value && json.kind == .bool
    case .number(let text): return json.kind == .number && json.numberText == text
    case .string(let value): return json.kind == .string && json.string.map { hasScalars($0, of: value) } ?? false
    case .array(let elements):
      return json.kind == .array && json.count == elements.count
        && zip(elements, json.elements).allSatisfy { $0.matches($1) }
    case .object(let members):
      return json.kind == .object && json.count == members.count
        && zip(members, json.members).allSatisfy { hasScalars($0.key, of: $1.key) && $0.value.matches($1.value) }
    }
  }

  /// `true` if an object has two members with the same key.
  var hasRepeatedKeys: Bool {
    switch self {
    case .array(let elements): elements.contains(where: \.hasRepeatedKeys)
    case .object(let members):
      Set(members.map(\.key)).count < members.count || members.contains(where: \.value.hasRepeatedKeys)
    default: false
    }
  }

  /// Returns whether a string value is one of `texts`.
  func hasString(among texts: Set<String>) -> Bool {
    switch self {
    case .string(let text): texts.contains(text)
    case .array(let elements): elements.contains { $0.hasString(among: texts) }
    case .object(let members): members.contains { $0.value.hasString(among: texts) }
    default: false
    }
  }

  /// Returns whether the value at `path` is an object. The keys of `path` may have been converted.
  func isObject(at path: ArraySlice<String>) -> Bool {
    guard let step = path.first else {
      guard case .object = self else { return false }
      return true
    }
    switch self {
    case .array(let elements):
      return Int(step).map { elements.indices.contains($0) && elements[$0].isObject(at: path.dropFirst()) } ?? false
    case .object(let members):
      return members.contains { key, value in
        (key.hasSuffix(step) || KeyLetters.of(key) == KeyLetters.of(step)) && value.isObject(at: path.dropFirst())
      }
    default: return false
    }
  }

  /// `true` if a number is almost zero or almost whole, so that the nearest double is zero or whole but the number is
  /// not.
  var hasNearlyWholeNumbers: Bool {
    switch self {
    case .array(let elements): return elements.contains(where: \.hasNearlyWholeNumbers)
    case .object(let members): return members.contains(where: \.value.hasNearlyWholeNumbers)
    case .number(let text):
      guard let double = Double(text), double.isFinite else { return false }
      return double == double.rounded() && !ExactDecimal(text).isWhole
    default: return false
    }
  }
}

/// Returns whether both strings have the same scalars. `==` ignores differences in normalisation, such as in `é`.
func hasScalars(_ left: String, of right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
