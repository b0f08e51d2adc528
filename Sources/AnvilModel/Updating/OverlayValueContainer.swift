/// One value: the input's, or where there is no input the old one.
///
/// A value that is encoded as one updatable value, such as a wrapper, is updated through it.
struct OverlayValueContainer: SingleValueDecodingContainer {
  /// The input's value; `nil` when the input has nothing here.
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

  // The standard library's own versions refuse the 128-bit integers.

  func decode(_ type: Int128.Type) throws -> Int128 {
    try new?.decode(type) ?? decoder.oldValue(as: type)
  }

  func decode(_ type: UInt128.Type) throws -> UInt128 {
    try new?.decode(type) ?? decoder.oldValue(as: type)
  }
}
