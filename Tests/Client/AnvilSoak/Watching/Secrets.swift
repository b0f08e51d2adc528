import Foundation
import Synchronization

/// Recognisable secrets, and the search for them in texts that must not contain any.
final class Secrets: Sendable {
  /// The prefix of each secret. Its nine bytes are also recognisable in base64.
  private let marker: String
  private let encodedMarker: String
  private let findings: Findings
  private let searched = Atomic(0)

  init(seed: UInt64, findings: Findings) {
    var random = RandomSource(seed: seed)
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    marker = "Z" + String((0..<8).map { _ in letters[random.below(letters.count)] })
    encodedMarker = Data(marker.utf8).base64EncodedString()
    self.findings = findings
  }

  /// The number of searched texts.
  var searchCount: Int { searched.load(ordering: .relaxed) }

  /// Returns the secret called `name`.
  func secret(_ name: String) -> String { "\(marker)-\(name)" }

  /// Returns whether `text` contains a secret.
  func isSecret(in text: String) -> Bool { text.contains(marker) || text.contains(encodedMarker) }

  /// Reports a secret in `text`, which is described by `what`.
  func search(_ text: String, in what: @autoclosure () -> String) {
    searched.add(1, ordering: .relaxed)
    if isSecret(in: text) { findings.add("a secret in \(what()): \(text.prefix(600))") }
  }
}
