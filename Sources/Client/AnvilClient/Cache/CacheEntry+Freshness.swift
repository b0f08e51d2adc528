internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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

  /// Returns the age of the response at `now`, which is at least the time since it was received. Rule K4.
  @inline(never)
  func age(at now: Date) -> Double {
    let apparent = max(0, responseTime.timeIntervalSince1970 - date)
    let corrected = statedAge + max(0, responseTime.timeIntervalSince(requestTime))
    return max(apparent, corrected) + max(0, now.timeIntervalSince(responseTime))
  }

  /// Returns how long the response has been stale at `now`; negative if it is fresh.
  func staleness(at now: Date) -> Double {
    age(at: now) - lifetime
  }

  /// Returns whether the response may be reused at `now` without validation.
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
