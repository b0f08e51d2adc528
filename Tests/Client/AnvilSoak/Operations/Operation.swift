import Anvil

/// A kind of operation on a client.
struct Operation: Sendable {
  /// The name under which it is counted.
  let name: String
  /// Its frequency, relative to the others.
  let weight: Int
  /// `true` if it may fail although its requests succeeded, because it shares responses of other operations.
  var isShared = false
  /// `true` if it has no timeouts and no deadlines.
  var isUnlimited = false
  /// `true` if it reads its body as it arrives.
  var isStreamed = false
  /// Performs the operation once, checks the result, and rethrows the client's errors.
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
