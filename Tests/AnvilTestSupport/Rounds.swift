internal import Foundation

/// `true` if `ANVIL_THOROUGH` is set. Then tests run with all of their random input and with whole documents, as in the
/// weekly run of CI.
package let isThorough = ProcessInfo.processInfo.environment["ANVIL_THOROUGH"] != nil

/// Returns how many rounds a test with random input runs: all of `full` where ``isThorough``, and a tenth otherwise.
///
/// The first rounds are the same either way, because the generators are seeded.
package func rounds(_ full: Int) -> Int {
  isThorough ? full : max(full / 10, 1)
}
