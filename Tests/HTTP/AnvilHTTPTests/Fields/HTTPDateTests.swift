import AnvilHTTP
import Testing

struct HTTPDateTests {
  private static let now = HTTPDate(seconds: 1_800_000_000)

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
    ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
  ])
  func datesConvertToSecondsAndBack(text: String, seconds: Int) {
    #expect(HTTPDate(text)?.seconds == seconds)
    #expect(HTTPDate(seconds: seconds).description == text)
  }

  @Test(arguments: [
    "", "Mon, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 06 nov 1994 08:49:37 GMT", "Thu, 29 Feb 2001 00:00:00 GMT", "Sun, 06 Nov 1994 08:49 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:-7 GMT",
  ])
  func onlyThePreferredFormatIsAcceptedStrictly(text: String) {
    #expect(HTTPDate(text) == nil)
  }

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "SUN, 06 Nov 1994 08:49:37 GMT", "Sun, 06 NOV 1994 08:49:37 GMT", "sun, 06 nov 1994 08:49:37 gMT",
    "sunday, 06-NOV-94 08:49:37 gmt", "SUN NOV  6 08:49:37 1994",
  ])
  func allThreeFormatsAreParsed(text: String) {
    #expect(HTTPDate(anyForm: text, now: Self.now)?.seconds == 784_111_777)
  }

  @Test func aLeapSecondIsTheNextMinute() {
    #expect(HTTPDate(anyForm: "Sat, 31 Dec 2016 23:59:60 GMT", now: Self.now)?.seconds == 1_483_228_800)
    #expect(HTTPDate(anyForm: "Sat, 31 Dec 2016 23:59:61 GMT", now: Self.now) == nil)
  }

  /// The year of `now` is 2027.
  @Test func twoDigitYearsAreAtMost50YearsInTheFuture() {
    #expect(
      HTTPDate(anyForm: "Friday, 01-Jan-77 00:00:00 GMT", now: Self.now)?.description == "Fri, 01 Jan 2077 00:00:00 GMT"
    )
    #expect(
      HTTPDate(anyForm: "Sunday, 01-Jan-78 00:00:00 GMT", now: Self.now)?.description == "Sun, 01 Jan 1978 00:00:00 GMT"
    )
  }

  @Test(arguments: [
    "Sun Nov 6 08:49:37 1994", "Sunday, 6-Nov-94 08:49:37 GMT", "Mon Nov  6 08:49:37 1994", "Sun Nov 31 08:49:37 1994",
    "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "0", "Sun Nov  6 08:49:37 1994 GMT",
    "sun, 06 n\u{F6}v 1994 08:49:37 gmt", "Thu 18 Aug 2050 02:01:18 GMT", "Thu, 18  Aug  2050 02:01:18 GMT",
    "Thu, 18-Aug-2050 02:01:18 GMT", "Thu, 18 Aug 2050 02.01.18 GMT", "Thu, 18 Aug 2050 2:01:18 GMT",
    "Thu, 18 Aug 2050 02:01:18 UTC", "Thu, 18 Aug 50 02:01:18 GMT",
  ])
  func otherTextsAreNotDates(text: String) {
    #expect(HTTPDate(anyForm: text, now: Self.now) == nil)
  }

  @Test(arguments: [Int.min, Int.max])
  func extremeTimesAreClamped(seconds: Int) {
    #expect(HTTPDate(seconds: seconds).description.count == 29)
  }

  @Test func everyDayHasTheRightWeekday() {
    for day in stride(from: -700_000, through: 2_900_000, by: 997) {
      let date = HTTPDate(seconds: day * 86_400 + 4_711)
      #expect(HTTPDate(date.description) == date)
    }
  }
}
