internal import AnvilBase

extension JSON {
  /// Returns whether both values are equal. Their location, which ``path`` and ``root`` return, is not compared.
  ///
  /// - Numbers are compared by their exact value, with all their digits. `1`, `1.0` and `10e-1` are equal, and so are `-0` and `0`.
  ///   `9007199254740993` and `9007199254740992.0` differ, although their nearest doubles are equal.
  /// - Strings are compared by Unicode scalars, as in RFC 8259 §8.3. `"é"` and `"e\u{301}"`, which are equal as `String`, differ
  ///   here, because they are different keys to every other reader of the document.
  /// - Arrays are compared in order, objects regardless of order. If several members share a key, only the first is compared.
  /// - `json == nil` is true for `null`. `json["key"] == nil` is true only if there is no such member.
  ///
  /// - Complexity: O(*n* log *m*), where *n* is the size of the values and *m* that of their largest object. The nesting depth of the
  ///   values is not limited.
  public static func == (left: JSON, right: JSON) -> Bool {
    if left.document === right.document, left.index == right.index { return true }
    var comparison = Comparison(left: left.document, right: right.document)
    return comparison.areEqual(left.index, right.index)
  }
}

/// Compares values of two documents with an explicit stack instead of recursion.
private struct Comparison {
  let left: Document
  let right: Document
  /// Containers that are still to be compared.
  var pending: [(left: Int, right: Int)] = []

  mutating func areEqual(_ leftIndex: Int, _ rightIndex: Int) -> Bool {
    guard scalarsAreEqual(leftIndex, rightIndex) else { return false }
    while let (leftIndex, rightIndex) = pending.popLast() {
      let isObject = left.tape[leftIndex].is(.object)
      guard isObject ? objectsAreEqual(leftIndex, rightIndex) : arraysAreEqual(leftIndex, rightIndex) else {
        return false
      }
    }
    return true
  }

  /// Returns whether two scalars are equal. Two containers of the same kind are added to ``pending`` and treated as equal so far.
  private mutating func scalarsAreEqual(_ leftIndex: Int, _ rightIndex: Int) -> Bool {
    let leftWord = left.tape[leftIndex]
    let rightWord = right.tape[rightIndex]
    if leftWord.isContainer {
      guard leftWord.kind == rightWord.kind else { return false }
      pending.append((leftIndex, rightIndex))
      return true
    }
    if leftWord.isString {
      return rightWord.isString && left.stringsAreEqual(at: leftIndex, and: rightIndex, of: right)
    }
    if leftWord.isNumber {
      return rightWord.isNumber && left.numbersAreEqual(at: leftIndex, and: rightIndex, of: right)
    }
    return leftWord.kind == rightWord.kind
  }

  private mutating func arraysAreEqual(_ leftIndex: Int, _ rightIndex: Int) -> Bool {
    guard left.tape[leftIndex].count == right.tape[rightIndex].count else { return false }
    let (elements, others) = (left.members(ofContainerAt: leftIndex), right.members(ofContainerAt: rightIndex))
    return elements.elementsEqual(others) { scalarsAreEqual($0.value, $1.value) }
  }

  private mutating func objectsAreEqual(_ leftIndex: Int, _ rightIndex: Int) -> Bool {
    let leftMembers = left.sortedFirstMembers(ofObjectAt: leftIndex, by: .scalars)
    let rightMembers = right.sortedFirstMembers(ofObjectAt: rightIndex, by: .scalars)
    guard leftMembers.count == rightMembers.count else { return false }
    return zip(leftMembers, rightMembers).allSatisfy {
      left.stringsAreEqual(at: $0.key, and: $1.key, of: right) && scalarsAreEqual($0.value, $1.value)
    }
  }
}

extension Document {
  /// Returns whether two numbers have the same exact value.
  fileprivate func numbersAreEqual(at index: Int, and otherIndex: Int, of other: Document) -> Bool {
    // Equal numbers have the same nearest double; different numbers usually do not.
    let value = double(at: index)
    let otherValue = other.double(at: otherIndex)
    guard value == otherValue else { return value?.isNaN == true && otherValue?.isNaN == true }
    let isText = tape[index].is(.double)
    switch (isText, other.tape[otherIndex].is(.double)) {
    case (false, _), (_, false):
      return integer(at: index, as: Int128.self) == other.integer(at: otherIndex, as: Int128.self)
    case (true, true):
      return decimalText(at: index).hasValue(of: other.decimalText(at: otherIndex))
    }
  }

