internal import AnvilBase
internal import AnvilHTTP
internal import AnvilJSON
internal import Dispatch

/// An asynchronous ``PartFile``. Its calls run on a separate queue, so that they do not block threads of the cooperative pool.
struct DownloadFile: Sendable {
  private let queue: DispatchQueue
  private let part: PartFile

  init(for target: URL) async throws(TransportError) {
    let queue = DispatchQueue(label: "anvil.download.file")
    part = try await Self.run(on: queue) { () throws(FileFailure) in try PartFile(for: target) }
    self.queue = queue
  }

  func readRecord(source: String) async -> (record: DownloadRecord, validator: StrongValidator)? {
    try? await run { part in part.readRecord(source: source) }
  }

  func write(_ chunk: Data, at offset: Int) async throws(TransportError) {
    try await run { part throws(FileFailure) in try part.write(chunk, at: offset) }
  }

  func clear() async throws(TransportError) {
    try await run { part throws(FileFailure) in try part.clear() }
  }

  func keep(_ record: DownloadRecord) async throws(TransportError) {
    try await run { part throws(FileFailure) in try part.keep(record) }
  }

  func leave(_ record: DownloadRecord?) async {
    try? await run { part in part.leave(record) }
  }

  func finish(count: Int) async throws(TransportError) {
    try await run { part throws(FileFailure) in try part.finish(count: count) }
  }

  /// Unlocks the file for other downloads. The object must not be used afterwards.
  ///
  /// The lock is released explicitly, because tasks that have ended may retain the object for a moment longer.
  func close() async {
    try? await run { part in part.unlock() }
  }

  private func run<Value: Sendable>(
    _ work: @escaping @Sendable (PartFile) throws(FileFailure) -> Value
  ) async throws(TransportError) -> Value {
    try await Self.run(on: queue) { [part] () throws(FileFailure) in try work(part) }
  }

  private static func run<Value: Sendable>(
    on queue: DispatchQueue, _ work: @escaping @Sendable () throws(FileFailure) -> Value
  ) async throws(TransportError) -> Value {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Value, FileFailure>, Never>) in
      queue.async { continuation.resume(returning: Result { () throws(FileFailure) in try work() }) }
    }
    switch result {
    case .success(let value): return value
    case .failure(let failure):
      throw TransportError(code: .fileNotWritten, reason: failure.description, underlyingError: failure)
    }
  }
}

/// A record that is stored with a partial file, so that a later download can resume it.
struct DownloadRecord: Codable, Hashable, Sendable {
  /// The version of the format. Other versions are not read.
  private static let currentFormat = 1

  private var format = currentFormat
  /// A hash that identifies the request without revealing secrets of its URL.
  private let source: String
  private let validator: String
  /// The total number of bytes, if it is known.
  var total: Int?
  /// The number of bytes that are on the disk.
  var count: Int
  /// The least total number of bytes, because a range with the validator ended there; `nil` if no range exceeds ``count``.
  private(set) var leastCount: Int?

  /// Creates a record for the first `count` bytes of the resource in the state that `validator` identifies.
  init(source: String, validator: StrongValidator, total: Int?, count: Int, leastCount: Int? = nil) {
    self.source = source
    self.validator = validator.value
    self.total = total
    self.count = count
    self.leastCount = leastCount
  }

  /// Returns the record in `data` and its validator, if it belongs to `source` and to a file of `size` bytes; otherwise `nil`.
  static func read(
    _ data: Data, source: String, size: Int
  ) -> (record: DownloadRecord, validator: StrongValidator)? {
    guard let record = try? JSON.Decoder().decode(DownloadRecord.self, from: data), record.format == currentFormat,
      record.source == source, record.count > 0, record.count <= size, record.count <= record.total ?? .max,
      let validator = StrongValidator(kept: record.validator)
    else { return nil }
    return (record, validator)
  }

  var data: Data? { try? JSON.Encoder().encode(self) }

  /// Returns a hash of the parts of `request` that identify the resource and may select a representation. The parts are hashed because URLs
  /// can contain secrets.
  ///
  /// Fields are included because a `Last-Modified` date does not distinguish representations. Source: RFC 9110 §12.1.
  static func source(of request: HTTP.Request) -> String {
    let chosen = [HTTP.HeaderKey.accept, .acceptLanguage].map { request.headers[$0]?.rawValue ?? "" }
    let text = ([request.method.rawValue, request.url.absoluteString] + chosen).joined(separator: "\n")
    return String(FNV1a(text.utf8).value, radix: 16)
  }
}

/// A value that identifies one state of a resource byte for byte: a strong entity tag, or a date that is as reliable. Source: RFC 9110 §8.8.
enum StrongValidator: Hashable, Sendable {
  /// An entity tag with its quotation marks.
  case entityTag(String)
  /// The value of `Last-Modified`.
  case date(String)

  /// The minimum time in seconds between `Last-Modified` and `Date` that rules out a second change within the same second, even if the
  /// server's clocks differ. RFC 9110 §8.8.2.2 requires a second, RFC 7232 §2.2.2 required a minute.
  private static let leastAge = 60

  /// Creates the validator from `headers`; `nil` if they contain no strong validator. If they contain an entity tag, even a weak one, a
  /// date is not used, because a client must then send the tag. Source: RFC 9110 §13.1.5.
  init?(_ headers: HTTP.Headers) {
    let tags = headers.values(for: .eTag)
    if !tags.isEmpty {
      guard tags.count == 1, Self.isStrongTag(tags[0]) else { return nil }
      self = .entityTag(tags[0].rawValue)
      return
    }
    let dates = headers.values(for: .lastModified)
    guard dates.count == 1, let modified = HTTPDate(dates[0].rawValue), let sent = headers[.date],
      let now = HTTPDate(sent.rawValue), now.seconds - modified.seconds >= Self.leastAge
    else { return nil }
    self = .date(dates[0].rawValue)
  }

  /// Parses a validator that was stored as `value`; `nil` if it is invalid.
  init?(kept value: String) {
    if Self.isStrongTag(HTTP.HeaderValue(rawValue: value)) {
      self = .entityTag(value)
    } else if HTTPDate(value) != nil {
      self = .date(value)
    } else {
      return nil
    }
  }

  /// The value for `If-Range`.
  var value: String {
    switch self {
    case .entityTag(let value), .date(let value): value
    }
  }

  /// Returns whether the response to a request with this `If-Range` has the state of the resource that this validator identifies.
  ///
  /// The response must have the same entity tag, because some servers support ranges but not `If-Range`. A date may be missing from the
  /// response. Source: RFC 9110 §15.3.7.
  func isConfirmed(by headers: HTTP.Headers) -> Bool {
    switch self {
    case .entityTag(let tag): headers.values(for: .eTag).map(\.rawValue) == [tag]
    case .date(let date): headers[.lastModified].map { $0.rawValue == date } ?? true
    }
  }

  /// Returns whether `headers` contain the same validator.
  func isStated(in headers: HTTP.Headers) -> Bool {
    switch self {
    case .entityTag: isConfirmed(by: headers)
    case .date(let date): !headers.contains(.eTag) && headers.values(for: .lastModified).map(\.rawValue) == [date]
    }
  }

  /// Source: RFC 9110 §8.8.3.
  private static func isStrongTag(_ value: HTTP.HeaderValue) -> Bool {
    let bytes = value.rawValue.utf8
    guard bytes.count >= 2, bytes.first == .quote, bytes.last == .quote else { return false }
    return bytes.dropFirst().dropLast().allSatisfy {
      $0 == .exclamationMark || (0x23...0x7E).contains($0) || $0 >= 0x80
    }
  }
}
