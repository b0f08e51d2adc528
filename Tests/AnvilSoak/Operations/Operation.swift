import Anvil

/// A kind of thing that a client is used for.
struct Operation: Sendable {
  /// The name by which it is counted.
  let name: String
  /// How often it is run, in proportion to the others.
  let weight: Int
  /// Whether it may fail although all of its own requests were answered well, because others' answers are shared.
  var isShared = false
  /// Whether neither timeouts nor deadlines end it.
  var isUnlimited = false
  /// Whether it reads its body as it arrives.
  var isStreamed = false
  /// Does it once, checks what it returns, and throws what the client throws.
  let run: @Sendable (Call, inout RandomSource) async throws -> Void

  /// Every kind.
  static let all: [Operation] = [
    echo, drift, stranger, order, payment, item, list, readings, cached, lines, abandoned, download, upload, pages,
    events,
    promises,
  ]

  /// The kinds with their weights.
  static let choices = all.map { (weight: $0.weight, choice: $0) }
}
