package import Foundation

extension Data {
  /// Returns `count` random bytes, which are the same in every run.
  package static func random(_ count: Int, seed: UInt64 = 1) -> Data {
    var generator = SeededGenerator(seed: seed)
    return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }
}
