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
    guard !new.decodeNil(), decoder.old.value is T, decoder.old.value is any DecoderUpdatable else {
      return try new.decode(type)
    }
    func updated() throws -> T { try decoder.old.updated(as: type, from: input) ?? new.decode(type) }
    // An update decodes its input several times, but updates an object in place once.
    return try decoder.object?.value(of: nil, as: type, updated) ?? updated()
  }

  // The default implementations reject 128-bit integers.

  func decode(_ type: Int128.Type) throws -> Int128 {
    try new?.decode(type) ?? decoder.oldValue(as: type)
  }

  func decode(_ type: UInt128.Type) throws -> UInt128 {
    try new?.decode(type) ?? decoder.oldValue(as: type)
  }
}
