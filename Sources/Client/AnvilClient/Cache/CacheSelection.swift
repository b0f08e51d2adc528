internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The part of a stored response that a request with conditions selects: all of it, its head as a 304, or a range of its body as a 206.
///
/// Source: RFC 9110 §13.2.2 (precedence), §14.2 (ranges); RFC 9111 §4.3.2.
struct CacheSelection {
  /// The entry with the status and the fields of the response.
  let entry: CacheEntry
  private let content: Content

  private enum Content {
    case whole, none
    case range(Range<Int>)
  }

  /// A Boolean value that indicates whether the response has a body.
  var hasBody: Bool {
    if case .none = content { false } else { true }
  }

  /// Returns the selected part of the stored `body`; `nil` if the body is shorter than expected.
  func part(of body: Data) -> Data? {
    guard case .range(let range) = content else { return body }
    return range.upperBound <= body.count ? body.dropFirst(range.lowerBound).prefix(range.count) : nil
  }

  /// Creates the selection; `nil` if the request must be sent to the server. This is necessary for several ranges, for a range that cannot
  /// be satisfied, and for a range of a response that is not a 200. It is also necessary for a range of a response with a content coding,
  /// because the stored bytes may be the decoded ones.
  init?(of entry: CacheEntry, for request: HTTP.Request) {
    if entry.status == 200, entry.isUnmodified(for: request.headers) {
      self.entry = entry.with(status: 304, headers: entry.headers.filter { !Self.contentFields.contains($0.key) })
      content = .none
      return
    }
    guard request.method == .get, request.headers.contains(.range), entry.matchesIfRange(of: request.headers) else {
      self.entry = entry
      content = .whole
      return
    }
    guard entry.status == 200, !entry.headers.contains(.contentEncoding),
      let range = ByteRange(request.headers)?.range(in: entry.bodyLength)
    else { return nil }
    var headers = entry.headers
    headers[.contentLength] = "\(range.count)"
    headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(entry.bodyLength)"
    self.entry = entry.with(status: 206, headers: Array(headers))
    content = .range(range)
  }

  /// The fields that describe a body. They are removed from a 304. Source: RFC 9110 §15.4.5.
  private static let contentFields: Set<HTTP.HeaderKey> = [
    .contentLength, .contentType, .contentEncoding, .contentLanguage, .contentRange,
  ]
}

extension CacheEntry {
  fileprivate func with(status: Int, headers: [HTTP.Headers.Field]) -> CacheEntry {
    CacheEntry(
      id: id, variant: variant, varyingFields: varyingFields, status: status, headers: HTTP.Headers(headers),
      requestTime: requestTime, responseTime: responseTime, bodyLength: bodyLength)
  }

  /// Returns whether the request's conditions show that the client already has the response.
  ///
  /// `If-None-Match` has precedence. Tags are compared weakly. Without a `Last-Modified`, the creation time of the response is used
  /// instead.
  fileprivate func isUnmodified(for conditions: HTTP.Headers) -> Bool {
    if conditions.contains(.ifNoneMatch) {
      let tags = conditions.elements(of: .ifNoneMatch, quoting: .entityTags)
      let own = headers.values(for: .eTag).first.map(\.withoutWeakness)
      return tags.contains { $0 == "*" || HTTP.HeaderValue(rawValue: $0).withoutWeakness == own }
    }
    let dates = conditions.values(for: .ifModifiedSince)
    guard dates.count == 1, let since = date(dates[0].rawValue) else { return false }
    return (headers[.lastModified].flatMap { date($0.rawValue) } ?? date) <= since
  }

  /// Returns whether a `Range` applies: there is no `If-Range`, or it has this response's strong validator.
  ///
  /// Source: RFC 9110 §13.1.5.
  fileprivate func matchesIfRange(of conditions: HTTP.Headers) -> Bool {
    guard conditions.contains(.ifRange) else { return true }
    return conditions.values(for: .ifRange).map(\.rawValue) == [StrongValidator(headers)?.value]
  }
}

/// The single range of bytes that a request asks for. Source: RFC 9110 §14.1.2.
enum ByteRange: Hashable {
  /// From a position to the end or to another position, inclusive.
  case from(Int, through: Int?)
  /// The last bytes of the body.
  case suffix(Int)

  /// Parses the `Range` in `headers`; `nil` for several ranges, another unit, or an invalid range.
  init?(_ headers: HTTP.Headers) {
    let values = headers.values(for: .range)
    guard values.count == 1, let text = values.first?.rawValue, let equals = text.firstIndex(of: "="),
      text[..<equals].lowercased() == "bytes"
    else { return nil }
    let ends = text[text.index(after: equals)...].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return nil }
    switch (Int(ends[0]), Int(ends[1])) {
    case (nil, let length?) where ends[0].isEmpty: self = .suffix(length)
    case (let first?, nil) where ends[1].isEmpty: self = .from(first, through: nil)
    case (let first?, let last?) where first <= last: self = .from(first, through: last)
    default: return nil
    }
  }

  /// Returns the positions in a body of `length` bytes; `nil` if the range contains none.
  func range(in length: Int) -> Range<Int>? {
    switch self {
    case .suffix(let count): count > 0 && length > 0 ? max(length - count, 0)..<length : nil
    case .from(let first, let last):
      first < length ? first..<(last.map { min($0, length - 1) + 1 } ?? length) : nil
    }
  }
}
