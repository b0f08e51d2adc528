import Rounds

/// A process and what its rounds have shown.
struct Runner {
  let name: String
  /// Whether the others are held to it.
  let isBase: Bool
  let process: RoundProcess
  private(set) var figures: [RoundFigures] = []

  init(name: String, isBase: Bool, process: RoundProcess) {
    (self.name, self.isBase, self.process) = (name, isBase, process)
  }

  /// The first round of each is for getting warm: connections, TLS, the server's files. Who fails a round is out.
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

  /// Of all rounds.
  var peakByteCount: Int { figures.map(\.peakByteCount).max() ?? 0 }
}
