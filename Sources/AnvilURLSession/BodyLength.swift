internal import AnvilClient
internal import AnvilHTTP

/// What a head says about its body's length, and how much has come.
struct BodyLength: Sendable {
  /// How many bytes will come, where the head says so.
  private(set) var announced: Int?
  /// Why the head's statements cannot be true, or cannot be checked. Source: RFC 9112 §6.3.
  private(set) var contradiction: String?
  /// How the body is compressed; Foundation hands it over decompressed.
  private let coding: String?
  /// How many bytes have come.
  var received = 0

  init(of head: HTTP.Response) {
    coding = head.headers.contentCodings.last
    contradiction = head.headers.lengthContradiction
    switch head.headers.statedLength {
    case .none:
      if coding != nil, !head.headers.contains(.transferEncoding), head.canHaveBody {
        contradiction = "a compressed body without a length, whose end cannot be told from its truncation"
      }
    case .bytes(let length) where contradiction == nil: announced = head.canHaveBody ? length : nil
    default: break
    }
  }

  /// The error of a body that ended early.
  var shortfall: TransportError? {
    guard let announced else { return nil }
    // Of a compressed body only this can be told: that something was sent and nothing came of it.
    let isShort = coding.map { received == 0 && announced > Self.emptyLength(of: $0) } ?? (received < announced)
    guard isShort else { return nil }
    let reason =
      coding.map { "\(announced) bytes of \($0.loggable) decompressed to nothing" }
      ?? "\(received) of \(announced) bytes came"
    return TransportError(code: .truncatedResponse, phase: .body, reason: reason)
  }

  /// How many bytes nothing takes when compressed.
  private static func emptyLength(of coding: String) -> Int {
    switch coding {
    case "br": 1
    case "deflate": 8
    case "zstd": 13
    default: 20
    }
  }
}
