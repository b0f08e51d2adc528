internal import AnvilJSON

extension Shape {
  /// The strings at one position of the samples.
  package struct Strings: Sendable {
    /// The maximum number of different texts that are kept.
    package static let mostValues = 32
    /// The maximum length of a text that is kept, in bytes of UTF-8.
    package static let longestValue = 64

    /// A text and the number of times it was seen.
    package struct Value: Hashable, Sendable {
      package let text: String
      package internal(set) var count: Int
    }

    /// The number of strings.
    package internal(set) var count = 0
    /// The different texts in the order in which they were first seen; `nil` if there were too many, or if one was too
    /// long.
    package internal(set) var values: [Value]? = []
    /// The formats that all strings match; every format if there were no strings.
    package internal(set) var formats = StringFormats.all

    mutating func add(_ json: JSON) {
      guard let text = json.string else { return }
      count += 1
      count(text, times: 1)
      if !formats.isEmpty { formats.formIntersection(StringFormats(of: text, as: json, among: formats)) }
    }

    mutating func merge(_ other: Strings) {
      count += other.count
      formats.formIntersection(other.formats)
      guard let others = other.values else {
        values = nil
        return
      }
      for value in others { count(value.text, times: value.count) }
    }

    private mutating func count(_ text: String, times: Int) {
      guard values != nil else { return }
      if let index = values?.firstIndex(where: { $0.text == text }) {
        values?[index].count += times
      } else if text.utf8.count > Self.longestValue || values?.count == Self.mostValues {
        values = nil
      } else {
        values?.append(Value(text: text, count: times))
      }
    }
  }
}
