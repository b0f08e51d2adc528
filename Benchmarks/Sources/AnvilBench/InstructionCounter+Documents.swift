import Rounds

extension InstructionCounter {
  /// The instructions that a ``SingleRun`` with `options` executes for one document.
  func perDocument(_ options: [String], repetitions: Int) throws -> Double {
    try perRepetition(repetitions) { ["run"] + options + ["--iterations", "\($0)"] }
  }
}
