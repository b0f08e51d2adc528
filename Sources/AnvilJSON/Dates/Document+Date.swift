/// Dates of a tape's strings.
extension Document {
  /// The seconds since 1970 of the date that the string at `index` spells; `nil` when it spells none.
  func secondsOfDate(at index: Int) -> Double? {
    DateText.seconds(in: bytes, from: tape[index].offset, length: stringLength(at: index))
  }

  /// The seconds since 1970 of what is at `index`, where it is a string such as `2026-02-03T04:05:06Z`, which Foundation reads
  /// the same way; `nil` for other forms of dates too.
  func secondsOfPlainDate(at index: Int) -> Double? {
    guard tape[index].isString, stringLength(at: index) == 20, bytes[tape[index].offset + 10] == 0x54,
      let seconds = secondsOfDate(at: index), seconds >= GregorianDay.firstOfFoundation
    else { return nil }
    return seconds
  }
}
