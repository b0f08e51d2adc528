public import AnvilJSON

extension JSON.Diagnosis {
  /// A location in a text.
  public struct Location: Hashable, Sendable {
    /// The range of bytes in the text, counted from 0. For a missing key or element, the range of the container that lacks it.
    public let range: Range<Int>
    /// The line in which the range begins, counted from 1. Lines end with LF, CR LF or CR.
    public let line: Int
    /// The column in which the range begins, in Unicode scalars, counted from 1.
    public let column: Int

    /// The number of bytes before the range.
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
