/// A place for one value: the root, the value of a member, an element. It is open from when it is made until the
/// `encode(to:)` that it was made in, or for, returns.
///
/// Encoders and containers refer to places by their identity; those that are open in one part of the text form a stack,
/// each in the one below it.
struct Place: BitwiseCopyable {
  /// What was written so far.
  enum Kind: UInt8 {
    case nothing, scalar, array, object
  }

  /// Unique within a session.
  let identity: Int
  /// How many containers are around it.
  let depth: Int
  /// Its index in the array around it; `nil` for members, whose keys are on a stack of their own, and for the root.
  let position: Int?
  /// Whether it has a key.
  let isKeyed: Bool
  var kind = Kind.nothing
  /// Whether the values of some members were replaced by later ones.
  var hasReplacedMembers = false
  /// The offset of its first byte in the part's text.
  var start: Int
  /// How many elements or members were begun.
  var count = 0
  /// The index of its first member on the stack of members.
  var firstMember: Int
  /// A bit for each of 64 classes of keys that there is a member of.
  var seen: UInt64 = 0
}

/// A member of an object that is open.
struct EncodedMember: BitwiseCopyable {
  /// The offset of the key's first quotation mark.
  var start: Int
  /// The offset of the value's first byte.
  var value: Int
  /// Of the key's text.
  let hash: UInt64
  /// Whether a later value replaced it.
  var isReplaced = false
}

/// A key or an index on a coding path.
typealias EncodingKey = DecodingKey
