internal import AnvilBase
internal import AnvilJSON

/// A compiled schema. It refers to other schemas by their index in ``JSONSchema/nodes``.
struct SchemaNode: Sendable {
  let steps: [JSON.Step]
  let resource: Int
  /// The rules, in the order in which they are checked.
  var rules: [SchemaRule] = []
}

/// A rule compiled from one keyword, or from several that belong together.
enum SchemaRule: Sendable {
  case nothing
  case types([SchemaType])
  case constant(JSON)
  case oneOf(values: [JSON])
  case bound(NumberBound)
  case multiple(of: ExactNumber, text: String)
  case minimum(Measure, Int)
  case maximum(Measure, Int)
  case pattern(String)
  case format(StringFormat)
  /// The required keys, each with the schema of its member if there is one.
  case required([(key: String, schema: Int?)])
  case dependentRequired([(key: String, keys: [String])])
  case dependentSchemas([(key: String, schema: Int)])
  case names(Int)
  case members(MemberRules)
  case elements(prefix: [Int], rest: Int?)
  case unique
  case contains(Int, atLeast: Int, atMost: Int?)
  case all([Int])
  case any([Int])
  case one([Int])
  case not(Int)
  case condition(if: Int, then: Int?, else: Int?)
  case reference(Int)
  /// A `$dynamicRef` to a `$dynamicAnchor`. Other resources may have a schema with the same anchor.
  case dynamicReference(Int, anchor: String)
  case unevaluatedMembers(Int)
  case unevaluatedElements(Int)
}

enum Measure: Sendable {
  /// The Unicode scalars of a string.
  case characters
  case elements
  case members
}

struct NumberBound: Sendable {
  enum Side: Sendable {
    case atLeast
    case above
    case atMost
    case below
  }

  let side: Side
  let value: ExactNumber
  /// The number as written in the schema.
  let text: String
}

struct MemberRules: Sendable {
  /// The schemas by key. Steps are equal if their scalars are the same, strings also if they are canonically equivalent.
  var named: [JSON.Step: Int] = [:]
  var patterns: [(pattern: String, schema: Int)] = []
  var others: Int?
}

enum SchemaType: String, CaseIterable, Sendable {
  case null
  case boolean
  case integer
  case number
  case string
  case array
  case object

