internal import AnvilBase

/// A decoder for the contents of a form at one position.
struct FormDecoder: Swift.Decoder {
  let node: FormNode
  let codingPath: [any CodingKey]
  let format: URLForm.Decoder

  var userInfo: [CodingUserInfoKey: Any] { format.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try rejectContradiction()
    guard node.isAbsent || !node.members.isEmpty else { throw mismatch([String: Any].self) }
    return KeyedDecodingContainer(FormMembersContainer(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try rejectContradiction()
    guard !isRoot, let elements = node.elements else { throw mismatch([Any].self) }
    return FormElementsContainer(elements: elements, decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { FormValueContainer(decoder: self) }

  /// Returns the value that the node's text represents if `type` is a ``FormScalar``. Any other type is decoded from this decoder.
  ///
  /// - Throws: `DecodingError`, and errors of the type's `init(from:)`.
  func value<T: Decodable>(as type: T.Type) throws -> T {
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

  /// Returns a decoder for `node`, which is the value of `key`.
  func decoder(at node: FormNode, key: any CodingKey) -> FormDecoder {
    FormDecoder(node: node, codingPath: codingPath + [key], format: format)
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
