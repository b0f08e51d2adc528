public import AnvilJSON

extension JSON.Diagnosis {
  /// The format of a rendered diagnosis.
  public struct Style: Hashable, Sendable {
    /// An option that controls whether values of the document are shown.
    public enum Values: Hashable, Sendable {
      /// Values are hidden: `…` replaces strings and numbers. Keys, `true`, `false` and `null` are shown. Safe to log.
      case redacted
      /// Values are shown: for readers who may see the document.
      case shown
    }

    /// An option that controls whether colours are used.
    public enum Colors: Hashable, Sendable {
      /// Plain text.
      case none
      /// Colours by terminal control sequences. Source: ECMA-48 §8.3.117.
      case ansi
    }

    /// The setting that controls whether values of the document are shown.
    public var values: Values
    /// The setting that controls whether colours are used.
    public var colors: Colors
    /// The number of columns, from 40 to 1000. Other values are replaced by the nearer limit. Longer text is wrapped or cut.
    public var width: Int

    /// The number of problems that are written in full. The others are only counted.
    public var problemLimit: Int

    /// Creates a style. The default has no values and no colours, 100 columns and at most twenty problems.
    public init(values: Values = .redacted, colors: Colors = .none, width: Int = 100, problemLimit: Int = 20) {
      self.values = values
      self.colors = colors
      self.width = width
      self.problemLimit = problemLimit
    }

    /// The ``width``, limited to between 40 and 1000.
    package var columns: Int { max(40, min(width, 1_000)) }
  }
}
