import Rounds

/// A process and the results of its rounds.
struct Runner {
  let name: String
  /// `true` if the others are compared to this one.
  let isBase: Bool
  let process: RoundProcess
  private(set) var figures: [RoundFigures] = []

  init(name: String, isBase: Bool, process: RoundProcess) {
    (self.name, self.isBase, self.process) = (name, isBase, process)
  }

  /// Runs the rounds in turns. The first is a warm-up of connections, TLS and the server's files. A runner that fails a
  /// round is left out.
  static func takeTurns(_ runners: inout [Runner], rounds: Int, seconds: Double) throws {
    var failed: Set<Int> = []
    for round in 0...rounds {
      for index in runners.indices where !failed.contains(index) {
        do {
          let figures = try RoundFigures(answer: runners[index].process.ask("\(round == 0 ? seconds / 2 : seconds)"))
          if round > 0 { runners[index].figures.append(figures) }
        } catch {
          note("\(runners[index].name): left out, \(error)")
          failed.insert(index)
        }
      }
    }
    runners = runners.indices.filter { !failed.contains($0) }.map { runners[$0] }
  }

  func median(_ value: KeyPath<RoundFigures, Double>) -> Double {
    let sorted = figures.map { $0[keyPath: value] }.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
  }

  /// The peak of all rounds.
  var peakByteCount: Int { figures.map(\.peakByteCount).max() ?? 0 }
}
