extension CodingUserInfoKey {
  /// Where lenient types find the ``DecodingReport`` of their decoder.
  ///
  ///     let decoder = JSONDecoder()
  ///     decoder.userInfo[.decodingReport] = report
  public static let decodingReport: CodingUserInfoKey = {
    guard let key = CodingUserInfoKey(rawValue: "Anvil.DecodingReport") else {
      preconditionFailure("Every text is a key.")
    }
    return key
  }()
}

extension Swift.Decoder {
  /// Who wants to know what lenient types do; `nil` when nobody does.
  var report: DecodingReport? { userInfo[.decodingReport] as? DecodingReport }

  /// The way to the value, by coding keys.
  var path: JSON.Path { JSON.Path(codingPath: codingPath) }
}

extension JSON.Path {
  /// The way that `codingPath` leads.
  package init(codingPath: [any CodingKey]) {
    self.init(steps: codingPath.map(JSON.Step.init(key:)))
  }
}

extension JSON.Step {
  /// The step by `key`: to an element for what decoders make of an element's number, whose text is `Index 3`; keys of
  /// dictionaries by number and of enumerations may have a number as well, and are keys all the same.
  fileprivate init(key: any CodingKey) {
    if let index = key.intValue, key.stringValue == "Index \(index)" {
      self = .index(index)
    } else {
      self = .key(key.stringValue)
    }
  }
}
