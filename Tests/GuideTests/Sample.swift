/// Code that a document shows and a test compiles.
struct Sample: Equatable {
  var name: String
  var file: String
  var lines: [SampleLine]

  /// The error for invalid marks in a file.
  struct MarkError: Error, Equatable {
    var file: String
    /// The number of the line, counted from 1.
    var line: Int
    var reason: String
  }

  /// Returns the samples between marks in `source`. Pieces with the same name form one sample, in their order.
  ///
  /// - Throws: ``MarkError`` for a mark within a sample, an end without a beginning, a sample without an end or a name.
  static func marked(in source: String, file: String) throws(MarkError) -> [Sample] {
    var samples: [Sample] = []
    var open: Int?
    var number = 0
    for text in source.split(separator: "\n", omittingEmptySubsequences: false) {
      number += 1
      guard let line = SampleLine(text) else { continue }
      if line.text == "// end sample" {
        guard open != nil else { throw MarkError(file: file, line: number, reason: "no sample to end") }
        open = nil
      } else if line.text.hasPrefix("// sample:") {
        let name = String(line.text.dropFirst("// sample: ".count))
        guard open == nil, !name.isEmpty else {
          throw MarkError(file: file, line: number, reason: open == nil ? "no name" : "a sample within a sample")
        }
        if let known = samples.firstIndex(where: { $0.name == name }) {
          open = known
        } else {
          open = samples.count
          samples.append(Sample(name: name, file: file, lines: []))
        }
      } else if let open {
        samples[open].lines.append(line)
      }
    }
    guard open == nil else { throw MarkError(file: file, line: number, reason: "a sample without an end") }
    return samples
  }
}

/// A line of code in the form in which documents and samples are compared: without indentation, and with single spaces.
struct SampleLine: Hashable {
  let text: String

  /// `nil` for a blank line.
  init?(_ line: Substring) {
    text = line.split(separator: " ").joined(separator: " ")
    if text.isEmpty { return nil }
  }
}
