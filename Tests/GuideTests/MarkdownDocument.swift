/// The code in a Markdown text.
struct MarkdownDocument: Equatable {
  /// A block of code between two lines of backticks.
  struct Fence: Equatable {
    /// The text after the opening backticks, up to a space or a comma.
    var language: String
    /// The number of the opening line, counted from 1.
    var line: Int
    var lines: [SampleLine] = []
  }

  /// The blocks in their order. A block that is not closed extends to the end, so that it matches no sample.
  private(set) var fences: [Fence] = []
  /// The numbers of the lines at which code begins that is marked only by indentation, outside of lists.
  private(set) var indentedCode: [Int] = []

  init(_ text: String) {
    var isOpen = false
    var isInList = false
    var isAfterBlankLine = true
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let content = line.drop { $0 == " " }
      if content.hasPrefix("```") {
        if !isOpen {
          let language = content.drop { $0 == "`" }.prefix { $0 != " " && $0 != "," }
          fences.append(Fence(language: String(language), line: index + 1))
        }
        isOpen.toggle()
      } else if isOpen {
        if let line = SampleLine(line) { fences[fences.count - 1].lines.append(line) }
      } else if !content.isEmpty {
        if line.first != " " { isInList = content.first.map { "-*+0123456789".contains($0) } == true }
        if line.hasPrefix("    "), isAfterBlankLine, !isInList { indentedCode.append(index + 1) }
      }
      isAfterBlankLine = content.isEmpty
    }
  }
}

extension MarkdownDocument.Fence {
  /// Returns the difference from the sample with the most similar beginning, or `nil` if the code is one of `samples`.
  func difference(from samples: [Sample]) -> String? {
    func agreement(_ sample: Sample) -> Int { zip(sample.lines, lines).prefix { $0 == $1 }.count }
    if samples.contains(where: { $0.lines == lines }) { return nil }
    guard let closest = samples.max(by: { agreement($0) < agreement($1) }), agreement(closest) > 0 else {
      return "no sample has this code, and none has a similar beginning"
    }
    func line(_ lines: [SampleLine]) -> String {
      lines.dropFirst(agreement(closest)).first.map { "`\($0.text)`" } ?? "the end"
    }
    return "no sample has this code; the closest, \(closest.name) of \(closest.file), has \(line(closest.lines)) "
      + "instead of \(line(lines))"
  }
}
