/// Dates in a tape's strings.
extension Document {
  /// Returns the seconds since 1970 of the date in the string at `index`; `nil` if the string is not a date.
  func secondsOfDate(at index: Int) -> Double? {
    DateText.seconds(in: bytes, from: tape[index].offset, length: stringLength(at: index))
  }

  /// Returns the seconds since 1970 of the date in the string at `index`, which must have the form `2026-02-03T04:05:06Z`. Returns `nil`
  /// for any other value, and for dates that Foundation reads differently.
  func secondsOfPlainDate(at index: Int) -> Double? {
    guard tape[index].isString else { return nil }
    return DateText.secondsOfPlainDate(in: bytes, from: tape[index].offset, length: stringLength(at: index))
  }
}
