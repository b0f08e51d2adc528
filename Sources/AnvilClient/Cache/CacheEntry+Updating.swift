package import AnvilHTTP

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Asking the server whether a stored response still holds, and what becomes of it then. Source: RFC 9111 §3.2, §4.3.
extension CacheEntry {
  /// Those that say how the stored body is to be read, which a confirmation has none of.
  private static let bodyFields: Set<HTTP.HeaderKey> = [.contentLength, .contentEncoding, .contentRange]

  /// The fields of a response that are stored.
  ///
  /// `Set-Cookie` is none of them: with each reuse it would bring back what was changed or removed meanwhile. Source: RFC
  /// 9111 §7.3.
  static func storable(_ headers: HTTP.Headers) -> HTTP.Headers {
    var storable = headers.endToEnd
    storable.remove(.setCookie)
    return storable
  }

  /// Whether there is anything to ask the server by.
  var hasValidator: Bool { headers.contains(.eTag) || headers.contains(.lastModified) }

  /// The request with the conditions under which its answer is to be 304. Rule K7.
  func validating(_ request: HTTP.Request) -> HTTP.Request {
    var request = request
    if let tag = headers.values(for: .eTag).first { request.headers[.ifNoneMatch] = tag }
    if let date = headers.values(for: .lastModified).first { request.headers[.ifModifiedSince] = date }
    return request
  }

  /// Whether an answer's validators, where it has any, are this response's, compared weakly.
  func hasValidators(of answer: HTTP.Headers) -> Bool {
    if let tag = answer.values(for: .eTag).first {
      return headers.values(for: .eTag).first.map { $0.withoutWeakness == tag.withoutWeakness } ?? false
    }
    if let date = answer.values(for: .lastModified).first, !headers.contains(.eTag) {
      return headers.values(for: .lastModified).first == date
    }
    return true
  }

  /// The entry with the cookies that an answer sets, for those who are given that answer.
  func setting(cookiesOf answer: HTTP.Headers) -> CacheEntry {
    let cookies = answer.filter { $0.key == .setCookie }
    guard !cookies.isEmpty else { return self }
    var entry = self
    entry.headers = HTTP.Headers(headers + cookies)
    return entry
  }

  /// The entry with the fields of the answer that confirms it, in the place of those of the same names.
  package func updated(with answer: HTTP.Headers, requestTime: Date, responseTime: Date) -> CacheEntry {
    var entry = self
    var news = HTTP.Headers(Self.storable(answer).filter { !Self.bodyFields.contains($0.key) })
    // Without a date the answer is as old as its coming, however old what it confirms is.
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
  /// An entity tag without `W/`.
  var withoutWeakness: Substring {
    rawValue.hasPrefix("W/") ? rawValue.dropFirst(2) : rawValue[...]
  }
}
