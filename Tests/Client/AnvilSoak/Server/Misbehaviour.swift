import AnvilTesting
import Foundation

/// A misbehaviour of the server in place of its plain response.
enum Misbehaviour: Sendable {
  /// An error status without executing the request, with an optional `Retry-After` in seconds.
  case refuse(Int, retryAfter: Int?)
  /// An error status after executing the request.
  case fail(Int)
  /// A redirect to the same place.
  case redirect(Int)
  /// A fault in place of the response.
  case fault(String, LoopbackServer.Fault)
  /// The response up to a random byte, followed by the end of the connection.
  case cut(isReset: Bool)
  /// The response up to a random byte, after which the server stalls.
  case stall
  /// The response in pieces, with pauses in between.
  case drip
  /// A delayed response.
  case delay(Duration)
  /// A response with an unexpected structure.
  case drift
  /// The response on a connection that is closed afterwards.
  case closeAfterwards

  /// The name under which it is counted.
  var name: String {
    switch self {
    case .refuse(let status, let delay): "refuse-\(status)\(delay == nil ? "" : "-retry-after")"
    case .fail(let status): "fail-\(status)"
    case .redirect(let status): "redirect-\(status)"
    case .fault(let name, _): name
    case .cut(let isReset): isReset ? "cut-reset" : "cut"
    case .stall: "stall"
    case .drip: "drip"
    case .delay: "delay"
    case .drift: "drift"
    case .closeAfterwards: "close"
    }
  }

  /// `true` if the client can succeed without sending the request again.
  var isHarmless: Bool {
    switch self {
    case .redirect, .drip, .delay, .closeAfterwards: true
    default: false
    }
  }

  /// `true` if the request is not executed.
  var isBeforeEffect: Bool {
    switch self {
    case .refuse, .redirect: true
    default: false
    }
  }

  /// A random misbehaviour; `nil` for a plain response.
  static func pick(_ random: inout RandomSource) -> Misbehaviour? {
    guard random.below(100) < 22 else { return nil }
    switch random.pick(choices) {
    case .delay: return .delay(random.milliseconds(1...400))
    case let choice: return choice
    }
  }

  private static let choices: [(weight: Int, choice: Misbehaviour)] = [
    (6, .refuse(429, retryAfter: 0)), (2, .refuse(429, retryAfter: 1)), (3, .refuse(503, retryAfter: nil)),
    (1, .refuse(503, retryAfter: 1)), (1, .refuse(408, retryAfter: nil)), (1, .refuse(404, retryAfter: nil)),
    (4, .fail(500)), (3, .fail(502)), (3, .fail(503)), (2, .fail(504)),
    (4, .redirect(301)), (4, .redirect(302)), (2, .redirect(303)), (6, .redirect(307)), (6, .redirect(308)),
    (14, .cut(isReset: false)), (8, .cut(isReset: true)), (1, .stall), (10, .drip), (14, .delay(.zero)), (8, .drift),
    (6, .closeAfterwards),
    (2, .fault("truncated-body", .truncatedBody)),
    (2, .fault("truncated-chunks", .truncatedChunks)), (3, .fault("truncated-head", .truncatedHead)),
    (4, .fault("close-before-head", .closeBeforeHead)), (4, .fault("reset-before-head", .resetBeforeHead)),
    (2, .fault("reset-in-body", .resetInBody)), (2, .fault("bad-chunk", .badChunk)),
    (2, .fault("conflicting-lengths", .conflictingLengths)), (2, .fault("length-and-chunked", .lengthAndChunked)),
    (2, .fault("not-http", .notHTTP)), (1, .fault("never-answers", .neverAnswers)),
  ]
}
