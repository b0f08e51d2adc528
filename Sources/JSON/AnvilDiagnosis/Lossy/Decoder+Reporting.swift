internal import AnvilJSON

extension CodingUserInfoKey {
  /// The key under which lenient types find the ``DecodingReport`` of their decoder.
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
  /// The report that records the actions of lenient types; `nil` if none is set.
  var report: DecodingReport? { userInfo[.decodingReport] as? DecodingReport }

  /// The coding path to the value.
  var path: JSON.Path { JSON.Path(codingPath: codingPath) }
}

extension JSON.Path {
  /// Creates the path that `codingPath` represents.
  package init(codingPath: [any CodingKey]) {
    self.init(steps: codingPath.map(JSON.Step.init(key:)))
  }
}

extension JSON.Step {
  /// Creates the step for `key`. A key is an element's index only if its text is that of an index, `Index 3`. Keys of
  /// enumerations, and of dictionaries with numeric keys, may also have a number, but remain keys.
  fileprivate init(key: any CodingKey) {
    if let index = key.intValue, key.stringValue == "Index \(index)" {
      self = .index(index)
    } else {
      self = .key(key.stringValue)
    }
  }
}
