import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

/// The copy of the package that is mutated: the checkout itself is never changed.
struct WorkCopy {
  let root: URL
  let folder: URL
  /// The files of the package that git knows or would add, as paths from the root.
  let files: [String]

  /// The C target that contains the switches. Every Swift target of the copy depends on it. Tests that compile programs link it.
  private static let switchTarget = "CAnvilVectors"

  private static let entryPoint = "Tests/XCTMain.swift"

  init(root: URL, work: URL) throws {
    self.root = root
    folder = work.appending(path: "package")
    let list = try ToolProcess.output(
      ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ".", ":!Mutation"],
      in: root)
    files = Set(String(decoding: list, as: UTF8.self).split(separator: "\0").map(String.init)).sorted().filter {
      (try? FileManager.default.attributesOfItem(atPath: root.appending(path: $0).path)) != nil
    }
  }

  /// The mutants of the targets' Swift files, by file and line. Contracts are tests themselves and have none.
  func candidates(in modules: [String]) throws -> [Mutant] {
    let sources = files.filter { file in
      file.hasPrefix("Sources/") && file.hasSuffix(".swift") && !file.contains("Contract")
        && modules.contains { file.contains("/\($0)/") }
    }
    let trees = try sources.map { file in
      let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
      return (file: file, text: text, tree: Parser.parse(source: text))
    }
    var operators = OperatorTable.standardOperators
    for file in files where file.hasPrefix("Sources/") && file.hasSuffix("Operators.swift") {
      let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
      operators.addSourceFile(Parser.parse(source: text)) { _ in }
    }
    return trees.flatMap { file, text, tree in
      MutantFinder(file: file, source: text, tree: operators.foldAll(tree) { _ in }).mutants
        .sorted { ($0.line, $0.range.lowerBound) < ($1.line, $1.range.lowerBound) }
    }
  }

  /// Brings the copy up to date with the checkout and the mutants in it. Files without a change are not written, so that only
  /// the others are built again.
  ///
  /// - Returns: for each mutant, the lines of the copy that it takes.
  func write(_ mutants: [Int: Mutant], planning wanted: Set<String>?) throws -> [Int: ClosedRange<Int>] {
    var places: [Int: ClosedRange<Int>] = [:]
    let byFile = Dictionary(grouping: mutants, by: \.value.file)
    for file in files {
      let source = root.appending(path: file)
      if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: source.path) {
        let copy = folder.appending(path: file).path
        if (try? FileManager.default.destinationOfSymbolicLink(atPath: copy)) == target { continue }
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.createDirectory(
          atPath: (copy as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: copy, withDestinationPath: target)
        continue
      }
      var data = try Data(contentsOf: source)
      if let chosen = byFile[file] {
        data = Self.mutate(data, chosen.map { (number: $0.key, mutant: $0.value) }, places: &places)
      }
      if file == "Package.swift" { data += Data((Self.dependencies + (wanted.map(Self.trimming) ?? "")).utf8) }
      try update(file, data, isExecutable: FileManager.default.isExecutableFile(atPath: source.path))
    }
    try addSwitches()
    try removeWhatIsNoMore()
    // The package manager does not look for new files of a package that it has planned before, unless the manifest is newer.
    let listed = try? Data(contentsOf: list)
    let current = Data(files.joined(separator: "\n").utf8)
    if listed != current {
      try current.write(to: list)
      try FileManager.default.setAttributes(
        [.modificationDate: Date()], ofItemAtPath: folder.appending(path: "Package.swift").path)
    }
    return places
  }

  /// The files of the last time.
  private var list: URL { folder.deletingLastPathComponent().appending(path: "files.txt") }

  private static func mutate(
    _ source: Data, _ mutants: [(number: Int, mutant: Mutant)], places: inout [Int: ClosedRange<Int>]
  ) -> Data {
    // Publicly, because inlinable functions have switches, too.
    var result = Array("public import \(switchTarget)\n".utf8)
    var line = 2
    var position = 0
    let source = Array(source)
    func lineBreaks(_ bytes: some Sequence<UInt8>) -> Int { bytes.count { $0 == UInt8(ascii: "\n") } }
    for (number, mutant) in mutants.sorted(by: { $0.mutant.range.lowerBound < $1.mutant.range.lowerBound }) {
      let before = source[position..<mutant.range.lowerBound]
      let call = Mutant.switchCall.replacing("#", with: "\(number)")
      let changed = Array(mutant.replacement.replacing(Mutant.switchCall, with: call).utf8)
      line += lineBreaks(before)
      places[number] = line...line + lineBreaks(changed)
      line += lineBreaks(changed)
      result += before
      result += changed
      position = mutant.range.upperBound
    }
    return Data(result + source[position...])
  }

  private func addSwitches() throws {
    let switches = root.appending(path: "Mutation/Switches")
    guard let header = files.first(where: { $0.hasSuffix("/include/\(Self.switchTarget).h") }) else {
      throw CocoaError(.fileNoSuchFile)
    }
    let target = String(header.dropLast("/include/\(Self.switchTarget).h".count))
    let paths = [
      "Mutants.h": "\(target)/include/Mutants.h", "Mutants.c": "\(target)/Mutants.c", "XCTMain.swift": Self.entryPoint,
    ]
    for (file, path) in paths {
      try update(path, Data(contentsOf: switches.appending(path: file)), isExecutable: false)
    }
    let text = try Data(contentsOf: root.appending(path: header))
    try update(header, text + Data("\n#include \"Mutants.h\"\n".utf8), isExecutable: false)
  }

  private func update(_ file: String, _ data: Data, isExecutable: Bool) throws {
    let copy = folder.appending(path: file)
    if (try? Data(contentsOf: copy)) == data { return }
    try FileManager.default.createDirectory(at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: copy)
    if isExecutable { try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: copy.path) }
  }

  private func removeWhatIsNoMore() throws {
    let kept = Set(files + [Self.entryPoint])
    for top in ["Sources", "Tests"] {
      let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.appending(path: top).path)
      for path in paths where path.hasSuffix(".swift") && !kept.contains("\(top)/\(path)") {
        try FileManager.default.removeItem(at: folder.appending(path: "\(top)/\(path)"))
      }
    }
  }

  /// Lets every Swift target import the switches, also those that do without the vectors.
  private static let dependencies = """

    for target in package.targets where target.type != .system && target.name != "\(switchTarget)" {
      target.dependencies.append("\(switchTarget)")
    }

    """

  /// Plans only some targets, which saves most of the time of a build for one module.
  private static func trimming(_ wanted: Set<String>) -> String {
    let list = wanted.union([switchTarget]).sorted().map { "\"\($0)\"" }.joined(separator: ", ")
    return """

      let wanted: Set<String> = [\(list)]
      package.targets.removeAll { !wanted.contains($0.name) }
      package.products = []
      // SwiftPM would fetch the packages of traits, whose targets are gone.
      if !wanted.contains("AnvilEcosystem") { package.dependencies = syntaxPackages }

      """
  }
}
