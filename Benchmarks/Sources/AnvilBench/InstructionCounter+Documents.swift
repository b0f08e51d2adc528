import Rounds

extension InstructionCounter {
  /// The instructions for one document of what ``SingleRun`` does by `options`.
  func perDocument(_ options: [String], repetitions: Int) throws -> Double {
    try perRepetition(repetitions) { ["run"] + options + ["--iterations", "\($0)"] }
  }
}
