extension DecodingReport {
  /// The action that was taken, as a word for code, logs and alerts: `lossy.skipped-element`. New codes may be added.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The text of the code: an area, a dot, and words joined by hyphens.
    public let rawValue: String

    /// Creates a code with the text `rawValue`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An element that does not decode was left out of an array.
    public static let skippedElement = Code(rawValue: "lossy.skipped-element")
    /// A member whose value, or key, does not decode was left out of a dictionary.
    public static let skippedMember = Code(rawValue: "lossy.skipped-member")
    /// A raw value that matches no case of an enumeration was kept unchanged.
    public static let unknownCase = Code(rawValue: "lossy.unknown-case")
    /// A default replaced a missing or null value.
    public static let defaultValue = Code(rawValue: "lossy.default-value")
    /// A number or a Boolean was read from a string.
    public static let numberFromString = Code(rawValue: "lossy.number-from-string")
    /// A Boolean was read from the number 0 or 1.
    public static let booleanFromNumber = Code(rawValue: "lossy.boolean-from-number")

    /// The text of the code.
    public var description: String { rawValue }

    /// True if the value was left out as a whole, so that earlier entries from inside it no longer matter.
    var coversItsMembers: Bool { self == .skippedElement || self == .skippedMember }
  }
}
