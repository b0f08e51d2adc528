/// A regular expression of ECMA-262, as schemas have it, in the syntax of Swift's `Regex`.
///
/// Everything that the two read differently is spelt out: `$` is only the end, `\d` and `\w` are ASCII, `.` is
/// everything but ECMAScript's line ends, classes have no operators. Look-behind is what `Regex` does not have.
struct SchemaPattern {
  /// Why a text is no such expression, or none that can be used.
  struct Failure: Error {
    let reason: String
  }

  private static let longestPattern = 8192
  private static let deepestGroup = 64

  let scalars: [Unicode.Scalar]
  var next = 0
  var output = ""

  /// `pattern` made ready to match the scalars of strings anywhere in them.
  ///
  /// - Throws: ``Failure`` when it is not ECMAScript's with the flag `u`, or more than `Regex` can do.
  static func regex(_ pattern: String) throws(Failure) -> Regex<AnyRegexOutput> {
    var translation = SchemaPattern(scalars: Array(pattern.unicodeScalars))
    guard translation.scalars.count <= longestPattern else {
      throw Failure(reason: "a pattern of more than \(longestPattern) characters")
    }
    try translation.translate()
    do {
      return try Regex(translation.output).matchingSemantics(.unicodeScalar).wordBoundaryKind(.simple)
        .asciiOnlyWordCharacters()
    } catch {
      throw Failure(reason: "a regular expression that cannot be used: \(error)")
    }
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  var peek: Unicode.Scalar? { next < scalars.count ? scalars[next] : nil }

  mutating func take(_ text: String) -> Bool {
    guard scalars[next...].starts(with: text.unicodeScalars) else { return false }
    next += text.unicodeScalars.count
    return true
  }

  private mutating func translate() throws(Failure) {
    var depth = 0
    /// Whether something stands before that can be repeated.
    var isRepeatable = false
    while let scalar = peek {
      next += 1
      switch scalar {
      case "(":
        depth += 1
        guard depth <= Self.deepestGroup else {
          throw Failure(reason: "more than \(Self.deepestGroup) groups in each other")
        }
        try beginGroup()
        isRepeatable = false
      case ")":
        depth -= 1
        guard depth >= 0 else { throw Failure(reason: "a regular expression with ) and no ( before it") }
        output += ")"
        isRepeatable = true
      case "|":
        output += "|"
        isRepeatable = false
      case "^", "$":
        output += scalar == "^" ? "\\A" : "\\z"
        isRepeatable = false
      case "*", "+", "?", "{":
        guard isRepeatable else {
          throw Failure(reason: "a regular expression with nothing to repeat before \(scalar)")
        }
        try repetition(scalar)
        isRepeatable = false
      case "[":
        try characterClass()
        isRepeatable = true
      case ".":
        output += "[^\\n\\r\\u{2028}\\u{2029}]"
        isRepeatable = true
      case "\\": isRepeatable = try escape()
      case "]", "}": throw Failure(reason: "a regular expression with \(scalar) that is not escaped")
      default:
        output += Self.literal(scalar)
        isRepeatable = true
      }
    }
    guard depth == 0 else { throw Failure(reason: "a regular expression with ( and no ) behind it") }
  }

  private mutating func beginGroup() throws(Failure) {
    output += "("
    guard take("?") else { return }
    for kind in [":", "=", "!"] where take(kind) {
      output += "?" + kind
      return
    }
    if take("<=") || take("<!") {
      throw Failure(reason: "a regular expression with look-behind, which is not supported")
    }
    guard take("<"), let name = name() else {
      throw Failure(reason: "a regular expression with a group of no known kind")
    }
    output += "?<\(name)>"
  }

  mutating func name() -> String? {
    let rest = scalars[next...]
    guard let end = rest.firstIndex(of: ">"), end > next,
      rest[..<end].allSatisfy({ $0 == "_" || ($0.isASCII && $0.properties.isAlphabetic) || ("0"..."9").contains($0) })
    else { return nil }
    next = end + 1
    return rest[..<end].reduce(into: "") { $0.unicodeScalars.append($1) }
  }

  private mutating func repetition(_ scalar: Unicode.Scalar) throws(Failure) {
    if scalar == "{" {
      guard let end = scalars[next...].firstIndex(of: "}") else {
        throw Failure(reason: "a regular expression with { that is not escaped")
      }
      let text = scalars[next..<end].reduce(into: "") { $0.unicodeScalars.append($1) }
      let bounds = text.split(separator: ",", omittingEmptySubsequences: false)
      guard bounds.count <= 2, let first = bounds.first, !first.isEmpty,
        bounds.allSatisfy({ $0.utf8.allSatisfy(\.isDecimal) }),
        bounds.count == 1 || bounds[1].isEmpty
          || (Int(first) ?? 0) <= (Int(bounds[1]) ?? .max)
      else { throw Failure(reason: "a regular expression with { that is not escaped") }
      output += "{\(text)}"
      next = end + 1
    } else {
      output.unicodeScalars.append(scalar)
    }
    if take("?") { output += "?" }
  }

  /// A character by its number, unless it is one that means nothing else anywhere.
  static func literal(_ scalar: Unicode.Scalar) -> String {
    if ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar) {
      return String(Character(scalar))
    }
    return "\\u{\(String(scalar.value, radix: 16))}"
  }
}
