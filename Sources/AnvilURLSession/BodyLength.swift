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
    let hasNoBody = head.request.method == .head || head.code == 204 || head.code == 304
    let codings = head.headers[.contentEncoding]?.rawValue.lowercased().split(separator: ",") ?? []
    coding = codings.map { $0.filter { !$0.isWhitespace } }.last { $0 != "identity" }
    let isChunked = head.headers.contains(.transferEncoding)
    guard let field = head.headers[.contentLength] else {
      if coding != nil, !isChunked, !hasNoBody {
        contradiction = "a compressed body without a length, whose end cannot be told from its truncation"
      }
      return
    }
    let lengths = Set(field.rawValue.split(separator: ",").map { $0.filter { !$0.isWhitespace } })
    if lengths.count > 1 {
      contradiction = "Content-Length has the values \(lengths.sorted().joined(separator: " and ").loggable)"
    } else if isChunked {
      contradiction = "both Content-Length and Transfer-Encoding are present"
    } else if let length = lengths.first.flatMap({ Int($0) }), length >= 0 {
      announced = hasNoBody ? nil : length
    } else {
      contradiction = "Content-Length is \(field.rawValue.loggable)"
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
