internal import AnvilClient
internal import AnvilHTTP
internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// A request's body in a form that URLSession accepts: no body, bytes, or a file.
///
/// A stream is first read completely: up to ``memoryLimit`` into memory, and beyond that into a temporary file, which is deleted with
/// the last copy of this value. URLSession has no way of streaming a body that works on all platforms. Reading first also checks the
/// declared length of the stream before a byte is sent.
struct Upload: Sendable {
  private enum Source: Sendable {
    case nothing
    case data(Data)
    case file(URL)
    case temporary(TemporaryFile)
  }

  /// The maximum number of bytes of a stream or form that are held in memory.
  private static let memoryLimit = 16 << 20

  private let source: Source

  init(_ data: Data) {
    source = data.isEmpty ? .nothing : .data(data)
  }

  /// - Throws: `TransportError` with code `requestBodyFailed` or `cancelled`.
  init(_ body: HTTP.Body, _ foundation: FoundationImplementation = .current) async throws(TransportError) {
    do {
      source = try await Self.source(of: body, foundation)
    } catch {
      throw TransportError(readingRequestBody: error)
    }
  }

  private static func source(of body: HTTP.Body, _ foundation: FoundationImplementation) async throws -> Source {
    // An upload task from a file would trap on Linux when it is cancelled ("libcurl.Easy Code=43").
    if foundation == .apple, let url = body.fileURL, body.length != nil { return .file(url) }
    var collected = Data()
    var spilled: TemporaryFile?
    for try await chunk in body {
      if let spilled {
        try spilled.append(chunk)
      } else if chunk.count <= memoryLimit - collected.count {
        collected.append(chunk)
      } else {
        let file = try TemporaryFile(named: "anvil-upload")
        try file.append(collected)
        try file.append(chunk)
        collected = Data()
        spilled = file
      }
    }
    if let spilled { return .temporary(spilled) }
    return collected.isEmpty ? .nothing : .data(collected)
  }

  var length: Int? {
    switch source {
    case .nothing: 0
    case .data(let data): data.count
    case .file(let url): HTTP.Body.file(url).length
    case .temporary(let file): file.count
    }
  }

  /// A Boolean value that indicates whether there is no body to send. False for a file, even if it is empty.
  var isEmpty: Bool {
    if case .nothing = source { true } else { false }
  }

  func task(
    for request: URLRequest, in session: URLSession, _ foundation: FoundationImplementation = .current
  ) -> URLSessionTask {
    var request = request
    switch source {
    case .nothing: break
    case .data(let data): request.httpBody = data
    case .file(let url): return session.uploadTask(with: request, fromFile: url)
    case .temporary(let file):
      // See `source(of:_:)`.
      if foundation == .apple { return session.uploadTask(with: request, fromFile: file.url) }
      request.httpBodyStream = InputStream(url: file.url)
    }
    return session.dataTask(with: request)
  }
}

struct BodyLength: Sendable {
  /// The announced number of bytes; `nil` if the head does not state it.
  private(set) var announced: Int?
  /// The reason why the stated length is contradictory or cannot be checked. Source: RFC 9112 §6.3.
  private(set) var contradiction: String?
  /// The content coding of the body, which Foundation decompresses.
  private let coding: String?
  var received = 0

  init(of head: HTTP.Response, _ foundation: FoundationImplementation = .current) {
    coding = head.headers.contentCodings.last
    contradiction = head.headers.framingConflict
    switch head.headers.contentLength {
    case .none:
      // Apple's Foundation reports a truncated stream of HTTP/2 or HTTP/3, whose compressed responses seldom state a length.
      if foundation == .corelibs, coding != nil, !head.headers.contains(.transferEncoding), head.canHaveBody {
        contradiction = "the body is compressed and has no length, so truncation cannot be detected"
      }
    case .bytes(let length) where contradiction == nil: announced = head.canHaveBody ? length : nil
    default: break
    }
  }

  /// The error for a body that ended early; `nil` if the body is complete, or if this cannot be determined.
  var shortfall: TransportError? {
    guard let announced else { return nil }
    // Truncation of a compressed body can only be detected if bytes were announced but decompressed to nothing.
    let isShort = coding.map { received == 0 && announced > Self.emptyLength(of: $0) } ?? (received < announced)
    guard isShort else { return nil }
    guard let coding else { return TransportError(truncatedAfter: received, of: announced) }
    return TransportError(
      code: .truncatedResponse, phase: .body,
      reason: "\(announced) bytes of \(coding.loggable) decompressed to nothing")
  }

  private static func emptyLength(of coding: String) -> Int {
    switch coding {
    case "br": 1
    case "deflate": 8
    case "zstd": 13
    default: 20
    }
  }
}
