public import AnvilBase
public import AnvilHTTP
internal import AnvilJSON

/// A stored response, without its body.
public struct CacheEntry: Sendable, Hashable {
  /// An identifier of this response's body that is unique across storages and processes.
  public let id: UUID
  /// A digest of the credentials and the fields that `Vary` names, which selects the requests that the entry may answer. A URL has one
  /// entry for each variant.
  public private(set) var variant: String
  /// The fields that `Vary` names, in lower case and sorted.
  package private(set) var varyingFields: [String]
  /// The status code.
  public internal(set) var status: Int
  /// The header fields, without `Set-Cookie` and hop-by-hop fields.
  public internal(set) var headers: HTTP.Headers {
    didSet { cacheControl = CacheControl(headers) }
  }
  /// The time at which the request for the response was sent. After a validation, the time at which the validating request was sent.
  package internal(set) var requestTime: Date
  /// The time at which the head of the response was received. After a validation, the time at which the head of the 304 was received.
  package internal(set) var responseTime: Date
  /// The length of the body in bytes.
  public internal(set) var bodyLength: Int
  private(set) var cacheControl: CacheControl

  package init(
    id: UUID = UUID(), variant: String, varyingFields: [String], status: Int, headers: HTTP.Headers,
    requestTime: Date, responseTime: Date, bodyLength: Int
  ) {
    self.id = id
    self.variant = variant
    self.varyingFields = varyingFields
    self.status = status
    self.headers = headers
    self.requestTime = requestTime
    self.responseTime = responseTime
    self.bodyLength = bodyLength
    cacheControl = CacheControl(headers)
  }

  /// The approximate size of the entry with its body in bytes, which counts against the limit of a storage.
  public var size: Int {
    headers.reduce(bodyLength + 256) { $0 + $1.key.rawValue.utf8.count + $1.value.rawValue.utf8.count + 4 }
  }
}

/// The storable form of an entry.
extension CacheEntry {
  package func encoded() throws -> Data {
    try JSON.Encoder().encode(Stored(self))
  }

  /// - Throws: `DecodingError` for invalid data.
  package init(encoded data: Data) throws {
    self = try JSON.Decoder().decode(Stored.self, from: data).entry
  }

  private struct Stored: Codable {
    var id: UUID
    var variant: String
    var varyingFields: [String]
    var status: Int
    var names: [String]
    var values: [String]
    var requestTime: Double
    var responseTime: Double
    var bodyLength: Int

    init(_ entry: CacheEntry) {
      id = entry.id
      variant = entry.variant
      varyingFields = entry.varyingFields
      status = entry.status
      names = entry.headers.map(\.key.rawValue)
      values = entry.headers.map(\.value.rawValue)
      requestTime = entry.requestTime.timeIntervalSince1970
      responseTime = entry.responseTime.timeIntervalSince1970
      bodyLength = entry.bodyLength
    }

    var entry: CacheEntry {
      CacheEntry(
        id: id, variant: variant, varyingFields: varyingFields, status: status,
        headers: HTTP.Headers(
          zip(names, values).map { HTTP.Headers.Field(.init(rawValue: $0), .init(rawValue: $1)) }),
        requestTime: Date(timeIntervalSince1970: requestTime),
        responseTime: Date(timeIntervalSince1970: responseTime), bodyLength: bodyLength)
    }
  }
}

/// The age and the freshness lifetime of a stored response. All times are in seconds. Source: RFC 9111 §4.2.
extension CacheEntry {
  /// The statuses whose responses may be reused without explicit freshness information. Source: RFC 9110 §15.1, without 206.
  static let heuristicStatuses: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

  /// The freshness lifetime. Invalid or contradictory values make the response stale. Rule K3.
  var lifetime: Double {
    let directives = cacheControl
    switch directives.seconds("max-age") {
    case .value(let seconds): return seconds
    case .invalid: return 0
    case .absent: break
    }
    let expiries = Set(headers.values(for: .expires).map(\.rawValue))
    guard expiries.isEmpty else {
      guard expiries.count == 1, let expiry = expiries.first.flatMap(date(_:)) else { return 0 }
      return max(0, expiry - date)
    }
    guard Self.heuristicStatuses.contains(status) || directives.contains("public"),
      let modified = headers[.lastModified].flatMap({ date($0.rawValue) })
    else { return 0 }
    return max(0, date - modified) / 10
  }

