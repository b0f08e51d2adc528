import Foundation

/// The mutants that cannot change what the program does, each with the reason.
///
/// A line has five fields between tabs: the file, the text of the line in it, the original, the mutation, the reason. Lines that
/// begin with `#` are comments. An entry must name one line: one that is gone, or is there twice, does not count and is reported.
struct Equivalents {
  private var keys: Set<String> = []

  init(file: URL, root: URL) throws {
    var lines: [Substring: [String]] = [:]
    for entry in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !entry.hasPrefix("#") {
      let fields = entry.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 5, !fields[4].isEmpty else { throw Failure("\(file.lastPathComponent): \(entry)") }
      let source = fields[0]
      if lines[source] == nil {
        let text = (try? String(contentsOf: root.appending(path: String(source)), encoding: .utf8)) ?? ""
        lines[source] = text.split(separator: "\n").map { String($0).singleLine }
      }
      let count = lines[source, default: []].count { $0 == fields[1] }
      if count == 1 {
        keys.insert(fields[..<4].joined(separator: "\t"))
      } else {
        report("\(file.lastPathComponent): \(count) lines of \(source) read \(fields[1])")
      }
    }
  }

  func contains(_ mutant: Mutant) -> Bool { keys.contains(mutant.key) }
}
