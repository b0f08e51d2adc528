internal import AnvilJSON

extension Shape {
  /// The numbers at one position of the samples.
  package struct Numbers: Sendable {
    /// The number of numbers.
    package internal(set) var count = 0
    /// The number of integers: numbers without a fraction and an exponent. `1.0` is not counted.
    package internal(set) var integers = 0
    /// The range of the integers that fit into 128 bits; `nil` if no integer does.
    package internal(set) var range: ClosedRange<Int128>?
    /// The number of integers that do not fit into 128 bits.
    package internal(set) var hugeIntegers = 0
    /// The number of numbers that `Double` cannot hold: too large, or so small that `Double` rounds them to zero.
    package internal(set) var beyondDouble = 0

    /// The number of numbers with a fraction or an exponent.
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
