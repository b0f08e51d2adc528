import AnvilTesting
import Foundation

/// What a server may do in place of its plain answer.
enum Misbehaviour: Sendable {
  /// A status, before anything was done, with a `Retry-After` in seconds where there is one.
  case refuse(Int, retryAfter: Int?)
  /// A status, when everything was done.
  case fail(Int)
  /// A redirect to the same place.
  case redirect(Int)
  /// A fault in place of the answer.
  case fault(String, LoopbackServer.Fault)
  /// The answer up to some byte, and then the end of the connection.
  case cut(isReset: Bool)
  /// The answer up to some byte, and then nothing.
  case stall
  /// The answer in pieces with pauses between them.
  case drip
  /// The answer, late.
  case delay(Duration)
  /// An answer of another shape than was agreed.
  case drift
  /// The answer on a connection that is closed after it.
  case closeAfterwards

  /// The name by which it is counted.
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

  /// Whether the client can succeed in spite of it without sending the request again.
  var isHarmless: Bool {
    switch self {
    case .redirect, .drip, .delay, .closeAfterwards: true
    default: false
    }
  }

  /// Whether it comes before anything was done.
  var isBeforeEffect: Bool {
    switch self {
    case .refuse, .redirect: true
    default: false
    }
  }

  /// Chosen at random; `nil` for a plain answer.
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
