/// A small change of the program that tests should notice.
struct Mutant: Sendable {
  /// The kind of change.
  enum Operator: String, Sendable {
    case comparison, logic, condition, arithmetic, literal, boolean, removal, absence, end, range
  }

  let kind: Operator
  /// The path from the package's root.
  let file: String
  /// The line on which the changed code begins, from 1.
  let line: Int
  /// The bytes of the file that ``replacement`` replaces.
  let range: Range<Int>
  let original: String
  let mutated: String
  /// The code with both versions. ``Mutant/switchCall`` is a placeholder for the condition that chooses the mutation.
  let replacement: String
  /// The text of the line, without blanks around it.
  let lineText: String

  static let switchCall = "anvilMutant(#)"

  /// The target that the mutant is in.
  var module: String { String(file.split(separator: "/").dropFirst().first ?? "") }

  /// The identity of the mutant as long as its line stays as it is, wherever that moves.
  var key: String { [file, lineText, original.singleLine, mutated.singleLine].joined(separator: "\t") }

  /// The place and the change, for people.
  var description: String {
    "\(file):\(line)  \(original.singleLine.shortened)  →  \(mutated.singleLine.shortened)"
  }
}

extension String {
  /// The text with every run of blanks and line breaks as one space.
  var singleLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  fileprivate var shortened: String { count <= 80 ? self : prefix(79) + "…" }
}
