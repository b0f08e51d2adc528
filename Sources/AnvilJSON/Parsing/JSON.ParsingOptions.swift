extension JSON {
  /// How a text is parsed. The defaults are RFC 8259 with limits.
  public struct ParsingOptions: Hashable, Sendable {
    /// How many containers may stand in each other: 512 unless set.
    public var depthLimit: Int
    /// How many bytes a text may have: 2³² − 1 unless set, which is also the most that can be.
    public var sizeLimit: Int
    /// What the text's outermost value may be.
    public var root: Root

    /// What the outermost value may be.
    public enum Root: Hashable, Sendable {
      /// Any value. Source: RFC 8259 §2.
      case anyValue
      /// An object or an array. Source: RFC 4627 §2.
      case container
    }

    /// RFC 8259 with limits, unless said otherwise.
    public init(depthLimit: Int = 512, sizeLimit: Int = Int(UInt32.max), root: Root = .anyValue) {
      self.depthLimit = depthLimit
      self.sizeLimit = sizeLimit
      self.root = root
    }

    /// How many bytes a text may have: what is set, as far as offsets can count.
    var effectiveSizeLimit: Int { min(sizeLimit, Int(UInt32.max)) }
  }
}
