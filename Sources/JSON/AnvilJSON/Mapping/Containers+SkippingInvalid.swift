extension Array where Element: JSONDecodable {
  /// Decodes the elements in order. Elements that cannot be decoded are reported and left out.
  ///
  ///     var problems: [any JSONDecodingError] = []
  ///     let people = try json.value(at: "people") { people in
  ///       try [Person].decode(people, skippingInvalid: { problems.append($0) })
  ///     }
  ///
  /// - Parameter report: Called once for each element that cannot be decoded. The paths of these errors begin at the root of the
  ///   document: `people[3].name`.
  /// - Throws: ``TypeMismatchError`` if the value is not an array. An error thrown by `report` ends the decoding and is rethrown.
  public static func decode(
    _ json: JSON, skippingInvalid report: (any JSONDecodingError) throws -> Void
  ) throws -> [Element] {
    guard json.word.is(.array) else { throw json.mismatch(.array) }
    var elements: [Element] = []
    try json.decodeMembers(reportingTo: report) { _, value in elements.append(try Element.decode(value)) }
    return elements
  }
}

extension Dictionary where Key == String, Value: JSONDecodable {
  /// Decodes the members. Members that cannot be decoded are reported and left out. If several members share a key,
  /// the first one that can be decoded is used.
  ///
  /// - Parameter report: Called once for each member that cannot be decoded. The paths of these errors begin at the root of the
  ///   document: `people.anna.age`.
  /// - Throws: ``TypeMismatchError`` if the value is not an object. An error thrown by `report` ends the decoding and is rethrown.
  public static func decode(
    _ json: JSON, skippingInvalid report: (any JSONDecodingError) throws -> Void
  ) throws -> [String: Value] {
    guard json.word.is(.object) else { throw json.mismatch(.object) }
    var members: [String: Value] = [:]
    try json.decodeMembers(reportingTo: report) { step, value in
      guard case .key(let key) = step, members[key] == nil else { return }
      members[key] = try Value.decode(value)
    }
    return members
  }
}

extension JSON {
  /// Calls `decode` with each member of this container, and `report` with each error that it throws. The paths of the errors begin at the
  /// root of the document.
  fileprivate func decodeMembers(
    reportingTo report: (any JSONDecodingError) throws -> Void, _ decode: (Step, JSON) throws -> Void
  ) throws {
    // Computed once, and only if needed: descending from the root for each of many errors would be quadratic.
    var outer: Path?
    try forEachMember { step, value in
      do {
        try decode(step, value)
      } catch {
        guard !value.isOpen else { return }
        let place = outer ?? path
        outer = place
        try report(root.locating(error, at: place.appending(Path(steps: [step])), in: value))
      }
    }
  }
}
