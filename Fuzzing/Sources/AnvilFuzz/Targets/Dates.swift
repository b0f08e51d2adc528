@testable import AnvilClient
@testable import AnvilHTTP

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension FuzzTarget {
  /// Dates of HTTP and of cookies: what was read is written as the system's library writes it, and comes back.
  static let dates = FuzzTarget(name: "dates") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let now = HTTPDate(seconds: 1_700_000_000)
    for date in [HTTPDate(text), HTTPDate(anyForm: text, now: now)] {
      guard let date else { continue }
      let written = date.description
      require(HTTPDate(written) == date, "\(date.seconds) comes back from \(written)")
      require(system(date.seconds) == written, "\(date.seconds) is \(written), should be \(system(date.seconds) ?? "")")
    }
    if let date = HTTPDate(text), !text.contains(":60 ") {
      require(date.description == text, "\(text) is written as \(date)")
    }
    if let seconds = CookieDate.seconds(text) {
      let written = HTTPDate(seconds: seconds).description
      require(CookieDate.seconds(written) == seconds, "\(seconds) comes back from \(written)")
      require(system(seconds) == written, "\(seconds) is \(written)")
    }
    let number = bytes.prefix(8).reduce(0) { $0 << 8 | Int($1) }
    let any = HTTPDate(seconds: number)
    require(HTTPDate(any.description) != nil, "\(number) is written as \(any)")
  } growth: { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    _ = HTTPDate(text)
    _ = HTTPDate(anyForm: text, now: HTTPDate(seconds: 1_700_000_000))
    _ = CookieDate.seconds(text)
  }

  private static func system(_ seconds: Int) -> String? {
    var seconds = time_t(seconds)
    var parts = unsafe tm()
    guard unsafe gmtime_r(&seconds, &parts) != nil else { return nil }
    let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    func padded(_ number: Int32, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
    let date = unsafe "\(padded(parts.tm_mday, 2)) \(months[Int(parts.tm_mon)]) \(padded(parts.tm_year + 1900, 4))"
    let time = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded($0, 2) }.joined(separator: ":")
    return unsafe "\(weekdays[Int(parts.tm_wday)]), \(date) \(time) GMT"
  }
}
