import Foundation
import Testing

@testable import AnvilJSON

/// Dates as texts: the Gregorian calendar's own regularity is the oracle.
@Suite struct DateTests {
  @Test func everyDayFollowsTheOneBefore() {
    var expected = (year: 0, month: 1, day: 1)
    for days in -719_528..<2_932_897 {
      let day = GregorianDay(daysSince1970: days)
      if day.year != expected.year || day.month != expected.month || day.day != expected.day
        || day.daysSince1970 != days
      {
        Issue.record("\(day) is day \(day.daysSince1970), for \(expected), day \(days)")
        return
      }
      if GregorianDay(year: day.year, month: day.month, day: day.day + 1) != nil {
        expected.day += 1
      } else {
        expected = day.month < 12 ? (day.year, day.month + 1, 1) : (day.year + 1, 1, 1)
      }
    }
    #expect(expected == (10_000, 1, 1))
  }

  @Test(arguments: [
    (0, "2001-01-01T00:00:00Z"), (0.25, "2001-01-01T00:00:00.250Z"),
    (0.5000000001, "2001-01-01T00:00:00.500Z"),
    (0.9999999999, "2001-01-01T00:00:01Z"), (0.000000001, "2001-01-01T00:00:00.000000001Z"),
    (0.987654321, "2001-01-01T00:00:00.987654321Z"),
  ])
  func mappingWritesAsManyDigitsAsBringTheDateBack(seconds: Double, text: String) throws {
    #expect(try JSON(encoding: Date(timeIntervalSinceReferenceDate: seconds)).string == text)
  }
}
