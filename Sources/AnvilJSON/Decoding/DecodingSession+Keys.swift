/// Keys as types know them.
extension DecodingSession {
  /// The members of the object at `object`, all of them, by their converted keys.
  func convertedMembers(of object: Int) -> [(key: ScalarKey, value: Int)] {
    let count = document.count(ofContainerAt: object)
    noteVisits(count)
    var converted: [(key: ScalarKey, value: Int)] = []
    converted.reserveCapacity(count)
    let path = convertsByPath ? codingPath(to: object) : []
    for key in members(of: object) {
      let text = document.string(at: key)
      converted.append((ScalarKey(convertedKey(text, behind: path)), key + tape[key].span))
    }
    return converted
  }

  /// The keys of the object that `frame` stands in, as the type knows them, each once, in the order of the text.
  ///
  /// - Complexity: O(*n*) on average, *n* the number of members.
  func keys(of frame: MemberFrame) -> [String] {
    if let converted = frame.converted { return converted.keys }
    if isLarge(frame.object) {
      // The index is likely wanted next, to read the keys' values.
      frame.order = .indexed
      let index = index(ofObjectAt: frame.object)
      noteVisits(document.count(ofContainerAt: frame.object))
      return members(of: frame.object).compactMap { key in
        let text = document.string(at: key)
        return text.withUTF8Span { index.key($0, in: document) } == key ? text : nil
      }
    }
    var seen: Set<ScalarKey> = []
    return members(of: frame.object).compactMap { key in
      let text = document.string(at: key)
      return seen.insert(ScalarKey(text)).inserted ? text : nil
    }
  }

  /// Whether keys are converted by what is around them, too.
  private var convertsByPath: Bool { if case .custom = options.keys { true } else { false } }

  /// The key `text` of an object at `path` as the type knows it.
  ///
  /// - Parameter path: not needed where keys are converted by themselves.
  func convertedKey(_ text: String, behind path: [any CodingKey]) -> String {
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
    // As many as the types of a program have; keys that are data are not worth their memory.
    if convertedKeys.count < 4096 { convertedKeys[key] = converted }
    return converted
  }
}