  private func decimalText(at index: Int) -> DecimalText {
    let offset = tape[index].offset
    return DecimalText(bytes, from: offset, to: offset + numberLength(at: index))
  }
}

/// The text of a number, split into parts so that two numbers of any length can be compared digit by digit.
///
/// The value is an integer times a power of ten. The integer consists of the digits from `first` through `last`, which neither begin
/// nor end with a zero. The power is the written exponent plus `shift`.
struct DecimalText {
  private let bytes: PaddedBytes
  let isNegative: Bool
  /// The offset of the first digit that is not zero; `nil` if all digits are zero.
  private var first: Int?
  /// The offset of the last digit that is not zero.
  private var last = 0
  private var shift = 0
  private var exponentIsNegative = false
  private var exponent: Range<Int>

  /// Splits the text of the number that is in `bytes` from `start` to `end`. The text must have been validated.
  init(_ bytes: PaddedBytes, from start: Int, to end: Int) {
    self.bytes = bytes
    isNegative = bytes[start] == .minus
    exponent = end..<end
    var point: Int?
    var offset = isNegative ? start + 1 : start
    scan: while offset < end {
      switch bytes[offset] {
      case UInt8(ascii: "1") ... .digit9:
        if first == nil { first = offset }
        last = offset
      case .period: point = offset
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        exponentIsNegative = bytes[offset + 1] == .minus
        let hasSign = exponentIsNegative || bytes[offset + 1] == .plus
        exponent = (hasSign ? offset + 2 : offset + 1)..<end
        break scan
      default: break
      }
      offset += 1
    }
    // The number of digits between the last nonzero digit and the decimal point, negative for digits after the point.
    let units = point ?? offset
    shift = last < units ? units - 1 - last : units - last
  }

  var isZero: Bool { first == nil }

  /// Returns whether both have the same value. Zeros of either sign are equal.
  func hasValue(of other: DecimalText) -> Bool {
    guard let first, let otherFirst = other.first else { return isZero && other.isZero }
    return isNegative == other.isNegative && exponentDifference(to: other) == 0
      && hasDigits(from: first, of: other, from: otherFirst)
  }

  private func hasDigits(from start: Int, of other: DecimalText, from otherStart: Int) -> Bool {
    var offset = start
    var otherOffset = otherStart
    while offset <= last, otherOffset <= other.last {
      if bytes[offset] == .period { offset += 1 }
      if other.bytes[otherOffset] == .period { otherOffset += 1 }
      guard bytes[offset] == other.bytes[otherOffset] else { return false }
      offset += 1
      otherOffset += 1
    }
    return offset > last && otherOffset > other.last
  }

  /// Returns the power of ten of this number minus that of `other`; an arbitrary nonzero number if they are too far apart.
  ///
  /// Exponents may have too many digits for an integer, but for equal numbers their difference is as small as that of the shifts.
  private func exponentDifference(to other: DecimalText) -> Int {
    var difference = 0
    for place in stride(from: max(exponent.count, other.exponent.count), to: 0, by: -1) {
      difference = difference * 10 + exponentDigit(place) - other.exponentDigit(place)
      // Beyond what shifts of up to 2³² and the remaining digits could compensate.
      guard difference.magnitude < 1 << 50 else { return difference }
    }
    return difference + shift - other.shift
  }

  /// Returns the digit of the exponent at `place`, with the sign of the exponent. The last digit is at place 1. The result is 0 for places
  /// before the first digit.
  private func exponentDigit(_ place: Int) -> Int {
    guard place <= exponent.count else { return 0 }
    let digit = Int(bytes[exponent.upperBound - place] - .digit0)
    return exponentIsNegative ? -digit : digit
  }
}

