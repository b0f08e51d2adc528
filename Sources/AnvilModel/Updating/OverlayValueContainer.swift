/// A container with a single value: that of the input, or the old value if there is no input.
///
/// If the value is encoded as a single updatable value, for example in a wrapper, that value is updated.
struct OverlayValueContainer: SingleValueDecodingContainer {
  /// The value of the input; `nil` if the input has no value here.
  let new: (any SingleValueDecodingContainer)?
  let decoder: OverlayDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool {
    new?.decodeNil() ?? decoder.old.isNull
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard let new, let input = decoder.new else { return try decoder.oldValue(as: type) }
    if !new.decodeNil(), let updated = try decoder.old.updated(as: type, from: input) { return updated }
    return try new.decode(type)
  }

  // The default implementations reject 128-bit integers.

  func decode(_ type: Int128.Type) throws -> Int128 {
    try new?.decode(type) ?? decoder.oldValue(as: type)
  }

  func decode(_ type: UInt128.Type) throws -> UInt128 {
    try new?.decode(type) ?? decoder.oldValue(as: type)
  }
}
