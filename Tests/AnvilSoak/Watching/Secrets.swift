import Foundation
import Synchronization

/// Secrets that are easy to recognise, and the search for them in what must not contain any.
final class Secrets: Sendable {
  /// The text with which each secret begins: three times three bytes, so that base64 shows it, too.
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

  /// How many texts were searched.
  var searchCount: Int { searched.load(ordering: .relaxed) }

  /// Returns the secret called `name`.
  func secret(_ name: String) -> String { "\(marker)-\(name)" }

  /// Whether `text` contains a secret.
  func isSecret(in text: String) -> Bool { text.contains(marker) || text.contains(encodedMarker) }

  /// Reports the secrets in `text`, which is `what`.
  func search(_ text: String, in what: @autoclosure () -> String) {
    searched.add(1, ordering: .relaxed)
    if isSecret(in: text) { findings.add("a secret in \(what()): \(text.prefix(600))") }
  }
}
