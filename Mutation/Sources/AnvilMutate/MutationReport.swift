import Foundation

/// The table of what was caught, and the mutants that were not.
struct MutationReport {
  let outcomes: [MutantRun.Outcome]
  let equivalents: Equivalents

  private func isEquivalent(_ outcome: MutantRun.Outcome) -> Bool {
    !outcome.verdict.isCaught && equivalents.contains(outcome.mutant)
  }

  /// The share of caught mutants among those that change behaviour, in per cent.
  static func rate(_ outcomes: [MutantRun.Outcome], without equivalents: Int) -> Double {
    let caught = outcomes.count { $0.verdict.isCaught }
    let all = outcomes.count - equivalents
    return all == 0 ? 100 : 100 * Double(caught) / Double(all)
  }

  var rate: Double { Self.rate(outcomes, without: outcomes.count { isEquivalent($0) }) }

  var text: String {
    var lines: [String] = []
    for outcome in outcomes where !outcome.verdict.isCaught && !isEquivalent(outcome) {
      lines.append("#\(outcome.number) \(outcome.verdict.rawValue): \(outcome.mutant.description)")
    }
    for outcome in outcomes where outcome.verdict.isCaught && equivalents.contains(outcome.mutant) {
      lines.append(
        "#\(outcome.number) is listed as equivalent, but \(outcome.verdict.rawValue): \(outcome.mutant.description)")
    }
    let columns = ["mutants", "killed", "crashed", "timed out", "survived", "not covered", "equivalent", "rate"]
    lines.append("")
    lines.append(Self.row("module", columns))
    let byModule = Dictionary(grouping: outcomes, by: \.mutant.module)
    for module in byModule.keys.sorted() { lines.append(row(module, byModule[module] ?? [])) }
    lines.append(row("all", outcomes))
    return lines.joined(separator: "\n")
  }

  private func row(_ name: String, _ outcomes: [MutantRun.Outcome]) -> String {
    let equivalent = outcomes.count { isEquivalent($0) }
    func count(_ verdict: MutantRun.Verdict) -> String {
      "\(outcomes.count { $0.verdict == verdict && !isEquivalent($0) })"
    }
    let rate = Self.rate(outcomes, without: equivalent)
    return Self.row(
      name,
      [
        "\(outcomes.count)", count(.killed), count(.crashed), count(.timedOut), count(.survived), count(.notCovered),
        "\(equivalent)", String(format: "%.1f %%", rate),
      ])
  }

  private static func row(_ name: String, _ cells: [String]) -> String {
    func padding(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) }
    return name + padding(name, 16) + cells.map { padding($0, 12) + $0 }.joined()
  }

  /// Every mutant, one on a line, with tabs between number, verdict, place, key and detail.
  var table: String {
    outcomes.map { outcome in
      let verdict = isEquivalent(outcome) ? "equivalent" : outcome.verdict.rawValue
      let fields = ["\(outcome.number)", verdict, "\(outcome.mutant.line)", outcome.mutant.key, outcome.detail]
      return fields.joined(separator: "\t") + "\n"
    }.joined()
  }
}
