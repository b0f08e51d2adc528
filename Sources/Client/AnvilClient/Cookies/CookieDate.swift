internal import AnvilBase

/// A parser for the time of an `Expires` attribute, which accepts many formats. Source: RFC 6265bis §5.1.1.
enum CookieDate {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Returns the seconds since 1970; `nil` if the time, the day, the month or the year is missing or invalid, or if the date does not
  /// exist.
  static func seconds(_ text: some StringProtocol) -> Int? {
    var time: [Int]?
    var (day, month, year): (Int?, Int?, Int?)
    for token in text.utf8.split(whereSeparator: isDelimiter) {
      let token = Array(token)
      if time == nil, let found = self.time(token) {
        time = found
      } else if day == nil, let found = number(token, digits: 1...2) {
        day = found
      } else if month == nil, let found = self.month(token) {
        month = found
      } else if year == nil, let found = number(token, digits: 2...4) {
        year = found
      }
    }
    guard let time, let day, let month, var year else { return nil }
    if (70...99).contains(year) { year += 1900 }
    if (0...69).contains(year) { year += 2000 }
    guard year >= 1601, let date = GregorianDay(year: year, month: month + 1, day: day), time[0] < 24, time[1] < 60,
      time[2] < 60
    else { return nil }
    return date.daysSince1970 * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2]
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// Returns the leading digits as a number; `nil` if their count is not in `digits`.
  private static func number(_ token: [UInt8], digits: ClosedRange<Int>) -> Int? {
    let leading = token.prefix { (0x30...0x39).contains($0) }
    guard digits.contains(leading.count) else { return nil }
    return leading.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func time(_ token: [UInt8]) -> [Int]? {
    let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
    guard fields.count == 3, fields[0].allSatisfy({ (0x30...0x39).contains($0) }),
      fields[1].allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let numbers = fields.compactMap { number(Array($0), digits: 1...2) }
    return numbers.count == 3 ? numbers : nil
  }

  private static func month(_ token: [UInt8]) -> Int? {
    months.firstIndex(of: String(decoding: token.prefix(3), as: UTF8.self).lowercased())
  }
}
