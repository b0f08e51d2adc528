internal import Anvil
internal import AnvilSQLite
internal import Foundation

/// What the scenes of the demo came to.
struct DemoReport: Encodable {
  /// Requests that the server received.
  var requests = 0
  /// Models that were decoded.
  var decoded = 0
  /// Requests that failed and were saved by a recovery strategy.
  var recovered = 0
  /// Failures that a scene was to show and did.
  var failedAsExpected = 0
  /// Models that an earlier run had left in the store.
  var kept = 0
  /// Rows that were put into the store, and those that were there already as they were to be.
  var inserted = 0, updated = 0, unchanged = 0
  /// Scenes that ended in another way than they should.
  var unexpected = 0

  var isAsExpected: Bool { unexpected == 0 }

  mutating func add(_ result: DemoScene.Result) {
    switch result.outcome {
    case .decoded(let count): decoded += count
    case .recovered(let count):
      recovered += 1
      decoded += count
    case .stored(let count, let counts):
      decoded += count
      inserted += counts.inserted
      updated += counts.updated
      unchanged += counts.unchanged
    case .done: break
    case .failedAsExpected: failedAsExpected += 1
    case .unexpected: unexpected += 1
    }
  }

  var json: String {
    let encoder = JSON.Encoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) + "\n" } ?? "{}\n"
  }

  var text: String {
    """
    \(requests) requests, \(decoded) models decoded, \(recovered) recovered, \(failedAsExpected) failed as expected, \
    \(kept) kept from before\(isAsExpected ? "" : ", \(unexpected) NOT as expected")

    """
  }
}
