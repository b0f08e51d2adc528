internal import AnvilJSON

extension Shape {
  /// The strings at one place.
  package struct Strings: Sendable {
    /// How many different texts are kept.
    package static let mostValues = 32
    /// How many bytes of UTF-8 a text has at most that is kept.
    package static let longestValue = 64

    /// A text and how often it was seen.
    package struct Value: Hashable, Sendable {
      package let text: String
      package internal(set) var count: Int
    }

    /// How many strings there were.
    package internal(set) var count = 0
    /// The different texts in the order in which they came; `nil` where there were too many, or one was too long.
    package internal(set) var values: [Value]? = []
    /// What all of them can be read as; everything where there were none.
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
