internal import AnvilBase
internal import AnvilJSON

extension StoredCell {
  /// Returns the value of a type that is stored directly.
  ///
  /// - Throws: `DecodingError` for null and for a value that is not the stored form of the type.
  func scalar<T: StoredScalar>(at path: @autoclosure () -> [any CodingKey]) throws -> T {
    if let value = T(stored: value) { return value }
    // Other types of numbers read the digits of a decimal number.
    if type == .decimal || type == T.storedType, [.integer, .real].contains(T.storedType),
      case .text(let digits) = value,
      let number = Int64(digits).flatMap({ T(stored: .integer($0)) })
        ?? Double(digits).flatMap({ T(stored: .real($0)) })
    {
      return number
    }
    throw notStored(T.self, at: path())
  }

  @inline(never)
  private func notStored<T: StoredScalar>(_ type: T.Type, at path: [any CodingKey]) -> DecodingError {
    if isNull {
      return DecodingError.valueNotFound(T.self, .init(codingPath: path, debugDescription: "The column is NULL."))
    }
    return DecodingError.typeMismatch(
      T.self,
      .init(
        codingPath: path,
        debugDescription:
          "The column contains \(value.kind.rawValue) of type \(self.type.rawValue), which is not a valid \(T.self)."))
  }

  /// Returns `true` if the value is null, or a reference to a row that no longer exists.
  func isNull(resolving resolver: (any ReferenceResolver)?) throws -> Bool {
    if isNull { return true }
    guard reference != nil, let resolver else { return false }
    return try resolver.isDangling(self)
  }

  /// Decodes the value as a `type`. If it is a reference, decodes the row that it refers to.
  func decode<T: Decodable>(
    _ type: T.Type, resolving resolver: (any ReferenceResolver)?, at path: @autoclosure () -> [any CodingKey]
  ) throws -> T {
    if reference != nil, let resolver {
      if let referred = try resolver.resolve(type, in: self) { return referred }
      if try resolver.isDangling(self) {
        throw DecodingError.valueNotFound(
          type, .init(codingPath: path(), debugDescription: "The referenced row no longer exists."))
      }
    }
    return try decode(type, at: path())
  }

  func decode<T: Decodable>(_ type: T.Type, at path: @autoclosure () -> [any CodingKey]) throws -> T {
    if let scalar = type as? any StoredScalar.Type, let value = try self.scalar(scalar, as: type, at: path()) {
      return value
    }
    guard self.type == .json, case .text(let text) = self.value else { return try type.init(from: decoder(at: path())) }
    do {
      return try JSON.Decoder().decode(type, from: Data(text.utf8))
    } catch let error as DecodingError {
      throw error.moved(below: path())
    }
  }

  /// Returns the value of a type that is stored directly; `nil` if `type` is another type.
  @inline(__always)
  func scalar<Scalar: StoredScalar, T>(
    _: Scalar.Type, as type: T.Type, at path: @autoclosure () -> [any CodingKey]
  ) throws -> T? {
    identity(try scalar(at: path()) as Scalar, as: type)
  }

  func decoder(at path: [any CodingKey]) -> any Decoder {
    guard type == .json, case .text(let text) = value else { return CellDecoder(cell: self, codingPath: path) }
    return JSON.Decoder().decoder(for: Data(text.utf8))
  }
}

/// A decoder of the value of one column.
struct CellDecoder: DecodingNode {
  let cell: StoredCell
  let codingPath: [any CodingKey]

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    if cell.type == .json, let nested { return try nested.container(keyedBy: type) }
    if let container = try? nested?.container(keyedBy: type) { return container }
    throw mismatch([String: Any].self)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    if cell.type == .json, let nested { return try nested.unkeyedContainer() }
    if let container = try? nested?.unkeyedContainer() { return container }
    throw mismatch([Any].self)
  }

  /// A decoder of JSON in a column, which may be one of text that SQL has declared for a nested value.
  private var nested: (any Decoder)? {
    guard cell.type == .text || cell.type == .json, case .text(let text) = cell.value else { return nil }
    return JSON.Decoder().decoder(for: Data(text.utf8))
  }

  func decodeNil() -> Bool { cell.isNull }
  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try cell.decode(type, at: codingPath) }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "The column contains a single value of type \(cell.type.rawValue).")
    return cell.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}

extension DecodingError {
  fileprivate func moved(below path: [any CodingKey]) -> DecodingError {
    with(
      Context(
        codingPath: path + context.codingPath, debugDescription: context.debugDescription,
        underlyingError: context.underlyingError))
  }
}
