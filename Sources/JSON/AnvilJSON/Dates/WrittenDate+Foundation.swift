internal import AnvilBase

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension GregorianDay {
  /// The seconds since 2001 of 15 October 1582. Foundation uses the Julian calendar before that day.
  static var firstOfFoundation: Double { -13_197_600_000 }
}

extension WrittenDate {
  /// Creates the text of the whole second of a date, as Foundation writes it in ISO 8601; `nil` if Foundation uses another calendar
  /// or more than four digits for the year.
  init?(wholeSecondOf date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
    let secondsSince1970 = seconds + Date.timeIntervalBetween1970AndReferenceDate
    guard seconds >= GregorianDay.firstOfFoundation, Self.isWritable(secondsSince1970) else { return nil }
    self.init(milliseconds: Int(secondsSince1970) * 1000)
  }
}
