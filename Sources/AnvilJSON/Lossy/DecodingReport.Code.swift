extension DecodingReport {
  /// What was done: a word for code, logs and alerts, `lossy.skipped-element`. New ones may come.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code as it is written: an area, a dot, and words joined by hyphens.
    public let rawValue: String

    /// The code that is written `rawValue`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An element that does not decode was left out of an array.
    public static let skippedElement = Code(rawValue: "lossy.skipped-element")
    /// A member whose value, or key, does not decode was left out of a dictionary.
    public static let skippedMember = Code(rawValue: "lossy.skipped-member")
    /// A raw value that none of an enumeration's cases has was kept as it is.
    public static let unknownCase = Code(rawValue: "lossy.unknown-case")
    /// A default took the place of a value that is missing or null.
    public static let defaultValue = Code(rawValue: "lossy.default-value")
    /// A number was read from a string.
    public static let numberFromString = Code(rawValue: "lossy.number-from-string")

    /// The code.
    public var description: String { rawValue }

    /// Whether nothing that was reported inside the value matters any more.
    var coversItsMembers: Bool { self == .skippedElement || self == .skippedMember }
  }
}
