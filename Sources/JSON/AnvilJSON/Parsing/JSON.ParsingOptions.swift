extension JSON {
  /// The options of the parser. The defaults are RFC 8259 with limits.
  public struct ParsingOptions: Hashable, Sendable {
    /// The maximum nesting depth of containers. The default is 512.
    public var depthLimit: Int
    /// The maximum number of bytes of a text. The default, 2³² − 1, is also the largest supported size.
    public var sizeLimit: Int
    /// The permitted outermost values.
    public var root: Root
    /// The language of the text.
    public var syntax: Syntax

    /// The permitted outermost values of a text.
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
      /// JSON as specified by RFC 8259.
      case json
      /// JSON for files edited by people. It adds comments, trailing commas, strings in single quotation marks and over several
      /// lines, keys without quotation marks, hexadecimal integers, numbers such as `+.5` and `5.`, and more kinds of white space.
      ///
      /// The value is the same as that of the equivalent JSON: escapes and comments are removed, hexadecimal integers are
      /// exact at any width, and `.5` is `0.5`. There are three exceptions:
      /// - `Infinity`, `-Infinity` and `NaN` are numbers. ``JSON/double`` and the types derived from it are infinite or NaN.
      ///   Integers and `Decimal` cannot represent them, output writes `null`, and ``JSON/canonicalForm()`` fails. As a value, `NaN`
      ///   equals itself.
      /// - Half of a surrogate pair in escapes is rejected, as in JSON.
      /// - A hexadecimal integer has at most 16384 digits after leading zeros. A longer one is
      ///   ``JSON/SyntaxError/Code/tooLarge(limit:)``.
      ///
      /// Source: The JSON5 Data Interchange Format 1.0.0. Its identifiers and white space are those of ECMAScript 5.1.
      case json5
    }

    /// Creates options, by default RFC 8259 with limits.
    public init(
      depthLimit: Int = 512, sizeLimit: Int = Int(UInt32.max), root: Root = .anyValue, syntax: Syntax = .json
    ) {
      self.depthLimit = depthLimit
      self.sizeLimit = sizeLimit
      self.root = root
      self.syntax = syntax
    }

    /// The maximum number of bytes of a text, limited to the range of offsets.
    var effectiveSizeLimit: Int { max(0, min(sizeLimit, Int(UInt32.max))) }
  }
}
