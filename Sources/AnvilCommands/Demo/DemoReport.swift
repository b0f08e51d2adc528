internal import Anvil
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
  /// Scenes that ended in another way than they should.
  var unexpected = 0

  var isAsExpected: Bool { unexpected == 0 }

  mutating func add(_ result: DemoScene.Result) {
    switch result.outcome {
    case .decoded(let count): decoded += count
    case .recovered(let count):
      recovered += 1
      decoded += count
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
    \(requests) requests, \(decoded) models decoded, \(recovered) recovered, \(failedAsExpected) failed as expected\
    \(isAsExpected ? "" : ", \(unexpected) NOT as expected")

    """
  }
}
