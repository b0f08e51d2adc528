internal import AnvilBase
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension TypedGatewayRequest {
  /// The text of dates in the query of a digest.
  package enum DigestDates: Sendable {
    /// The text that is sent.
    case sent
    /// The text that earlier versions sent: `2026-02-03 04:05:06 +0000`, the description of a `Date`.
    case described
  }

  /// Returns the SHA-256 of the method, the URL and `texts`; `nil` for a request without a valid URL. The result is the same in all
  /// processes.
  ///
  /// The order of the query items has no effect, because callers may keep them in a dictionary. Credentials in the URL, fields, the body
  /// and settings are not included. Digests are stored: another text of a value in a query is another digest.
  package func digest(with texts: [String], dates: DigestDates = .sent) -> String? {
    guard let request = try? makeHTTPRequest() else { return nil }
    let url = request.url
    var items = (url.query() ?? "").split(separator: "&")
    if dates == .described { items = items.map(Self.describingDate) }
    var digest = CacheDigest()
    digest.add(request.method.rawValue)
    digest.add(url.scheme?.lowercased() ?? "")
    digest.add(url.host()?.lowercased() ?? "")
    digest.add(url.port.map { "\($0)" } ?? "")
    digest.add(url.path())
    digest.add(items.sorted().joined(separator: "&"))
    for text in texts { digest.add(text) }
    return digest.text
  }

  /// Returns the item of a percent-encoded query with the description of the date that is its value. An item whose value is not a date as in
  /// RFC 3339, in UTC, is returned unchanged.
  private static func describingDate(_ item: Substring) -> Substring {
    guard let separator = item.firstIndex(of: "=") else { return item }
    let text = PercentEncoding.decode(String(item[item.index(after: separator)...]))
    let pattern = "0000-00-00T00:00:00"
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let isDate = zip(text.utf8, pattern.utf8).allSatisfy { byte, expected in
      expected == UInt8(ascii: "0") ? digits.contains(byte) : byte == expected
    }
    let fraction = text.utf8.dropFirst(pattern.utf8.count)
    guard isDate, fraction.last == UInt8(ascii: "Z"),
      fraction.dropLast().allSatisfy({ digits.contains($0) || $0 == UInt8(ascii: ".") })
    else { return item }
    let (day, time) = (text.prefix(10), text.dropFirst(11).prefix(8))
    return item[...separator] + PercentEncoding.encode("\(day) \(time) +0000")
  }
}
