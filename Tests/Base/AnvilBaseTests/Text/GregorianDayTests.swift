import AnvilBase
import Testing

/// The calendar of the years 0 to 9999; its regularity is the oracle.
@Suite struct GregorianDayTests {
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
    (1900, 2, 29), (2000, 2, 30), (2023, 2, 29), (2024, 4, 31), (2024, 0, 1), (2024, 13, 1), (2024, 1, 0),
    (2024, 1, 32),
  ])
  func daysThatDoNotExistAreRejected(year: Int, month: Int, day: Int) {
    #expect(GregorianDay(year: year, month: month, day: day) == nil)
  }

  @Test(arguments: [(1970, 1, 1, 0), (2000, 2, 29, 11_016), (1969, 12, 31, -1), (0, 3, 1, -719_468)])
  func daysAreCountedFrom1970(year: Int, month: Int, day: Int, days: Int) {
    #expect(GregorianDay(year: year, month: month, day: day)?.daysSince1970 == days)
    #expect(GregorianDay(daysSince1970: days) == GregorianDay(year: year, month: month, day: day))
  }
}
