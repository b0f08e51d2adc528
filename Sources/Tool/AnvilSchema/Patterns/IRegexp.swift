/// A regular expression of the interoperable subset I-Regexp, matched in linear time. Source: RFC 9485.
///
/// Assertions and sets such as `^`, `\b` and `\d`, which ECMA-262 has and I-Regexp does not, are also supported.
package struct IRegexp {
  /// The maximum number of instructions of an expression.
  private static let mostInstructions = 10_000

  private let matcher: PatternMatcher

  /// Parses an expression. Returns `nil` if it is invalid or too large, or if it contains a look-ahead or a back reference.
  ///
  /// - Parameter isWhole: True if the expression must match a whole text. If false, it can match a part of a text.
  package init?(_ text: String, isWhole: Bool) {
    guard let pattern = try? SchemaPattern(interoperable: text, isWhole: isWhole), pattern.references.isEmpty,
      pattern.lookaheads.isEmpty
    else { return nil }
    matcher = PatternMatcher(pattern)
    guard matcher.size <= Self.mostInstructions else { return nil }
  }

  /// Returns true if the expression matches `text`.
  ///
  /// - Parameter instructions: The number of instructions that may be executed. It is reduced by the number of executed instructions, and
  ///   negative if it was not enough; the result is then false.
  /// - Complexity: O(*n*), *n* the number of scalars of `text`.
  package func matches(_ text: String, instructions: inout Int) -> Bool {
    var work = PatternWork(instructions)
    defer { instructions = work.remaining }
    return (try? matcher.matches(text, &work)) == true
  }

  /// The number of instructions of the expression.
  package var size: Int { matcher.size }
}
