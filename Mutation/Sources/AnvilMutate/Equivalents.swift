import Foundation

/// The mutants that cannot change what the program does, each with the reason.
///
/// A line has five fields between tabs: the file, the text of the line in it, the original, the mutation, the reason. Lines that
/// begin with `#` are comments.
struct Equivalents {
  private var reasons: [String: String] = [:]

  init(file: URL) throws {
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 5, !fields[4].isEmpty else { throw Failure("\(file.lastPathComponent): \(line)") }
      reasons[fields[..<4].joined(separator: "\t")] = String(fields[4])
    }
  }

  func contains(_ mutant: Mutant) -> Bool { reasons[mutant.key] != nil }
}
