/// A choice of mutants that depends on the seed and the sources alone.
struct Sample {
  /// In the order of choice; the number of a mutant is its position, from 1.
  let mutants: [Mutant]

  /// Chooses lines first and then one mutant of each, so that lines with many literals do not outweigh the others. Mutants
  /// that would overlap with a chosen one are left out.
  init(of candidates: [Mutant], count: Int, seed: UInt64) {
    var generator = SplitMix64(state: seed)
    var lines: [[Mutant]] = []
    var previous: (file: String, line: Int)?
    for mutant in candidates {
      if let previous, previous == (mutant.file, mutant.line) {
        lines[lines.count - 1].append(mutant)
      } else {
        lines.append([mutant])
      }
      previous = (mutant.file, mutant.line)
    }
    lines.shuffle(using: &generator)
    var chosen: [Mutant] = []
    var ranges: [String: [Range<Int>]] = [:]
    for line in lines where chosen.count < count {
      // The kind first: most mutants of a line are literals.
      let kinds = Set(line.map(\.kind.rawValue)).sorted()
      guard let kind = kinds.randomElement(using: &generator),
        let mutant = line.filter({ $0.kind.rawValue == kind }).randomElement(using: &generator)
      else { continue }
      if ranges[mutant.file, default: []].contains(where: { $0.overlaps(mutant.range) }) { continue }
      ranges[mutant.file, default: []].append(mutant.range)
      chosen.append(mutant)
    }
    mutants = chosen
  }
}

/// The generator of Steele, Lea and Flood (OOPSLA 2014): the same sequence everywhere for a seed.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
