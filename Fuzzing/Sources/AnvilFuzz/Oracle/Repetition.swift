/// A way to lengthen an input.
///
/// One of the parts that NULs separate is repeated, either as a whole or a slice of it in place. The other parts are
/// unchanged.
struct Repetition: Sendable {
  /// The number of leading bytes that choose the operation. They are not repeated.
  var choiceCount = 0
  /// The bytes before, between and after repetitions of a whole part.
  var opening: [UInt8] = []
  var separator: [UInt8] = []
  var closing: [UInt8] = []

  /// The bytes one after the other.
  static let plain = Repetition()
  /// The elements of a JSON array.
  static let elements = elements(after: 0)

  /// The elements of a JSON array, after `count` bytes that choose the operation.
  static func elements(after count: Int) -> Repetition {
    Repetition(choiceCount: count, opening: [0x5B], separator: [0x2C], closing: [0x5D])
  }

  /// Returns about `count` bytes made of `bytes` for each count, in the same way for all; `seed` chooses the way.
  func inputs(of bytes: [UInt8], seed: UInt64, counts: [Int]) -> [[UInt8]] {
    var random = RandomSource(seed: seed)
    let choices = bytes.prefix(choiceCount)
    let parts = bytes.dropFirst(choiceCount).split(separator: 0, omittingEmptySubsequences: false)
    let chosen = random.below(parts.count)
    let part = parts[chosen]
    guard !part.isEmpty else { return [] }
    let start = random.below(part.count)
    let end = start + 1 + random.below(part.count - start)
    let isWhole = random.bool()
    return counts.map { count in
      var parts = parts
      parts[chosen] = isWhole ? repeated(part, count) : repeated(part, start..<end, count)
      return Array(choices) + Array(parts.joined(separator: [0]))
    }
  }

  private func repeated(_ part: ArraySlice<UInt8>, _ count: Int) -> ArraySlice<UInt8> {
    let times = max(1, count / (part.count + separator.count))
    let middle = repeatElement(Array(part), count: times).joined(separator: separator)
    return (opening + Array(middle) + closing)[...]
  }

  private func repeated(_ part: ArraySlice<UInt8>, _ range: Range<Int>, _ count: Int) -> ArraySlice<UInt8> {
    let start = part.startIndex + range.lowerBound
    let end = part.startIndex + range.upperBound
    let middle = repeatElement(part[start..<end], count: max(1, count / range.count)).joined()
    return (Array(part[..<start]) + Array(middle) + Array(part[end...]))[...]
  }
}
