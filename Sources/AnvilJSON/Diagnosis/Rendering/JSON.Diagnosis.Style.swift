extension JSON.Diagnosis {
  /// How a diagnosis is written.
  public struct Style: Hashable, Sendable {
    /// Whether values of the document are shown.
    public enum Values: Hashable, Sendable {
      /// No: `…` stands for strings and numbers; keys, `true`, `false` and `null` are shown. Safe to log.
      case redacted
      /// Yes: for the eyes of who may see the document.
      case shown
    }

    /// Whether colours are used.
    public enum Colors: Hashable, Sendable {
      /// Plain text.
      case none
      /// The control sequences of terminals. Source: ECMA-48 §8.3.117.
      case ansi
    }

    /// Whether values of the document are shown.
    public var values: Values
    /// Whether colours are used.
    public var colors: Colors
    /// How many columns there are; what is longer is broken or cut. At least 40.
    public var width: Int

    /// How many problems are written out; the others are counted.
    public var problemLimit: Int

    /// Without values and colours, for 100 columns, twenty problems, unless said otherwise.
    public init(values: Values = .redacted, colors: Colors = .none, width: Int = 100, problemLimit: Int = 20) {
      self.values = values
      self.colors = colors
      self.width = width
      self.problemLimit = problemLimit
    }

    /// ``width``, as far as it can be kept.
    package var columns: Int { max(40, min(width, 1_000)) }
  }
}