extension DecimalText {
  /// The largest number of significant digits with which different numbers have different nearest doubles, except for tiny and huge numbers.
  fileprivate static let distinctDigits = 15

  /// A divisor for powers, which may have any number of digits. It is unknown to those who choose the numbers, and so small that ten times a
  /// remainder fits an integer.
  private static let divisor = UInt64.random(in: (1 << 58)..<(1 << 59))

  /// Hashes the digits and the power unless the nearest double of the number, which is normal if `isNormal` is true, is distinct.
  fileprivate func hashDigits(isNormal: Bool, into hasher: inout Hasher) {
    guard let first else { return }
    let digits = (first...last).lazy.map { bytes[$0] }.filter { $0 != .period }
    if isNormal, digits.prefix(Self.distinctDigits + 1).count <= Self.distinctDigits { return }
    for digit in digits { hasher.combine(digit) }
    var power: UInt64 = 0
    for offset in exponent { power = (power * 10 + UInt64(bytes[offset] - .digit0)) % Self.divisor }
    if exponentIsNegative { power = (Self.divisor - power) % Self.divisor }
    let shift = UInt64(shift.magnitude)
    hasher.combine((power + (self.shift < 0 ? Self.divisor - shift : shift)) % Self.divisor)
  }
}

extension JSON {
  /// Hashes the components that `==` compares, so that equal values have equal hashes.
  ///
  /// A number is hashed as its nearest double, and also by its digits if other numbers may have the same nearest double: with more than 15
  /// significant digits, or outside of the range of doubles with full precision.
  ///
  /// - Complexity: The same as `==`.
  public func hash(into hasher: inout Hasher) {
    var traversal = Traversal(self, order: .sortedFirst(.scalars))
    while let event = traversal.next() {
      switch event {
      case .key(let index): document.hashString(at: index, into: &hasher)
      case .scalar(let index): document.hashScalar(at: index, into: &hasher)
      case .begin(let index): hasher.combine(document.tape[index].rawKind)
      case .end: hasher.combine(UInt8.max)
      }
    }
  }
}

extension Document {
  fileprivate func hashScalar(at index: Int, into hasher: inout Hasher) {
    let word = tape[index]
    if word.isString {
      hasher.combine(TapeWord.Kind.string.rawValue)
      hashString(at: index, into: &hasher)
    } else if word.isNumber {
      hasher.combine(TapeWord.Kind.double.rawValue)
      hashNumber(at: index, into: &hasher)
    } else {
      hasher.combine(word.rawKind)
    }
  }

  private func hashNumber(at index: Int, into hasher: inout Hasher) {
    // Zeros of either sign have the same hash. The second word of a number that is out of range holds an infinity.
    let double = double(at: index) ?? Double(bitPattern: tape[index + 1].bits)
    hasher.combine(double)
    if tape[index].is(.double) {
      guard !double.isNaN, !double.isNormal || numberLength(at: index) > DecimalText.distinctDigits else { return }
      decimalText(at: index).hashDigits(isNormal: double.isNormal, into: &hasher)
    } else if double.magnitude >= 1e15, var integer = integer(at: index, as: Int128.self)?.magnitude {
      var power: UInt64 = 0
      while integer.isMultiple(of: 10) {
        integer /= 10
        power += 1
      }
      let digits = "\(integer)".utf8
      guard digits.count > DecimalText.distinctDigits else { return }
      for digit in digits { hasher.combine(digit) }
      hasher.combine(power)
    }
  }

  fileprivate func hashString(at index: Int, into hasher: inout Hasher) {
    withString(at: index) { span in
      hasher.combine(span.count)
      // Safety: the bytes are alive and initialised as long as the span.
      unsafe span.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
  }
}

/// A string that is compared by Unicode scalars, as JSON keys are. `String` considers `é` equal to `e` with a combining accent.
package struct ScalarKey: Hashable, Sendable {
  package let string: String

  package init(_ string: String) {
    self.string = string
  }

  package static func == (left: ScalarKey, right: ScalarKey) -> Bool {
    left.string.hasSameBytes(as: right.string)
  }

  package func hash(into hasher: inout Hasher) {
    var string = string
    // Safety: the buffer is used only during the call.
    string.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}
