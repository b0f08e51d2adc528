/// A type as a property has it.
indirect enum SwiftType: Hashable, Sendable {
  case bool, int, uint64, double, decimal, string, date, url, uuid
  /// Of whose values nothing is known, because there were none.
  case unknown
  case array(SwiftType)
  /// Keys are strings.
  case dictionary(SwiftType)
  case optional(SwiftType)
  /// A value on the heap, so that a struct can hold its own type.
  case box(SwiftType)
  /// One of the types that are made: an index of ``ModelTypes/types``.
  case made(Int)

  /// The type itself and those that it is made of.
  var parts: [SwiftType] {
    switch self {
    case .array(let inner), .dictionary(let inner), .optional(let inner), .box(let inner): [self] + inner.parts
    default: [self]
    }
  }

  /// The type that is made whose values are held in place, not behind an array's or dictionary's storage.
  var heldType: Int? {
    switch self {
    case .made(let index): index
    case .optional(let inner): inner.heldType
    default: nil
    }
  }

  /// Whether the type is Foundation's.
  var needsFoundation: Bool {
    parts.contains { [.decimal, .date, .url, .uuid].contains($0) }
  }
}
