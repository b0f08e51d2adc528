/// The type of a property.
indirect enum SwiftType: Hashable, Sendable {
  case bool, int, uint64, double, decimal, string, date, url, uuid
  /// A type without known values.
  case unknown
  case array(SwiftType)
  /// A dictionary with string keys.
  case dictionary(SwiftType)
  case optional(SwiftType)
  /// A number that may be sent as a string.
  case lenient(SwiftType)
  /// A value on the heap, so that a struct can contain its own type.
  case box(SwiftType)
  /// A generated type: an index into ``ModelTypes/types``.
  case made(Int)

  /// The type itself and its component types.
  var parts: [SwiftType] {
    switch self {
    case .array(let inner), .dictionary(let inner), .optional(let inner), .lenient(let inner), .box(let inner):
      [self] + inner.parts
    default: [self]
    }
  }

  /// The type with strings in place of dates.
  var withoutDates: SwiftType {
    switch self {
    case .date: .string
    case .array(let inner): .array(inner.withoutDates)
    case .dictionary(let inner): .dictionary(inner.withoutDates)
    case .optional(let inner): .optional(inner.withoutDates)
    default: self
    }
  }

  /// The generated type whose values are stored in place, not in an array's or dictionary's storage.
  var heldType: Int? {
    switch self {
    case .made(let index): index
    case .optional(let inner): inner.heldType
    default: nil
    }
  }

  /// True if the type needs Foundation.
  var needsFoundation: Bool {
    parts.contains { [.decimal, .date, .url, .uuid].contains($0) }
  }
}
