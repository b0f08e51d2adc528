internal import AnvilClient
internal import AnvilHTTP

/// The body length stated in a response's head, and the number of bytes received.
struct BodyLength: Sendable {
  /// The announced number of bytes; `nil` if the head does not state it.
  private(set) var announced: Int?
  /// The reason why the length that the head states is contradictory or cannot be checked; `nil` if there is no problem. Source: RFC 9112
  /// §6.3.
  private(set) var contradiction: String?
  /// The content coding of the body, which Foundation decompresses.
  private let coding: String?
  /// The number of bytes received.
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
    let reason =
      coding.map { "\(announced) bytes of \($0.loggable) decompressed to nothing" }
      ?? "only \(received) of \(announced) bytes were received"
    return TransportError(code: .truncatedResponse, phase: .body, reason: reason)
  }

  /// Returns the compressed size of an empty body.
  private static func emptyLength(of coding: String) -> Int {
    switch coding {
    case "br": 1
    case "deflate": 8
    case "zstd": 13
    default: 20
    }
  }
}
