/// A slot for one value: the root, the value of a member, or an element. It is open from its creation until the
/// `encode(to:)` that created it, or for which it was created, returns.
///
/// Encoders and containers refer to slots by their identity. The open slots in one fragment of the text form a stack, in which
/// each is inside the one below it.
struct ValueSlot: BitwiseCopyable {
  /// The kind of value written so far.
  enum Kind: UInt8 {
    case nothing, scalar, array, object
  }

  /// The identity of the slot, which is unique within a session.
  let identity: Int
  /// The number of containers around it.
  let depth: Int
  /// The index of the slot in the array around it; `nil` for the root and for members, whose keys are on a separate stack.
  let position: Int?
  /// True if it has a key.
  let isKeyed: Bool
  var kind = Kind.nothing
  /// True if the values of some members were replaced by later ones.
  var hasReplacedMembers = false
  /// The offset of the value's first byte in the fragment's text.
  var start: Int
  /// The number of elements or members begun.
  var count = 0
  /// The index of its first member on the stack of members.
  var firstMember: Int
  /// A bit for each of 64 classes of key hashes, which is set if a member has a key in the class.
  var seen: UInt64 = 0
}

/// A member of an open object.
struct EncodedMember: BitwiseCopyable {
  /// The offset of the key's first quotation mark.
  var start: Int
  /// The offset of the value's first byte.
  var value: Int
  /// The hash of the key's text.
  let hash: UInt64
  /// True if a later member with the same key has replaced this one.
  var isReplaced = false
  /// The position, among the members of its object, of the first member with this key; -1 if there is no earlier one.
  var firstPosition: Int32 = -1
}

/// A key or an index on a coding path.
typealias EncodingKey = DecodingKey
