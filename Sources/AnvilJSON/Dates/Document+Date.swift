/// Dates in a tape's strings.
extension Document {
  /// Returns the seconds since 1970 of the date in the string at `index`; `nil` if the string is not a date.
  func secondsOfDate(at index: Int) -> Double? {
    DateText.seconds(in: bytes, from: tape[index].offset, length: stringLength(at: index))
  }

  /// Returns the seconds since 1970 of the value at `index` if it is a string such as `2026-02-03T04:05:06Z`, which Foundation reads
  /// the same way; `nil` otherwise, including other forms of dates.
  func secondsOfPlainDate(at index: Int) -> Double? {
    guard tape[index].isString else { return nil }
    return DateText.secondsOfPlainDate(in: bytes, from: tape[index].offset, length: stringLength(at: index))
  }
}
