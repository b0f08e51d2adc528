internal import AnvilBase
internal import AnvilDiagnosis
internal import AnvilJSON
internal import AnvilSchema

extension Fault {
  /// Returns the fault with the description that the report shows, which may contain values of `document`.
  func worded(for document: JSON) -> Fault {
    var fault = self
    switch code {
    case .schemaAdditionalProperty: fault.describe("the schema has no such key")
    case .sampleUnknownKey: fault.describe("no sample has this key")
    case .schemaPropertyName, .schemaFalse, .schemaAdditionalItem: fault.describe(expected.map { "expected \($0)" })
    case .schemaMinItems, .schemaMaxItems, .schemaMinProperties, .schemaMaxProperties:
      fault.detail = document.value(at: steps).map { "\($0.count)" }
    case .schemaUniqueItems:
      fault.describe(reason)
      fault.reason = nil
    case .schemaContains:
      // The detail is the number in "1 matches", because the expected number is printed before it.
      fault.detail = reason.flatMap { $0.split(separator: " ").first.map(String.init) }
      fault.reason = nil
    default: break
    }
    return fault
  }

  /// Makes `words` the description of the fault. Has no effect if `words` is `nil`.
  private mutating func describe(_ words: String?) {
    guard let words else { return }
    detail = words
    expected = nil
  }

  /// The path from `$`.
  var pathText: String {
    let text = JSON.Path(steps: steps).description.printable
    return text.isEmpty || text.hasPrefix("[") ? "$\(text)" : "$.\(text)"
  }
}

extension JSON {
  fileprivate func value(at steps: [JSON.Step]) -> JSON? {
    var value = self
    for step in steps {
      let next: JSON? =
        switch step {
        case .key(let key): value[key]
        case .index(let index): value[index]
        }
      guard let next else { return .none }
      value = next
    }
    return value
  }
}
