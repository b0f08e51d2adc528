extension JSON.Diagnosis {
  /// Where in a text something stands.
  public struct Location: Hashable, Sendable {
    /// The bytes of the text that are meant, counted from 0; where something is missing those of the container without it.
    public let range: Range<Int>
    /// The line in which they begin, counted from 1; ends are LF, CR LF and CR.
    public let line: Int
    /// The column in which they begin, in Unicode scalars, counted from 1.
    public let column: Int

    /// How many bytes stand before it.
    public var offset: Int { range.lowerBound }

    init(_ range: Range<Int>, in lines: inout LineFinder) {
      self.range = lines.original(range)
      (line, column) = lines.position(of: range.lowerBound)
    }
  }
}

extension JSON.Diagnosis.Location: CustomStringConvertible {
  /// Line and column: `118:12`.
  public var description: String { "\(line):\(column)" }
}
