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
      guard let (token, depth) = beginning(at: steps), depth == steps.count else { break }
      let step: JSON.Step
      switch (token.kind, key.intValue) {
      case (.open(isObject: false), let index?): step = .index(index)
      case (.open(isObject: true), _):
        step = .key(converted(key.stringValue, in: token, behind: steps, at: codingPath, strategy))
      default: return (steps, .key(key.stringValue))
      }
      codingPath.append(key)
      guard let next = beginning(at: steps + [step]), next.depth == steps.count + 1 else { return (steps, step) }
      steps.append(step)
    }
    return (steps, nil)
  }

  /// The key of the text that became `name`.
  private mutating func converted(
    _ name: String, in object: Token, behind steps: [JSON.Step], at path: [any CodingKey],
    _ strategy: JSON.Decoder.KeyDecodingStrategy?
  ) -> String {
    func key(_ convert: (String) -> String) -> String {
      keys(of: object, limit: .max).keys.first { ScalarKey(convert($0)) == ScalarKey(name) } ?? name
    }
    switch strategy {
    case .useDefaultKeys: return name
    case .convertFromSnakeCase: return key(KeyConversion.fromSnakeCase)
    case .custom(let convert): return key { convert(path + [DecodingKey(stringValue: $0)]).stringValue }
    case nil:
      // As it is where there is such a key: to look for another one takes the whole object.
      let direct = beginning(at: steps + [.key(name)])
      return direct?.depth == steps.count + 1 ? name : key(KeyConversion.fromSnakeCase)
    }
  }
}
