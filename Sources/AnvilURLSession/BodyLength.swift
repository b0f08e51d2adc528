internal import AnvilClient
internal import AnvilHTTP

/// What a head says about its body's length, and how much has come.
struct BodyLength: Sendable {
  /// How many bytes will come, where the head says so and they come as they are.
  private(set) var announced: Int?
  /// Why the head's statements cannot all be true. Source: RFC 9112 §6.3.
  private(set) var contradiction: String?
  /// How many bytes have come.
  var received = 0

  init(of head: HTTP.Response) {
    guard let field = head.headers[.contentLength] else { return }
    let lengths = Set(field.rawValue.split(separator: ",").map { $0.drop(while: \.isWhitespace) })
    if lengths.count > 1 {
      contradiction = "Content-Length has the values \(lengths.sorted().joined(separator: " and "))"
    } else if head.headers.contains(.transferEncoding) {
      contradiction = "both Content-Length and Transfer-Encoding are present"
    }
    let hasNoBody = head.request.method == .head || head.code == 204 || head.code == 304
    // A decoded body has another length than the one announced.
    let isEncoded = head.headers.contains(.contentEncoding)
    if !hasNoBody, !isEncoded, contradiction == nil { announced = lengths.first.flatMap { Int($0) } }
  }

  /// The error of a body that ended early.
  var shortfall: TransportError? {
    guard let announced, received < announced else { return nil }
    return TransportError(
      code: .truncatedResponse, phase: .body, reason: "\(received) of \(announced) bytes came")
  }
}
