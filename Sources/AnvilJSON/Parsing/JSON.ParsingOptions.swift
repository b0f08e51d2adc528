extension JSON {
  /// How a text is parsed. The defaults are RFC 8259 with limits.
  public struct ParsingOptions: Hashable, Sendable {
    /// How many containers may stand in each other: 512 unless set.
    public var depthLimit: Int
    /// How many bytes a text may have: 2³² − 1 unless set, which is also the most that can be.
    public var sizeLimit: Int
    /// What the text's outermost value may be.
    public var root: Root
    /// Which of the two languages the text is in.
    public var syntax: Syntax

    /// What the outermost value may be.
    public enum Root: Hashable, Sendable {
      /// Any value. Source: RFC 8259 §2.
      case anyValue
      /// An object or an array. Source: RFC 4627 §2.
      case container
      /// The members of an object without its braces, `"a": 1, "b": 2`, or an object. A text without members is the empty
      /// object.
      case members
    }

    /// The language of a text.
    public enum Syntax: Hashable, Sendable {
      /// Source: RFC 8259.
      case json
      /// JSON as people write it in files: comments, trailing commas, strings in single quotation marks and over several
      /// lines, keys without quotation marks, hexadecimal integers, numbers such as `+.5` and `5.`, any white space.
      ///
      /// The value is the same as if it had been written in JSON: escapes and comments are gone, hexadecimal integers are
      /// exact whatever their width, `.5` is `0.5`. What JSON has no form for:
      /// - `Infinity`, `-Infinity` and `NaN` are numbers: ``JSON/double`` and the types made from it are infinite or NaN,
      ///   integers and `Decimal` cannot be made from them, output says `null`, ``JSON/canonicalForm()`` fails. `NaN` equals
      ///   itself as a value.
      /// - Half of a surrogate pair in escapes is refused, as in JSON.
      /// - A hexadecimal integer has at most 16384 digits behind its leading zeros: what is longer is
      ///   ``JSON/SyntaxError/Code/tooLarge(limit:)``.
      ///
      /// Source: The JSON5 Data Interchange Format 1.0.0; its identifiers and white space are those of ECMAScript 5.1.
      case json5
    }

    /// RFC 8259 with limits, unless said otherwise.
    public init(
      depthLimit: Int = 512, sizeLimit: Int = Int(UInt32.max), root: Root = .anyValue, syntax: Syntax = .json
    ) {
      self.depthLimit = depthLimit
      self.sizeLimit = sizeLimit
      self.root = root
      self.syntax = syntax
    }

    /// How many bytes a text may have: what is set, as far as offsets can count.
    var effectiveSizeLimit: Int { max(0, min(sizeLimit, Int(UInt32.max))) }
  }
}
