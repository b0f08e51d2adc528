internal import Anvil
internal import AnvilSQLite
internal import Foundation

/// The results of the demo's scenes.
struct DemoReport: Encodable {
  /// The number of requests that the server received.
  var requests = 0
  /// The number of decoded models.
  var decoded = 0
  /// The number of failed requests that were sent again and then succeeded.
  var recovered = 0
  /// The number of failures that a scene demonstrates.
  var failedAsExpected = 0
  /// The number of models that an earlier run has stored.
  var kept = 0
  /// The numbers of rows that were inserted, updated, and found unchanged.
  var inserted = 0, updated = 0, unchanged = 0
  /// The number of scenes with an unexpected result.
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
    \(kept) stored by an earlier run\(isAsExpected ? "" : ", \(unexpected) NOT as expected")

    """
  }
}