  /// Returns the age of the response at `now`, which is at least the time since it was received. Rule K4. It is infinite, because it is not
  /// known, for a response that was received in the future, by a clock that was set back since.
  @inline(never)
  func age(at now: Date) -> Double {
    guard responseTime.timeIntervalSince(now) < 60 else { return .infinity }
    let apparent = max(0, responseTime.timeIntervalSince1970 - date)
    let corrected = statedAge + max(0, responseTime.timeIntervalSince(requestTime))
    return max(apparent, corrected) + max(0, now.timeIntervalSince(responseTime))
  }

  /// Returns how long the response has been stale at `now`; negative if it is fresh.
  func staleness(at now: Date) -> Double {
    age(at: now) - lifetime
  }

  func isFresh(at now: Date) -> Bool {
    lifetime > age(at: now)
  }

  /// The time at which the response was created, from its `Date` or, if that is missing or invalid, the time at which it was received.
  var date: Double {
    let stated = Set(headers.values(for: .date).map(\.rawValue))
    guard stated.count == 1, let date = stated.first.flatMap(date(_:)) else {
      return responseTime.timeIntervalSince1970
    }
    return date
  }

  /// The value of `Age`: the first of several values, or zero if that is not a number. Source: RFC 9111 §5.1.
  private var statedAge: Double {
    let first = headers.elements(of: .age).first
    return first.flatMap { CacheControl.seconds(in: $0) } ?? 0
  }

  /// Parses a date in any of HTTP's formats, and returns the seconds since 1970; `nil` if the date is invalid.
  func date(_ text: String) -> Double? {
    let now = HTTPDate(seconds: Int(clamping: responseTime.timeIntervalSince1970))
    return HTTPDate(anyForm: text, now: now).map { Double($0.seconds) }
  }
}

extension Int {
  /// Creates the integer part of `seconds`, clamped to ±10¹⁵. The result is 0 if `seconds` is not a number.
  init(clamping seconds: Double) {
    let held = Swift.min(Swift.max(seconds.isNaN ? 0 : seconds, -1e15), 1e15)
    self = Int(held)
  }
}

/// The decision whether a response is stored. Source: RFC 9111 §3.
extension CacheEntry {
  /// The statuses that this cache understands for `must-understand`: those for which it has storage rules.
  private static let understoodStatuses = heuristicStatuses.union([302, 303, 307])

  /// Returns whether the response to a GET may be stored by a private cache. Rule K2.
  ///
  /// A response with `Vary: *` is not stored, because it could never be reused.
  static func isStorable(_ head: HTTP.Response) -> Bool {
    isStorable(head.code, head.headers, CacheControl(head.headers))
  }

  private static func isStorable(_ code: Int, _ headers: HTTP.Headers, _ directives: CacheControl) -> Bool {
    // 206 and 304 are partial, and interim responses are not final.
    guard (200...599).contains(code), code != 206, code != 304, CacheVariant.names(in: headers) != nil
    else { return false }
    if directives.contains("must-understand") {
      guard understoodStatuses.contains(code) else { return false }
    } else if directives.contains("no-store") {
      return false
    }
    let isExplicit =
      directives.contains("max-age") || headers.contains(.expires) || directives.contains("public")
      || directives.contains("private")
    return isExplicit || heuristicStatuses.contains(code)
  }

  /// Returns the entry, whose fields were updated by the response to `request`, as one that is selected by the fields that its `Vary` names
  /// now; `nil` if the response may no longer be stored. Rules K1 and K2.
  func stored(for request: CacheRequest) -> CacheEntry? {
    guard Self.isStorable(status, headers, cacheControl), let names = CacheVariant.names(in: headers)
    else { return nil }
    guard names != varyingFields else { return self }
    var entry = self
    (entry.variant, entry.varyingFields) = (request.variant(of: names), names)
    return entry
  }

  /// Creates the entry of a response whose body has not been read yet.
  init(_ head: HTTP.Response, for request: CacheRequest, requestTime: Date, responseTime: Date) {
    let names = CacheVariant.names(in: head.headers) ?? []
    self.init(
      variant: request.variant(of: names), varyingFields: names, status: head.code,
      headers: Self.storable(head.headers), requestTime: requestTime, responseTime: responseTime, bodyLength: 0)
  }
}

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
  /// describe the body are kept. Before the entry is stored, ``stored(for:)`` applies the new fields to its selection.
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
