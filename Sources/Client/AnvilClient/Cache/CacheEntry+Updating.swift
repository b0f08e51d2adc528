package import AnvilHTTP

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Validation of a stored response with the server, and the update after it. Source: RFC 9111 §3.2, §4.3.
extension CacheEntry {
  /// The fields that describe the stored body. A 304 does not update them.
  private static let bodyFields: Set<HTTP.HeaderKey> = [.contentLength, .contentEncoding, .contentRange]

  /// Returns the fields of a response that are stored.
  ///
  /// `Set-Cookie` is not stored, because each reuse would restore a cookie that was changed or removed in the meantime. Source: RFC 9111
  /// §7.3.
  static func storable(_ headers: HTTP.Headers) -> HTTP.Headers {
    var storable = headers.endToEnd
    storable.remove(.setCookie)
    return storable
  }

  /// A Boolean value that indicates whether the entry can be validated.
  var hasValidator: Bool { headers.contains(.eTag) || headers.contains(.lastModified) }

  /// Returns `request` with conditions that make the server answer with a 304 if this entry is still current. Rule K7.
  func validating(_ request: HTTP.Request) -> HTTP.Request {
    var request = request
    if let tag = headers.values(for: .eTag).first { request.headers[.ifNoneMatch] = tag }
    if let date = headers.values(for: .lastModified).first { request.headers[.ifModifiedSince] = date }
    return request
  }

  /// Returns whether the validator of a response matches this entry's. The comparison is weak. A response without a validator matches.
  func hasValidators(of answer: HTTP.Headers) -> Bool {
    if let tag = answer.values(for: .eTag).first {
      return headers.values(for: .eTag).first.map { $0.withoutWeakness == tag.withoutWeakness } ?? false
    }
    if let date = answer.values(for: .lastModified).first, !headers.contains(.eTag) {
      return headers.values(for: .lastModified).first == date
    }
    return true
  }

  /// Returns the entry with the cookies that the server's response sets, for the callers that receive that response.
  func setting(cookiesOf answer: HTTP.Headers) -> CacheEntry {
    let cookies = answer.filter { $0.key == .setCookie }
    guard !cookies.isEmpty else { return self }
    var entry = self
    entry.headers = HTTP.Headers(headers + cookies)
    return entry
  }

  /// Returns the entry with the fields of the validating response, which replace existing fields of the same names. The fields that
  /// describe the body are kept.
  package func updated(with answer: HTTP.Headers, requestTime: Date, responseTime: Date) -> CacheEntry {
    var entry = self
    var news = HTTP.Headers(Self.storable(answer).filter { !Self.bodyFields.contains($0.key) })
    // Without a `Date`, the age is counted from the time the validating response was received.
    if !news.contains(.date), entry.headers.contains(.date) {
      news.add(.date, "\(HTTPDate(seconds: Int(clamping: responseTime.timeIntervalSince1970)))")
    }
    var headers = headers
    headers.remove(.age)
    entry.headers = headers.merging(news)
    entry.requestTime = requestTime
    entry.responseTime = responseTime
    return entry
  }
}

extension HTTP.HeaderValue {
  /// The entity tag without `W/`.
  var withoutWeakness: Substring {
    rawValue.hasPrefix("W/") ? rawValue.dropFirst(2) : rawValue[...]
  }
}
