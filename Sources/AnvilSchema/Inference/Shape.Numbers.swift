internal import AnvilJSON

extension Shape {
  /// The numbers at one place.
  package struct Numbers: Sendable {
    /// How many numbers there were.
    package internal(set) var count = 0
    /// How many were written as integers: without a fraction and an exponent. `1.0` is not among them.
    package internal(set) var integers = 0
    /// The range of the integers that 128 bits can hold; `nil` where there were none.
    package internal(set) var range: ClosedRange<Int128>?
    /// How many integers 128 bits cannot hold.
    package internal(set) var hugeIntegers = 0
    /// How many numbers are beyond the range of `Double`, or so close to zero that `Double` has none like them.
    package internal(set) var beyondDouble = 0

    /// How many were written with a fraction or an exponent.
    package var fractions: Int { count - integers }

    mutating func add(_ json: JSON) {
      count += 1
      let text = json.numberText ?? ""
      if text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }) {
        addDouble(json, text)
        return
      }
      integers += 1
      guard let integer = json.integer(as: Int128.self) else {
        hugeIntegers += 1
        addDouble(json, text)
        return
      }
      range = min(range?.lowerBound ?? integer, integer)...max(range?.upperBound ?? integer, integer)
    }

    private mutating func addDouble(_ json: JSON, _ text: String) {
      let double = json.double
      if double == nil || !(double?.isFinite ?? false) || (double == 0 && Self.isNotZero(text)) { beyondDouble += 1 }
    }

    private static func isNotZero(_ text: String) -> Bool {
      text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.contains {
        (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0)
      }
    }

    mutating func merge(_ other: Numbers) {
      count += other.count
      integers += other.integers
      hugeIntegers += other.hugeIntegers
      beyondDouble += other.beyondDouble
      if let other = other.range {
        range =
          min(
            range?.lowerBound ?? other.lowerBound, other.lowerBound)...max(
            range?.upperBound ?? other.upperBound, other.upperBound)
      }
    }
  }
}
