internal import Foundation

/// Returns how many rounds a test with random input runs: all of `full` where `ANVIL_THOROUGH` is set, as in CI, and a fifth
/// otherwise.
///
/// The first rounds are the same either way, because the generators are seeded.
package func rounds(_ full: Int) -> Int {
  ProcessInfo.processInfo.environment["ANVIL_THOROUGH"] == nil ? max(full / 5, 1) : full
}
