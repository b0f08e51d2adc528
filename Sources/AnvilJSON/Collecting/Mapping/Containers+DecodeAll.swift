extension JSONDecodable {
  /// Returns the result of ``decode(_:)``. Types whose `decode` uses ``JSON/fields`` report all errors without further code.
  public static func decodeAll(_ json: JSON) throws -> Self { try decode(json) }
}

extension Optional where Wrapped: JSONDecodable {
  /// Returns `nil` for `null`, otherwise the value.
  public static func decodeAll(_ json: JSON) throws -> Wrapped? {
    json.document.isNull(at: json.index) ? nil : try Wrapped.decodeAll(json)
  }
}

extension Array where Element: JSONDecodable {
  /// Returns the elements in order.
  ///
  /// - Throws: ``TypeMismatchError`` for a value that is not an array; the element's error, with its index in the path, if exactly
  ///   one element fails; ``JSONDecodingErrors`` if several fail.
  public static func decodeAll(_ json: JSON) throws -> [Element] {
    let members = try json.members(of: .array)
    if let numbers = try? decodeNumbers(json, members) { return numbers }
    var elements: [Element] = []
    elements.reserveCapacity(members.reservedCount)
    try json.forEachMemberCollecting { _, value in elements.append(try Element.decodeAll(value)) }
    return elements
  }
}

extension Dictionary where Key == String, Value: JSONDecodable {
  /// Returns the members. Of those that share a key, the first counts.
  ///
  /// - Throws: ``TypeMismatchError`` for a value that is not an object; the member's error, with its key in the path, if exactly
  ///   one member fails; ``JSONDecodingErrors`` if several fail.
  public static func decodeAll(_ json: JSON) throws -> [String: Value] {
    let members = try json.members(of: .object)
    var values: [String: Value] = Dictionary(minimumCapacity: members.reservedCount)
    try json.forEachMemberCollecting { step, value in
      let value = try Value.decodeAll(value)
      if case .key(let key) = step, values[key] == nil { values[key] = value }
    }
    return values
  }
}

extension JSON {
  /// Calls `decode` with each member of this container, continuing after errors up to ``JSONDecodingErrors/limit``.
  ///
  /// - Throws: all errors as one, with the steps in their paths.
  fileprivate func forEachMemberCollecting(_ decode: (Step, JSON) throws -> Void) throws {
    var errors: [any JSONDecodingError] = []
    var count = 0
    forEachMember { step, index in
      guard count < JSONDecodingErrors.limit else { return }
      do {
        try decode(step, JSON(document, at: index))
      } catch {
        let error = locating(error, at: Path(steps: [step]), index: index)
        errors.append(error)
        count += error.all.count
      }
    }
    guard errors.isEmpty else { throw JSONDecodingErrors.joining(errors, in: self) }
  }
}
