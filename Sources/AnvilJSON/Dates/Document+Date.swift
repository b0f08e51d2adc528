/// Dates of a tape's strings.
extension Document {
  /// The seconds since 1970 of the date that the string at `index` spells; `nil` when it spells none.
  func secondsOfDate(at index: Int) -> Double? {
    DateText.seconds(in: bytes, from: tape[index].offset, length: stringLength(at: index))
  }
}
