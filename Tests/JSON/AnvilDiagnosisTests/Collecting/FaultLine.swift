import Testing

@testable import AnvilDiagnosis
@testable import AnvilJSON

/// A fault in one line, which tests compare.
func line(_ fault: Fault) -> String {
  var path = JSON.Path(steps: fault.steps).description
  if path.isEmpty { path = "root" }
  var parts = ["\(fault.code) \(path)"]
  switch fault.missing {
  case .key(let key): parts.append("lacks \(key)")
  case .index(let index): parts.append("lacks [\(index)]")
  case nil: break
  }
  if let expected = fault.expected { parts.append("expected \(expected)") }
  if !fault.kinds.isEmpty { parts.append("a \(fault.kinds.map(\.description).joined(separator: " or "))") }
  if fault.model != nil || fault.property != nil {
    parts.append("for \(fault.model ?? "?").\(fault.property ?? "?")")
  }
  if let reason = fault.reason { parts.append("as \(reason)") }
  if !fault.choices.isEmpty { parts.append("of \(fault.choices.joined(separator: " "))") }
  if !fault.strategies.isEmpty { parts.append("by \(fault.strategies.joined(separator: ", "))") }
  return parts.joined(separator: ", ")
}

/// Returns the faults of decoding `type` from `text`, one per line, with a last line if there may be more.
func faults<T: Decodable>(
  _ type: T.Type, _ text: String, limit: Int = 100, _ configure: (JSON.Decoder) -> Void = { _ in }
) throws -> [String] {
  let decoder = JSON.Decoder()
  configure(decoder)
  let found = decoder.collectFaults(type, in: try JSON(parsing: text), limit: limit)
  let lines = found.faults.map(line) + (found.isComplete ? [] : ["and more"])
  return found.value == nil ? lines : lines + ["a value"]
}

/// Records the lines in which `found` differs from `expected`.
func expectLines(
  _ found: [String], _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation
) {
  for (number, line) in found.enumerated() where !expected.indices.contains(number) || expected[number] != line {
    let wanted = expected.indices.contains(number) ? expected[number] : "nothing"
    Issue.record("line \(number)\n  found  \(line)\n  wanted \(wanted)", sourceLocation: sourceLocation)
  }
  for line in expected.dropFirst(found.count) { Issue.record("not found: \(line)", sourceLocation: sourceLocation) }
}
