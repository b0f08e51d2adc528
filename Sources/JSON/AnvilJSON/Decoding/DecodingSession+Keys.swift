/// The conversion of keys.
extension DecodingSession {
  /// Returns all members of the object at `object`, by their converted keys.
  func convertedMembers(of object: Int) -> [(key: ScalarKey, value: Int)] {
    let count = document.count(ofContainerAt: object)
    noteVisits(count)
    var converted: [(key: ScalarKey, value: Int)] = []
    converted.reserveCapacity(count)
    let path = convertsByPath ? codingPath(to: object) : []
    for key in members(of: object) {
      let text = document.string(at: key)
      converted.append((ScalarKey(convertedKey(text, after: path)), key + tape[key].span))
    }
    return converted
  }

  /// Returns the distinct converted keys of the object of `frame`, in the order of the text.
  ///
  /// - Complexity: O(*n*) on average, where *n* is the number of members.
  func keys(of frame: MemberFrame) -> [String] {
    if let converted = frame.converted { return converted.keys }
    var index: MemberIndex?
    if isLarge(frame.object) {
      // The index is probably needed next, to read the values of the keys.
      frame.order = .indexed
      index = self.index(ofObjectAt: frame.object)
      noteVisits(document.count(ofContainerAt: frame.object))
    }
    var seen: Set<ScalarKey> = []
    var keys: [String] = []
    for key in members(of: frame.object) {
      let text = document.string(at: key)
      let isFirst =
        if let index { text.withUTF8Span { index.key($0, in: document) } == key } else {
          seen.insert(ScalarKey(text)).inserted
        }
      if isFirst { keys.append(text) }
    }
    return keys
  }

  /// True if the conversion of a key depends on its coding path.
  private var convertsByPath: Bool { if case .custom = options.keys { true } else { false } }

  /// Converts `text`, a key of the object at `path`, and returns the result.
  ///
  /// - Parameter path: Only used if the conversion depends on it.
  func convertedKey(_ text: String, after path: [any CodingKey]) -> String {
    switch options.keys {
    case .useDefaultKeys: return text
    case .convertFromSnakeCase: return convertedFromSnakeCase(text)
    case .custom(let convert): return convert(path + [DecodingKey(stringValue: text)]).stringValue
    }
  }

  private func convertedFromSnakeCase(_ text: String) -> String {
    guard KeyConversion.mayConvert(text) else { return text }
    let key = ScalarKey(text)
    if let converted = convertedKeys[key] { return converted }
    let converted = KeyConversion.fromSnakeCase(text)
    // Enough for the types of a program. Keys that are data are not worth the memory.
    if convertedKeys.count < 4096 { convertedKeys[key] = converted }
    return converted
  }
}
