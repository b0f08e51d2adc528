import Foundation

@main
enum MutateCommand {
  /// Without arguments that it understands, the tool exits with 2 and scripts/mutate shows the usage.
  static func main() {
    guard let options = Options(Array(CommandLine.arguments.dropFirst())) else { exit(2) }
    do {
      exit(try run(options) ? 0 : 1)
    } catch {
      report("\(error)")
      exit(1)
    }
  }

  /// - Returns: whether enough mutants were caught.
  private static func run(_ options: Options) throws -> Bool {
    let root = URL(filePath: FileManager.default.currentDirectoryPath)
    // A folder for each choice of targets, so that the one is not built again for the other.
    let name = options.modules.isEmpty ? "all" : options.modules.sorted().joined(separator: "+")
    let work = root.appending(path: ".build/mutate/\(name)").resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    let equivalents = try Equivalents(file: root.appending(path: "Mutation/equivalent.tsv"), root: root)
    let copy = try WorkCopy(root: root, work: work)
    let targets = try PackageTargets(root: root, scratch: work.appending(path: "manifest"))
    let modules = try modules(of: targets, options)
    let candidates = try copy.candidates(in: modules)
    // Some do not compile: others take their places.
    let sample = Sample(of: candidates, count: options.count + options.count / 5 + 5, seed: options.seed)
    report("\(candidates.count) places in \(modules.count) targets")
    if options.onlyLists {
      for (number, mutant) in zip(1..., sample.mutants.prefix(options.count)) {
        print("#\(number) \(mutant.description)")
      }
      return true
    }
    let tests = try tests(of: targets, for: modules, options)
    let wanted = options.tests.isEmpty ? nil : plan(targets, tests: tests, modules: modules)
    let build = MutantBuild(copy: copy, wanted: wanted, uncompilable: work.appending(path: "uncompilable.tsv"))
    let mutants = try build.run(sample).sorted { $0.key < $1.key }.prefix(options.count)
    let program = try TestProgram(copy: copy)
    let reach = try Reach.record(
      program, copy: copy, targets: targets, tests: tests, count: sample.mutants.count,
      file: work.appending(path: "reach.json"), jobs: options.jobs)
    let chosen = mutants.filter { options.only.isEmpty || options.only.contains($0.key) }
      .map { (number: $0.key, mutant: $0.value) }
    // The tests would all have to run for one that is listed: it is checked when it is named.
    let skipped = options.only.isEmpty ? chosen.filter { equivalents.contains($0.mutant) } : []
    let outcomes =
      try MutantRun(program: program, reach: reach)
      .run(chosen.filter { mutant in !skipped.contains { $0.number == mutant.number } }, jobs: options.jobs)
      + skipped.map { MutantRun.Outcome(number: $0.number, mutant: $0.mutant, verdict: .survived, detail: "not run") }
    let result = MutationReport(outcomes: outcomes, equivalents: equivalents)
    try Data(result.table.utf8).write(to: work.appending(path: "report.tsv"))
    print(result.text)
    return result.rate >= options.leastRate
  }

  private static func modules(of targets: PackageTargets, _ options: Options) throws -> [String] {
    let all = targets.targets.filter { !$0.isTest && $0.path.hasPrefix("Sources/") }.map(\.name)
    if options.modules.isEmpty { return all }
    for module in options.modules where !all.contains(module) { throw Failure("there is no target \(module)") }
    return options.modules
  }

  /// The test targets that can reach the modules.
  private static func tests(of targets: PackageTargets, for modules: [String], _ options: Options) throws -> Set<String>
  {
    let all = targets.targets.filter(\.isTest).map(\.name)
    for name in options.tests where !all.contains(name) { throw Failure("there is no test target \(name)") }
    let asked = options.tests.isEmpty ? all : options.tests
    return Set(asked.filter { !targets.closure(of: $0).isDisjoint(with: modules) })
  }

  /// The targets to build where tests are named: theirs, and the programs that need no other.
  private static func plan(_ targets: PackageTargets, tests: Set<String>, modules: [String]) -> Set<String> {
    var wanted = (Array(tests) + modules).reduce(into: Set<String>()) { $0.formUnion(targets.closure(of: $1)) }
    for target in targets.targets where !target.isTest && wanted.isSuperset(of: target.dependencies) {
      wanted.insert(target.name)
    }
    return wanted
  }
}
