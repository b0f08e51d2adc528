/// A single value of a form.
struct FormValueContainer: SingleValueDecodingContainer {
  let decoder: FormDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.node.isAbsent && !codingPath.isEmpty }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.value(as: type) }

  // The default implementations reject 128-bit integers.

  func decode(_ type: Int128.Type) throws -> Int128 { try decoder.value(as: type) }

  func decode(_ type: UInt128.Type) throws -> UInt128 { try decoder.value(as: type) }
}
