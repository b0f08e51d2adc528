internal import AnvilBase
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

    package var columns: Int { max(40, min(width, 1_000)) }
  }
}

extension String {
  /// The number of terminal columns that the text occupies.
  package var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

  /// The text, or its first sixty Unicode scalars and `…`, so that names of a hostile document cannot fill a log.
  var shortened: String { shortened(to: 60) }
}

extension Unicode.Scalar {
  /// True if terminals give the scalar two columns: East Asian Wide and Fullwidth, and scalars shown as emoji by default.
  ///
  /// Source: Unicode Standard Annex #11, with its ranges of wide characters merged by blocks.
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
      0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      true
    default: value > 0x2000 && properties.isEmojiPresentation
    }
  }
}

extension Character {
  /// The number of terminal columns that the character occupies.
  var displayWidth: Int {
    if isASCII { return 1 }
    // A variation selector turns a text character into an emoji.
    return unicodeScalars.contains { $0.isWide || $0.value == 0xFE0F } ? 2 : 1
  }
}
