internal import AnvilBase
internal import AnvilHTTP

/// Decides the next step of a download, without sockets, files and clocks. Source: RFC 9110 §13.1.5, §14, §15.3.7, §15.5.17.
struct DownloadMachine: Sendable {
  /// The decision about a response head.
  enum Answer {
    /// Append the body to the existing bytes. It has at most `limit` bytes; `nil` if that is not known.
    case append(limit: Int?)
    /// Write the body from the beginning of the file. It has at most `limit` bytes; `nil` if that is not known.
    case restart(limit: Int?)
    /// Remove the existing bytes before the next attempt, because the response has another state of the resource.
    case discardAndRetry
    case fail(TransportError)
  }

  /// The decision after a failed attempt.
  enum Decision: Equatable {
    case wait(Duration)
    case fail
  }

  /// The number of bytes received so far.
  private(set) var count: Int
  /// The total number of bytes; `nil` if it is not known yet.
  private(set) var total: Int?
  /// The validator of the received bytes; `nil` if the download cannot be resumed after them.
  private(set) var validator: StrongValidator?

  private let template: HTTP.Request
  private let settings: RequestSettings
  /// True if the head of a response has arrived. Until then, attempts are repeated by the retry policy alone.
  private var hasBegun = false
  /// The least number of bytes of the complete file, because that many were received, or are in a range, with the same strong validator.
  private var leastCount = 0
  private let fruitlessAttemptLimit: Int
  private let backoff: any BackoffStrategy
  /// The largest number of bytes received so far. A download that repeatedly starts from the beginning makes no progress beyond it.
  private var furthestCount: Int
  private var fruitlessAttempts = 0

  /// Creates the state before the first attempt, with the bytes of an earlier download.
  init(
    request: HTTP.Request, options: DownloadOptions,
    kept: (record: DownloadRecord, validator: StrongValidator)? = nil
  ) {
    var template = request
    // Byte positions are only valid in a body without compression.
    template.headers[.acceptEncoding] = .encodingIdentity
    template.headers[.range] = nil
    template.headers[.ifRange] = nil
    self.template = template
    settings = options.settings
    fruitlessAttemptLimit = options.fruitlessAttemptLimit
    backoff = options.backoff
    count = kept?.record.count ?? 0
    total = kept?.record.total
    validator = kept?.validator
    leastCount = kept?.record.leastCount ?? 0
    furthestCount = count
  }

  /// Ranges are defined for GET only. Source: RFC 9110 §14.2.
  var request: HTTP.Request {
    var request = template
    if count > 0, let validator, template.method == .get {
      request.headers[.range] = "bytes=\(start)-"
      request.headers[.ifRange] = HTTP.HeaderValue(rawValue: validator.value)
    }
    return request
  }

  /// The start of the requested range. For a complete file it is the last byte, to check whether the file is still current.
  private var start: Int { count == total ? count - 1 : count }

  /// Returns the record for a later download; `nil` if the download cannot be resumed.
  func record(source: String) -> DownloadRecord? {
    guard count > 0, template.method == .get, let validator else { return nil }
    return DownloadRecord(
      source: source, validator: validator, total: total, count: count,
      leastCount: leastCount > count ? leastCount : nil)
  }

  /// Returns the decision about the head of a successful response.
  mutating func receive(_ response: HTTP.Response) -> Answer {
    hasBegun = true
    let hasRange = request.headers.contains(.range)
    if hasRange, response.headers.contentType?.mediaType == "multipart/byteranges" {
      return refuse("the response is a \(response.code) with several parts, but the request had one range")
    }
    guard response.code == 206 else { return restart(response, hasRange: hasRange) }
    guard let validator, hasRange else {
      return refuse("the response is a 206, but the request had no range")
    }
    guard case .bytes(let first, let last, let all)? = ContentRange(response.headers) else {
      return refuse("the response is a 206 without a valid range of bytes in Content-Range")
    }
    // A range of the same state fits the known length, and a stated length fits the ranges before it.
    guard validator.isConfirmed(by: response.headers), response.headers.contentCodings.isEmpty,
      all == nil || total == nil || all == total, last < total ?? all ?? .max, leastCount <= all ?? .max
    else {
      discardReceivedBytes()
      return .discardAndRetry
    }
    guard first == start else {
      return refuse("the response is a 206 that begins at byte \(first) instead of \(start)")
    }
    count = start
    total = total ?? all
    leastCount = max(leastCount, last + 1)
    return .append(limit: last + 1 - first)
  }

  /// Discards the received bytes and returns the failure with `reason`. If the bytes were kept, every later call would get the same
  /// response.
  private mutating func refuse(_ reason: String) -> Answer {
    discardReceivedBytes()
    return .fail(TransportError(code: .malformedResponse, phase: .firstByte, reason: reason))
  }

