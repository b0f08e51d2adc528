extension JSONDecodable {
  /// What ``decode(_:)`` makes of the value: types that look up ``JSON/fields`` there have all errors already.
  public static func decodeAll(_ json: JSON) throws -> Self { try decode(json) }
}

extension Optional where Wrapped: JSONDecodable {
  /// `nil` for `null`, else the value.
  public static func decodeAll(_ json: JSON) throws -> Wrapped? {
    json.document.isNull(at: json.index) ? nil : try Wrapped.decodeAll(json)
  }
}

extension Array where Element: JSONDecodable {
  /// The elements in their order.
  ///
  /// - Throws: ``TypeMismatchError`` for what is no array; the error of the one element that has one, with its index in
  ///   the path; ``JSONDecodingErrors`` when several have.
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
  /// The members; of those that share a key, the first.
  ///
  /// - Throws: ``TypeMismatchError`` for what is no object; the error of the one member that has one, with its key in
  ///   the path; ``JSONDecodingErrors`` when several have.
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
  /// Calls `decode` with each member of this container, also behind one that fails, until ``JSONDecodingErrors/limit``.
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
