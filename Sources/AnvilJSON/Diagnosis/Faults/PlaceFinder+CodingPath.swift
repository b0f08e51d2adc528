extension PlaceFinder {
  /// The steps that a coding path takes in the text, behind `outer`: keys may have been converted.
  ///
  /// - Parameter strategy: how keys were converted; `nil` where that is not known.
  /// - Returns: the steps as far as they lead, and the first one that does not.
  mutating func steps(
    for path: [any CodingKey], behind outer: [JSON.Step], _ strategy: JSON.Decoder.KeyDecodingStrategy?
  ) -> (steps: [JSON.Step], unresolved: JSON.Step?) {
    var steps = outer
    var codingPath: [any CodingKey] = []
    for key in path {
      guard let (place, depth) = place(at: steps), depth == steps.count else { break }
      var step: JSON.Step
      switch (place.token.kind, key.intValue) {
      case (.open(isObject: false), let index?): step = .index(index)
      case (.open(isObject: true), _):
        step = .key(self.key(for: key.stringValue, in: place.token, at: codingPath, strategy))
      default: return (steps, .key(key.stringValue))
      }
      codingPath.append(key)
      guard let next = self.place(at: steps + [step]), next.depth == steps.count + 1 else { return (steps, step) }
      steps.append(step)
    }
    return (steps, nil)
  }

  /// The key of the text that became `name`.
  private func key(
    for name: String, in object: Token, at path: [any CodingKey], _ strategy: JSON.Decoder.KeyDecodingStrategy?
  ) -> String {
    let keys = keys(of: object, limit: .max).keys
    switch strategy {
    case .useDefaultKeys: return name
    case .convertFromSnakeCase: return keys.first { KeyConversion.fromSnakeCase($0) == name } ?? name
    case .custom(let convert):
      return keys.first { convert(path + [DecodingKey(stringValue: $0)]).stringValue == name } ?? name
    case nil:
      return keys.first { ScalarKey($0) == ScalarKey(name) }
        ?? keys.first { KeyConversion.fromSnakeCase($0) == name } ?? name
    }
  }
}
