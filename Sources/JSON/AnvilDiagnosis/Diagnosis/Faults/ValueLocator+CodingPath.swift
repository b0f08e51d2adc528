internal import AnvilJSON

extension ValueLocator {
  /// Returns `outer`, followed by the steps in the text that a coding path represents. The keys of the coding path may be converted ones.
  ///
  /// - Parameter strategy: the strategy that converted the keys; `nil` if it is not known.
  /// - Returns: the steps that can be resolved, and the first step that cannot, if there is one.
  mutating func steps(
    for path: [any CodingKey], after outer: [JSON.Step], _ strategy: JSON.Decoder.KeyDecodingStrategy?
  ) -> (steps: [JSON.Step], unresolved: JSON.Step?) {
    var steps = outer
    var codingPath: [any CodingKey] = []
    for key in path {
      guard let (token, depth) = beginning(at: steps), depth == steps.count else { break }
      let step: JSON.Step
      switch (token.kind, key.intValue) {
      case (.open(isObject: false), let index?): step = .index(index)
      case (.open(isObject: true), _):
        step = .key(converted(key.stringValue, in: token, after: steps, at: codingPath, strategy))
      default: return (steps, .key(key.stringValue))
      }
      codingPath.append(key)
      guard let next = beginning(at: steps + [step]), next.depth == steps.count + 1 else { return (steps, step) }
      steps.append(step)
    }
    return (steps, nil)
  }

  /// Returns the key of `object` in the text that the strategy converts to `name`; `name` itself if the strategy converts none of the keys
  /// to it.
  private mutating func converted(
    _ name: String, in object: Token, after steps: [JSON.Step], at path: [any CodingKey],
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
      // An unconverted key is tried first: a search for a converted one has to read the whole object.
      let direct = beginning(at: steps + [.key(name)])
      return direct?.depth == steps.count + 1 ? name : key(KeyConversion.fromSnakeCase)
    }
  }
}
