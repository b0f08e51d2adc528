/// A set of Unicode scalars.
struct PatternSet {
  /// The ranges in ascending order, without overlaps.
  private let ranges: [ClosedRange<UInt32>]
  private let properties: [PatternProperty]
  private let isNegated: Bool

  init(_ ranges: [ClosedRange<UInt32>], properties: [PatternProperty] = [], isNegated: Bool = false) {
    self.ranges = Self.merged(ranges)
    self.properties = properties
    self.isNegated = isNegated
  }

  /// Returns whether `scalar` is in the set.
  ///
  /// - Complexity: O(log *n*) in the number of ranges, and O(*m*) in the number of properties.
  func contains(_ scalar: UInt32) -> Bool {
    (hasRange(around: scalar) || properties.contains { $0.contains(scalar) }) != isNegated
  }

  private func hasRange(around scalar: UInt32) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(scalar)
  }

  private static func merged(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var output: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = output.last, range.lowerBound <= last.upperBound {
        output[output.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        output.append(range)
      }
    }
    return output
  }
}

extension PatternSet {
  static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
  static let wordCharacters: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
  /// The characters that `\s` matches. Source: ECMA-262, CharacterClassEscape `s`: WhiteSpace and LineTerminator.
  static let spaces: [ClosedRange<UInt32>] = [
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
    0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ]
  static let lineEnds: [ClosedRange<UInt32>] = [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]
  /// The characters that `.` does not match. Source: RFC 9485 §5.3.
  static let interoperableLineEnds: [ClosedRange<UInt32>] = [0x0A...0x0A, 0x0D...0x0D]

  /// Returns all scalars outside of `ranges`, which must be in ascending order and must not overlap.
  static func complement(of ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var output: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if next < range.lowerBound { output.append(next...(range.lowerBound - 1)) }
      next = range.upperBound + 1
    }
    return output + [next...0x10FFFF]
  }
}

/// A Unicode property such as `\p{Lu}`, matched by Swift's `Regex`.
///
/// The expression matches a single character, so that it cannot backtrack.
final class PatternProperty {
  private let regex: Regex<AnyRegexOutput>
  /// A cache of recent results, by scalar.
  private var known: [UInt32: Bool] = [:]

  private static let mostKnown = 4096

  /// Compiles a property.
  ///
  /// - Parameter text: The escape, such as `\p{Lu}` or `\P{Lu}`.
  /// - Throws: `SchemaPattern.Failure` if `Regex` does not support the property.
  init(_ text: String) throws(SchemaPattern.Failure) {
    do {
      regex = try Regex(text).matchingSemantics(.unicodeScalar)
    } catch {
      throw SchemaPattern.Failure(reason: "a regular expression that cannot be used: \(error)")
    }
  }

  func contains(_ value: UInt32) -> Bool {
    if let answer = known[value] { return answer }
    guard let scalar = Unicode.Scalar(value) else { return false }
    let answer = String(Character(scalar)).wholeMatch(of: regex) != nil
    if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
    known[value] = answer
    return answer
  }
}
