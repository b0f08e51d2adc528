import Foundation

/// Builds the copy, and leaves out the mutants that do not compile.
struct MutantBuild {
  let copy: WorkCopy
  let wanted: Set<String>?
  /// The file of keys of mutants that did not compile before.
  let uncompilable: URL

  private var command: [String] {
    [
      "swift", "build", "--build-tests", "--disable-index-store", "-debug-info-format", "none", "-Xswiftc",
      "-suppress-warnings",
    ]
  }

  /// - Returns: the mutants that are in the build.
  func run(_ sample: Sample) throws -> [Int: Mutant] {
    let known = Set(
      ((try? String(contentsOf: uncompilable, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init))
    var mutants = Dictionary(uniqueKeysWithValues: zip(1..., sample.mutants)).filter { !known.contains($1.key) }
    var dropped = known
    for round in 1... {
      report("building \(mutants.count) mutants, round \(round)")
      let places = try copy.write(mutants, planning: wanted)
      var errors: [(file: String, line: Int)] = []
      var tail: [String] = []
      let end = try ToolProcess(arguments: command, folder: copy.folder).run { line in
        if let error = place(of: line) { errors.append(error) }
        if line.contains("error:") || line.contains("note:") { tail.append(line) }
        return true
      }
      if case .exited(0) = end { return mutants }
      let failed = Self.culprits(of: errors, mutants: mutants, places: places)
      guard !failed.isEmpty, round < 16 else {
        throw Failure("the copy does not build:\n" + tail.prefix(40).joined(separator: "\n"))
      }
      for number in failed.sorted() {
        guard let mutant = mutants.removeValue(forKey: number) else { continue }
        report("does not compile: \(mutant.description)")
        dropped.insert(mutant.key)
      }
      try Data(dropped.sorted().joined(separator: "\n").utf8).write(to: uncompilable)
    }
    return mutants
  }

  private func place(of line: String) -> (file: String, line: Int)? {
    guard line.contains(": error: "), let start = line.range(of: copy.folder.path + "/") else { return nil }
    let fields = line[start.upperBound...].split(separator: ":", maxSplits: 2)
    guard fields.count == 3, let number = Int(fields[1]) else { return nil }
    return (String(fields[0]), number)
  }

  /// The mutants on the lines of errors; of a file without such a mutant, the one that is nearest to the error, because some
  /// errors are found at the statement or the function around them.
  private static func culprits(
    of errors: [(file: String, line: Int)], mutants: [Int: Mutant], places: [Int: ClosedRange<Int>]
  ) -> Set<Int> {
    var culprits: Set<Int> = []
    for (file, errors) in Dictionary(grouping: errors, by: \.file) {
      let inFile = mutants.filter { $1.file == file }.keys
      let lines = errors.map(\.line)
      let hit = inFile.filter { number in lines.contains { places[number]?.contains($0) == true } }
      if !hit.isEmpty {
        culprits.formUnion(hit)
      } else if let line = lines.first {
        func distance(_ number: Int) -> Int { places[number].map { abs($0.lowerBound - line) } ?? .max }
        if let nearest = inFile.min(by: { distance($0) < distance($1) }) { culprits.insert(nearest) }
      }
    }
    return culprits
  }
}
