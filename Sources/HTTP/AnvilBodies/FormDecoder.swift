internal import AnvilBase
internal import AnvilJSON

/// The contents of a form at one position.
struct FormDecoder: DecodingNode {
  let node: FormNode
  let codingPath: [any CodingKey]
  let format: URLForm.Decoder
  /// The types that are decoded from a missing member around this node.
  var missingTypes: [ObjectIdentifier] = []

  var userInfo: [CodingUserInfoKey: Any] { format.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try rejectContradiction()
    guard node.isAbsent || !node.members.isEmpty else { throw mismatch([String: Any].self) }
    return KeyedDecodingContainer(FormMembers(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try rejectContradiction()
    guard !isRoot, let elements = node.elements else { throw mismatch([Any].self) }
    return IndexedElements(elements.count, of: self) { decoder(at: elements[$0], key: IndexKey($0)) }
  }

  func decodeNil() -> Bool { node.isAbsent && !isRoot }

  /// Returns the value that the node's text represents if `type` is a ``FormScalar``. Any other type is decoded from this decoder.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard let scalar = type as? any FormScalar.Type else { return try type.init(from: self) }
    try rejectContradiction()
    if node.isAbsent && !isRoot {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath, debugDescription: "The form has no value at this path."))
    }
    guard let text = node.texts.last else { throw mismatch(type) }
    guard let value = scalar.read(text, format) as? T else {
      throw DecodingError.typeMismatch(
        type, .init(codingPath: codingPath, debugDescription: "The text is not a valid \(type)."))
    }
    return value
  }

  fileprivate func decoder(at node: FormNode, key: any CodingKey) -> FormDecoder {
    FormDecoder(node: node, codingPath: codingPath + [key], format: format, missingTypes: missingTypes)
  }

  private var isRoot: Bool { codingPath.isEmpty }

  private func rejectContradiction() throws {
    guard node.isContradictory else { return }
    throw DecodingError.dataCorrupted(
      .init(
        codingPath: codingPath,
        debugDescription: "The form has conflicting values at this path: \(found)."))
  }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    .typeMismatch(
      type,
      .init(
        codingPath: codingPath,
        debugDescription: isRoot
          ? "The root of a form must be decoded from a keyed container."
          : "The form has \(found) at this path instead."))
  }

  private var found: String {
    let kinds = [
      node.texts.isEmpty ? nil : "text", node.items.isEmpty ? nil : "elements", node.members.isEmpty ? nil : "keys",
    ]
    return kinds.compactMap(\.self).joined(separator: " and ")
  }
}

private struct FormMembers<Key: CodingKey>: DecodingMembers {
  let decoder: FormDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  /// The keys in the order in which they occur in the form.
  var allKeys: [Key] { decoder.node.keys.compactMap { Key(spelled: $0.string) } }

  func contains(_ key: Key) -> Bool { decoder.node.members[ScalarKey(key.stringValue)] != nil }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    if contains(key) { return try node(forKey: key).decode(type) }
    let missing = DecodingError.keyNotFound(
      key, .init(codingPath: codingPath, debugDescription: "No value for the key \"\(key.stringValue)\"."))
    // Ends the recursion of a type that contains itself.
    guard !decoder.missingTypes.contains(ObjectIdentifier(type)) else { throw missing }
    var empty = node(forKey: key)
    empty.missingTypes.append(ObjectIdentifier(type))
    // Empty values are not written to a form, so the missing member may be an empty value.
    do { return try empty.decode(type) } catch is DecodingError { throw missing }
  }

  func node(forKey key: Key) -> FormDecoder { member(key) }

  func superDecoder() -> any Swift.Decoder { member(SuperKey()) }

  private func member(_ key: some CodingKey) -> FormDecoder {
    decoder.decoder(at: decoder.node.members[ScalarKey(key.stringValue)] ?? FormNode(), key: key)
  }
}

protocol FormScalar: Decodable {
  static func read(_ text: String, _ format: URLForm.Decoder) -> Self?
}

extension String: FormScalar {
  static func read(_ text: String, _ format: URLForm.Decoder) -> String? { text }
}

extension Bool: FormScalar {
  /// Returns the value represented by `text`. `on` is true, because HTML forms send it for a selected check box.
  static func read(_ text: String, _ format: URLForm.Decoder) -> Bool? {
    switch text {
    case "true", "1", "on": true
    case "false", "0", "off": false
    default: nil
    }
  }
}

extension FixedWidthInteger where Self: FormScalar {
  /// Reads all types as the widest ones, so that programs contain two functions that read integers.
  static func read(_ text: String, _ format: URLForm.Decoder) -> Self? {
    text.utf8.first == .minus ? Int128(text).flatMap(Self.init(exactly:)) : UInt128(text).flatMap(Self.init(exactly:))
  }
}

extension Int: FormScalar {}
extension Int8: FormScalar {}
extension Int16: FormScalar {}
extension Int32: FormScalar {}
extension Int64: FormScalar {}
extension Int128: FormScalar {}
extension UInt: FormScalar {}
extension UInt8: FormScalar {}
extension UInt16: FormScalar {}
extension UInt32: FormScalar {}
extension UInt64: FormScalar {}
extension UInt128: FormScalar {}

extension BinaryFloatingPoint where Self: FormScalar & LosslessStringConvertible {
  /// Returns the value represented by `text`. A value out of range is invalid, not infinity.
  static func read(_ text: String, _ format: URLForm.Decoder) -> Self? {
    guard isDecimal(text), let value = Self(text), value.isFinite else { return nil }
    return value
  }
}

extension Double: FormScalar {}
extension Float: FormScalar {}

extension Decimal: FormScalar {
  static func read(_ text: String, _ format: URLForm.Decoder) -> Decimal? {
    guard isDecimal(text), let value = Decimal(string: text), value.isFinite else { return nil }
    return value
  }
}

extension Date: FormScalar {
  static func read(_ text: String, _ format: URLForm.Decoder) -> Date? {
    format.dates.date(in: text) { Double.read($0, format) }
  }
}

extension Data: FormScalar {
  static func read(_ text: String, _ format: URLForm.Decoder) -> Data? { Data(base64Encoded: text) }
}

extension URL: FormScalar {
  static func read(_ text: String, _ format: URLForm.Decoder) -> URL? { URL(string: text) }
}

/// Foundation's parser would accept a valid prefix, and Swift's would also accept hexadecimal numbers and `inf`.
private func isDecimal(_ text: String) -> Bool {
  func isSign(_ byte: UInt8) -> Bool { byte == .plus || byte == .minus }
  let number = text.utf8.drop(while: isSign)
  let afterWhole = number.drop(while: \.isDigit)
  let afterPoint = afterWhole.first == .period ? afterWhole.dropFirst() : afterWhole
  let exponent = afterPoint.drop(while: \.isDigit)
  let digits = number.count - afterWhole.count + afterPoint.count - exponent.count
  guard text.utf8.count - number.count <= 1, digits > 0 else { return false }
  guard let mark = exponent.first else { return true }
  let power = exponent.dropFirst().drop(while: isSign)
  return mark | 0x20 == UInt8(ascii: "e") && exponent.count - power.count <= 2 && !power.isEmpty
    && power.allSatisfy(\.isDigit)
}