  /// Handles a response that is not a 206, and so must be the whole file. Some servers send only a part nevertheless.
  private mutating func restart(_ response: HTTP.Response, hasRange: Bool) -> Answer {
    var stated = response.announcedLength
    switch ContentRange(response.headers) {
    case .bytes(first: 0, let last, let all?)? where last + 1 == all: stated = stated ?? all
    case .bytes(let first, let last, _)?:
      return refuse("the response is a \(response.code), but its Content-Range is that of the bytes \(first)-\(last)")
    case .unsatisfied?, nil:
      // The field has no meaning in such a response, but a server that sends it may have sent the requested range.
      guard hasRange, response.headers.contains(.contentRange) else { break }
      return refuse("the response is a \(response.code) with a Content-Range that is not that of the whole file")
    }
    let isPlain = response.headers.contentCodings.isEmpty
    let isSameState = isPlain && validator?.isStated(in: response.headers) == true
    let (knownCount, knownTotal) = (max(count, leastCount), total)
    if isSameState, let stated, stated != knownTotal ?? max(stated, knownCount) {
      return refuse(
        "the response has \(stated) bytes, but the validator of a file of \(knownTotal.map { "\($0)" } ?? "at least \(knownCount)")"
      )
    }
    discardReceivedBytes()
    validator = isPlain ? StrongValidator(response.headers) : nil
    total = stated
    if isSameState, stated == nil {
      // Only the end of the body will show whether it is the whole file, so its bytes cannot be resumed.
      validator = nil
      total = knownTotal
      leastCount = knownCount
    }
    return .restart(limit: total)
  }

  /// Handles a 416: the resource has no bytes after the received ones. If the total was not known and the received bytes are all of them,
  /// the next attempt requests the last byte.
  ///
  /// - Returns: Whether the received bytes may be kept.
  mutating func receiveUnsatisfied(_ response: HTTP.Response) -> Bool {
    hasBegun = true
    if count > 0, total == nil, count >= leastCount, ContentRange(response.headers) == .unsatisfied(total: count),
      !response.headers.contains(.eTag) || validator?.isConfirmed(by: response.headers) == true
    {
      total = count
      return true
    }
    discardReceivedBytes()
    return false
  }

  /// Also called if the server sent more bytes than it announced.
  mutating func discardReceivedBytes() {
    count = 0
    total = nil
    validator = nil
    leastCount = 0
  }

  mutating func add(_ more: Int) {
    count += more
  }

  /// Handles the regular end of a body, and returns whether the file is complete.
  ///
  /// - Parameter isPart: Whether the body was a part of the resource. If the total is not known, more bytes may follow a part.
  mutating func finish(isPart: Bool) -> Bool {
    if total == nil, !isPart, count >= leastCount { total = count }
    return count == total
  }

  /// Handles an attempt that ended before the file was complete. `isTransient` is true if the cause may be transient.
  ///
  /// An attempt that ended before any head is final, because the retry policy has already decided about it. Afterwards, the next attempt
  /// continues the body, as the settings allow it. Rule R1.
  mutating func lose(isTransient: Bool) -> Decision {
    guard isTransient, hasBegun, settings.mayBeginAgain(template.method), template.body.isReadable else {
      return .fail
    }
    // Bytes that cannot be resumed are not progress.
    if count > furthestCount, record(source: "") != nil {
      furthestCount = count
      fruitlessAttempts = 0
    } else {
      fruitlessAttempts += 1
      guard fruitlessAttempts < fruitlessAttemptLimit else { return .fail }
    }
    return .wait(backoff.delay(beforeAttempt: max(1, fruitlessAttempts)))
  }
}

/// The value of `Content-Range` in a response: the range of bytes or, if the requested range could not be satisfied, only the total number.
///
/// Source: RFC 9110 §14.4.
enum ContentRange: Hashable, Sendable {
  /// The bytes from `first` to `last`, both inclusive and counted from 0. `total` is the length of the complete resource; `nil` if it is
  /// not known.
  case bytes(first: Int, last: Int, total: Int?)
  /// The requested range could not be satisfied; the resource has `total` bytes: `bytes */total`.
  case unsatisfied(total: Int)

  /// Parses the range in `headers`; `nil` if it is missing, repeated, invalid, or in another unit than bytes.
  init?(_ headers: HTTP.Headers) {
    let values = headers.values(for: .contentRange)
    guard values.count == 1, let text = values.first?.rawValue else { return nil }
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let total = Self.number(parts[1])
    if parts[0] == "*" {
      guard let total else { return nil }
      self = .unsatisfied(total: total)
      return
    }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    // `last` must be less than the largest number, so that the position after it does not overflow.
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
      last < .max, total != nil || parts[1] == "*", last < total ?? .max
    else { return nil }
    self = .bytes(first: first, last: last, total: total)
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { $0.isDigit } ? Int(text) : nil
  }
}