  var kind: JSON.Kind {
    switch self {
    case .null: .null
    case .boolean: .bool
    case .integer, .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  var phrase: String {
    switch self {
    case .null: "null"
    case .boolean: "true or false"
    case .integer: "an integer"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// Returns whether `value` is of this type. A number without a fraction is an integer even if it is written as `1.0`.
  func includes(_ value: JSON) -> Bool {
    guard value.kind == kind else { return false }
    guard self == .integer else { return true }
    return value.exactNumber?.isInteger ?? false
  }
}

extension JSON {
  /// The number with all of its digits; `nil` for other values and for numbers that JSON cannot represent.
  var exactNumber: ExactNumber? { numberText.flatMap { ExactNumber($0) } }

  /// The elements of an array; a single element for other values.
  var oneOrMore: [JSON] { kind == .array ? Array(elements) : [self] }
}

/// A JSON number with all of its digits: an integer times a power of ten.
package struct ExactNumber: Sendable {
  let isNegative: Bool
  /// The decimal digits as numbers from 0 to 9, without zeros at either end; empty for zero.
  let digits: [UInt8]
  /// The power of ten of the last digit, clamped to ±2⁶⁰.
  let exponent: Int

  private static let largestExponent = 1 << 60

  /// Creates the number in `text`, a JSON number. Returns `nil` for other text such as `NaN`.
  package init?(_ text: String) {
    var digits: [UInt8] = []
    var exponent = 0
    var hasPoint = false
    var bytes = Array(text.utf8)[...]
    isNegative = bytes.first == .minus
    if isNegative { bytes.removeFirst() }
    guard let first = bytes.first, first.isDigit else { return nil }
    scan: while let byte = bytes.popFirst() {
      switch byte {
      case .digit0 ... .digit9:
        digits.append(byte - .digit0)
        if hasPoint { exponent -= 1 }
      case .period: hasPoint = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        exponent += Self.exponent(bytes)
        break scan
      default: return nil
      }
    }
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    self.digits = Array(digits.drop { $0 == 0 })
    self.exponent = self.digits.isEmpty ? 0 : max(-Self.largestExponent, min(exponent, Self.largestExponent))
  }

  /// Returns the integer in `text`, clamped to ±``largestExponent``. The text may begin with a sign.
  private static func exponent(_ text: ArraySlice<UInt8>) -> Int {
    let isNegative = text.first == .minus
    let digits = text.drop { $0 == .plus || $0 == .minus }.drop { $0 == .digit0 }
    guard digits.count <= 18, let magnitude = digits.isEmpty ? 0 : Int(String(decoding: digits, as: UTF8.self)) else {
      return isNegative ? -largestExponent : largestExponent
    }
    return max(-largestExponent, min(isNegative ? -magnitude : magnitude, largestExponent))
  }

  var isZero: Bool { digits.isEmpty }

  /// True if the value is an integer, also if it is written as `1.0` or `1e400`.
  var isInteger: Bool { exponent >= 0 }

  /// The value as an `Int`, clamped to `Int.max`; `nil` if it is negative or has a fraction. Values of more than 18 digits are `Int.max`.
  var count: Int? {
    guard isInteger, !isNegative || isZero else { return nil }
    guard digits.count + min(exponent, 40) <= 18 else { return .max }
    var value = 0
    for digit in digits { value = value * 10 + Int(digit) }
    for _ in 0..<exponent { value *= 10 }
    return value
  }

  /// Returns whether the number is a multiple of `divisor`, a number other than zero with at most ``longestDivisor`` digits.
  ///
  /// - Complexity: O(*n*), *n* the number of digits, regardless of the exponents.
  func isMultiple(of divisor: ExactNumber) -> Bool {
    guard !isZero else { return true }
    // The last digit is not zero, so that the digits do not contain a power of ten.
    let shift = exponent - divisor.exponent
    guard shift >= 0 else { return false }
    var modulus: UInt64 = 0
    for digit in divisor.digits { modulus = modulus * 10 + UInt64(digit) }
    guard modulus > 0 else { return false }
    var rest: UInt64 = 0
    for digit in digits { rest = (rest.multiplied(by: 10, modulo: modulus) + UInt64(digit)) % modulus }
    var power = UInt64(10) % modulus
    var remaining = shift
    while remaining > 0, rest != 0 {
      if remaining & 1 == 1 { rest = rest.multiplied(by: power, modulo: modulus) }
      power = power.multiplied(by: power, modulo: modulus)
      remaining >>= 1
    }
    return rest == 0
  }

  /// The maximum number of digits of a divisor.
  static let longestDivisor = 18
}

extension ExactNumber: Comparable {
  package static func == (left: ExactNumber, right: ExactNumber) -> Bool { !(left < right) && !(right < left) }

  package static func < (left: ExactNumber, right: ExactNumber) -> Bool {
    switch (left.sign, right.sign) {
    case let (sign, other) where sign != other: sign < other
    case (0, _): false
    case (1, _): left.magnitudeIsBelow(right)
    default: right.magnitudeIsBelow(left)
    }
  }

  private var sign: Int { isZero ? 0 : isNegative ? -1 : 1 }

  private func magnitudeIsBelow(_ other: ExactNumber) -> Bool {
    let places = digits.count + exponent
    let otherPlaces = other.digits.count + other.exponent
    return places == otherPlaces ? digits.lexicographicallyPrecedes(other.digits) : places < otherPlaces
  }
}

extension UInt64 {
  /// Returns the remainder of the division of the product by `modulus`, which must not be zero.
  fileprivate func multiplied(by other: UInt64, modulo modulus: UInt64) -> UInt64 {
    let product = UInt128(self) * UInt128(other)
    return UInt64(product % UInt128(modulus))
  }
}

extension String {
  var cut: String { shortened(to: 60) }

  /// The text as a JSON string, shortened if it is long.
  var quoted: String { JSON(cut).serializedText() }
}

extension JSON {
  /// The value in one line, shortened if it is long.
  var shown: String { string.map(\.quoted) ?? serializedText().cut }
}

extension Collection where Element == String {
  /// Joins the distinct elements: `a`, `a or b`, `a, b or c`.
  package func joined(by conjunction: String) -> String {
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

  /// A description of matching values: `a string of at most 3 characters`. It is `nil` if it would be long or depend on other schemas.
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
