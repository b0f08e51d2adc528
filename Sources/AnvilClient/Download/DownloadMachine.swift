internal import AnvilHTTP

/// What a download does next, decided without sockets, files and clocks.
///
/// Source: RFC 9110 §13.1.5, §14, §15.3.7, §15.5.17.
struct DownloadMachine: Sendable {
  /// What a response's head leads to.
  enum Answer {
    /// Its body goes after what is there: at most this many bytes, where that is known.
    case append(limit: Int?)
    /// Its body is the file from the beginning.
    case restart(limit: Int?)
    /// It is of another state than what is there, which has to go before the next attempt.
    case startAnew
    case fail(TransportError)
  }

  /// What the end of an attempt leads to.
  enum Loss: Equatable {
    case wait(Duration)
    case fail
  }

  /// How many bytes are there.
  private(set) var count: Int
  /// How many there are in all; `nil` as long as that is not known.
  private(set) var total: Int?
  /// What the bytes that are there belong to; `nil` where they cannot be gone on with.
  private(set) var validator: StrongValidator?

  private let template: HTTP.Request
  private let maxFruitlessAttempts: Int
  private let backoff: any BackoffStrategy
  /// The furthest that the download ever was: one that begins anew again and again does not come further.
  private var furthestCount: Int
  private var fruitlessAttempts = 0

  /// The state before the first attempt, with what an earlier download left.
  init(
    request: HTTP.Request, options: DownloadOptions,
    kept: (record: DownloadRecord, validator: StrongValidator)? = nil
  ) {
    var template = request
    // Places in a body count only in one that nothing compresses.
    template.headers[.acceptEncoding] = .encodingIdentity
    template.headers[.range] = nil
    template.headers[.ifRange] = nil
    self.template = template
    maxFruitlessAttempts = options.maxFruitlessAttempts
    backoff = options.backoff
    count = kept?.record.count ?? 0
    total = kept?.record.total
    validator = kept?.validator
    furthestCount = count
  }

  /// What to send. Ranges are defined for GET only. Source: RFC 9110 §14.2.
  var request: HTTP.Request {
    var request = template
    if count > 0, let validator, template.method == .get {
      request.headers[.range] = "bytes=\(start)-"
      request.headers[.ifRange] = HTTP.HeaderValue(rawValue: validator.value)
    }
    return request
  }

  /// Where the range begins that is asked for: when everything is there, at the last byte, to learn whether it is still what is
  /// to be had.
  private var start: Int { count == total ? count - 1 : count }

  /// What is to be kept for a later download; `nil` where that could not go on with it.
  func record(source: String) -> DownloadRecord? {
    guard count > 0, template.method == .get, let validator else { return nil }
    return DownloadRecord(source: source, validator: validator, total: total, count: count)
  }

  /// The head of a successful response has come.
  mutating func receive(_ response: HTTP.Response) -> Answer {
    guard response.code == 206 else { return restart(response) }
    guard let validator, request.headers.contains(.range) else {
      return refuse("a 206 to a request without a range")
    }
    if let type = response.headers[.contentType]?.rawValue, type.lowercased().hasPrefix("multipart/byteranges") {
      return refuse("a 206 of several parts to a request for one range")
    }
    guard case .bytes(let first, let last, let all)? = ContentRange(response.headers) else {
      return refuse("a 206 whose Content-Range names no bytes")
    }
    guard validator.isConfirmed(by: response.headers), response.headers.contentCodings.isEmpty,
      all == nil || total == nil || all == total
    else {
      startAnew()
      return .startAnew
    }
    guard first == start else { return refuse("a 206 that begins at byte \(first), not at \(start)") }
    count = start
    total = total ?? all
    return .append(limit: last + 1 - first)
  }

  /// Gives up: kept, what is there would lead to the same answer in every call.
  private mutating func refuse(_ reason: String) -> Answer {
    startAnew()
    return .fail(TransportError(code: .malformedResponse, phase: .firstByte, reason: reason))
  }

  private mutating func restart(_ response: HTTP.Response) -> Answer {
    startAnew()
    let isPlain = response.headers.contentCodings.isEmpty
    validator = isPlain ? StrongValidator(response.headers) : nil
    total = response.announcedLength
    return .restart(limit: total)
  }

  /// The answer was 416: there is nothing after what is there. Where nobody has said how many bytes there are, and these are
  /// all, the next attempt asks for the last of them.
  ///
  /// - Returns: whether what is there may stay.
  mutating func receiveUnsatisfied(_ response: HTTP.Response) -> Bool {
    if count > 0, total == nil, ContentRange(response.headers) == .unsatisfied(total: count),
      !response.headers.contains(.eTag) || validator?.isConfirmed(by: response.headers) == true
    {
      total = count
      return true
    }
    startAnew()
    return false
  }

  /// What is there came from a server that contradicted itself.
  mutating func distrust() {
    startAnew()
  }

  private mutating func startAnew() {
    count = 0
    total = nil
    validator = nil
  }

  /// So many bytes more are there.
  mutating func add(_ more: Int) {
    count += more
  }

  /// The body has ended in order: whether that is everything.
  ///
  /// - Parameter isPart: whether it was a part, after which more may come where nobody has said how many there are.
  mutating func finish(isPart: Bool) -> Bool {
    if total == nil, !isPart { total = count }
    return count == total
  }

  /// The attempt has ended before everything was there; `mayPass` where the reason may pass by itself.
  mutating func lose(mayPass: Bool) -> Loss {
    guard mayPass, template.method.isIdempotent, template.body.isReadable else { return .fail }
    // What cannot be gone on with has brought nothing.
    if count > furthestCount, record(source: "") != nil {
      furthestCount = count
      fruitlessAttempts = 0
    } else {
      fruitlessAttempts += 1
      guard fruitlessAttempts < maxFruitlessAttempts else { return .fail }
    }
    return .wait(backoff.delay(beforeAttempt: max(1, fruitlessAttempts)))
  }
}
