internal import AnvilText

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension GregorianDay {
  /// The seconds since 1970 of 15 October 1582. Foundation uses the Julian calendar before that day.
  static var firstOfFoundation: Double { -12_219_292_800 }
}

extension WrittenDate {
  /// Creates the text of the whole second of a date, as Foundation writes it in ISO 8601; `nil` if Foundation uses another calendar
  /// or more than four digits for the year.
  init?(wholeSecondOf date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate.rounded(.down) + Date.timeIntervalBetween1970AndReferenceDate
    guard seconds >= GregorianDay.firstOfFoundation, Self.isWritable(seconds) else { return nil }
    self.init(milliseconds: Int(seconds) * 1000)
  }
}
