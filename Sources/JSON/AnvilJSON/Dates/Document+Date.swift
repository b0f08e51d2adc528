/// Dates in a tape's strings.
extension Document {
  /// Returns the seconds since 2001 of the date in the string at `index`; `nil` if the string is not a date.
  func secondsOfDate(at index: Int, _ meaning: DateText.Meaning = .rfc3339) -> Double? {
    DateText.secondsSince2001(in: bytes, from: tape[index].offset, length: stringLength(at: index), meaning)
  }
}
