internal import AnvilJSON

/// Short forms of texts and values for findings.
extension String {
  private static var longestShown: Int { 60 }

  /// The text, shortened if it is long.
  var cut: String {
    unicodeScalars.count <= Self.longestShown
      ? self : unicodeScalars.prefix(Self.longestShown).reduce(into: "") { $0.unicodeScalars.append($1) } + "…"
  }

  /// The text as a JSON string, shortened if it is long.
  var quoted: String { JSON(cut).serializedText() }
}

extension JSON {
  /// The value in one line, shortened if it is long.
  var shown: String { string.map(\.quoted) ?? serializedText().cut }
}

extension Collection where Element == String {
  /// Joins the distinct elements: `a`, `a or b`, `a, b or c`.
  func joined(by conjunction: String) -> String {
    var seen: Set<String> = []
    let parts = filter { seen.insert($0).inserted }
    guard let last = parts.last, parts.count > 1 else { return parts.last ?? "" }
    return parts.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}

extension SchemaRule {
  private static let mostShown = 8

  /// Describes a choice of `values`: `"a"`, `one of "a", "b"`.
  static func phrase(of values: some Collection<JSON>) -> String {
    switch values.count {
    case 0: return "no value"
    case 1: return values.map(\.shown).joined()
    default:
      let shown = values.prefix(mostShown).map(\.shown).joined(separator: ", ")
      return values.count <= mostShown ? "one of \(shown)" : "one of \(shown), … (\(values.count) in all)"
    }
  }

  /// Returns `values` as text without quotation marks; an empty array if there are more than 50.
  static func choices(of values: some Collection<JSON>) -> [String] {
    values.count > 50 ? [] : values.map { $0.string ?? $0.serializedText().cut }
  }

  /// A description of matching values: `a string of at most 3 characters`. It is `nil` if it would depend on other
  /// schemas or be too long.
  var phrase: String? {
    switch self {
    case .nothing: "no value"
    case .types(let types): types.map(\.phrase).joined(by: "or")
    case .constant(let value): Self.phrase(of: [value])
    case .oneOf(let values): Self.phrase(of: values)
    case .bound(let bound): bound.phrase
    case .multiple(_, let text): "a multiple of \(text)"
    case .minimum(let measure, let count): measure.phrase(of: "at least \(count)", count: count)
    case .maximum(let measure, let count): measure.phrase(of: "at most \(count)", count: count)
    case .pattern(let pattern): "a string that matches \(pattern.quoted)"
    case .format(let format): format.phrase
    case .unique: "an array without repeated elements"
    default: nil
    }
  }
}

extension NumberBound {
  var phrase: String {
    switch side {
    case .atLeast: "a number of at least \(text)"
    case .above: "a number above \(text)"
    case .atMost: "a number of at most \(text)"
    case .below: "a number below \(text)"
    }
  }
}

extension Measure {
  func phrase(of amount: String, count: Int) -> String {
    switch self {
    case .characters: "a string of \(amount) character\(count == 1 ? "" : "s")"
    case .elements: "an array of \(amount) element\(count == 1 ? "" : "s")"
    case .members: "an object of \(amount) member\(count == 1 ? "" : "s")"
    }
  }
}
