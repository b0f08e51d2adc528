internal import AnvilDiagnosis
internal import AnvilJSON
internal import AnvilSchema
internal import AnvilText

extension Fault {
  /// The fault in the words that a report has for it: what stands in `document` says more than that something else does.
  func worded(for document: JSON) -> Fault {
    var fault = self
    switch code {
    case .schemaAdditionalProperty: fault.say("the schema has no such key")
    case .sampleUnknownKey: fault.say("no sample has this key")
    case .schemaPropertyName, .schemaFalse, .schemaAdditionalItem: fault.say(expected.map { "expected \($0)" })
    case .schemaMinItems, .schemaMaxItems, .schemaMinProperties, .schemaMaxProperties:
      fault.detail = document.value(at: steps).map { "\($0.count)" }
    case .schemaUniqueItems:
      fault.say(reason)
      fault.reason = nil
    case .schemaContains:
      // "there is 1": what is wanted is said before it.
      fault.detail = reason.flatMap { $0.split(separator: " ").last.map(String.init) }
      fault.reason = nil
    default: break
    }
    return fault
  }

  /// Says what is wrong in these words and no others.
  private mutating func say(_ words: String?) {
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
