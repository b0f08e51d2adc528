internal import AnvilDiagnosis
internal import AnvilJSON

/// Rules that do not apply schemas to the contents of a value.
extension SchemaRun {
  mutating func checkScalar(_ rule: SchemaRule, of value: JSON) throws(Stop) -> Bool {
    guard let code = try failure(of: rule, for: value) else { return true }
    try fail(code, expected: rule.phrase) { fault in
      switch rule {
      case .types(let types): fault.kinds = SchemaRun.distinct(types.map(\.kind))
      case .constant(let constant):
        fault.kinds = [constant.kind]
        fault.choices = SchemaRule.choices(of: [constant])
      case .oneOf(let values):
        fault.kinds = SchemaRun.distinct(values.map(\.kind))
        fault.choices = SchemaRule.choices(of: values)
      case .unique: fault.reason = SchemaRun.repetition(in: value)
      default: break
      }
    }
    return false
  }

  static func distinct(_ kinds: [JSON.Kind]) -> [JSON.Kind] {
    var seen: Set<JSON.Kind> = []
    return kinds.filter { seen.insert($0).inserted }
  }

  private mutating func failure(of rule: SchemaRule, for value: JSON) throws(Stop) -> JSON.Diagnosis.Code? {
    switch rule {
    case .nothing: return .schemaFalse
    case .types(let types): return types.contains { $0.includes(value) } ? nil : .schemaType
    case .constant(let constant):
      try run.spend(constant.count)
      return constant == value ? nil : .schemaConst
    case .oneOf(let values):
      for candidate in values {
        try run.spend(1 + candidate.count)
        if candidate == value { return nil }
      }
      return .schemaEnum
    case .bound(let bound):
      guard value.kind == .number else { return nil }
      return bound.includes(value) ? nil : bound.code
    case .multiple(let divisor, _):
      guard value.kind == .number else { return nil }
      return value.exactNumber?.isMultiple(of: divisor) ?? false ? nil : .schemaMultipleOf
    case .minimum(let measure, let least):
      guard let count = try count(measure, of: value) else { return nil }
      return count >= least ? nil : measure.codes.tooFew
    case .maximum(let measure, let most):
      guard let count = try count(measure, of: value) else { return nil }
      return count <= most ? nil : measure.codes.tooMany
    case .pattern(let pattern):
      guard let text = value.string else { return nil }
      return try matches(text, pattern) ? nil : .schemaPattern
    case .format(let format):
      guard let text = value.string else { return nil }
      try run.spend(text.utf8.count / 64)
      return format.matches(text) ? nil : .schemaFormat
    case .unique:
      guard value.kind == .array else { return nil }
      return try hasRepetition(value) ? .schemaUniqueItems : nil
    default: return nil
    }
  }

  private mutating func count(_ measure: Measure, of value: JSON) throws(Stop) -> Int? {
    switch measure {
    case .characters:
      guard let text = value.string else { return nil }
      try run.spend(text.utf8.count / 64)
      return text.unicodeScalars.count
    case .elements: return value.kind == .array ? value.count : nil
    case .members: return value.kind == .object ? value.count : nil
    }
  }

  private mutating func hasRepetition(_ array: JSON) throws(Stop) -> Bool {
    let comparisons = Comparisons()
    var seen: Set<CountedElement> = []
    for element in array.elements {
      try run.spend(1 + element.count)
      if !seen.insert(CountedElement(value: element, comparisons: comparisons)).inserted { return true }
      try run.spend(comparisons.take())
    }
    return false
  }

  private static func repetition(in array: JSON) -> String? {
    var seen: [JSON: Int] = [:]
    for (number, element) in array.elements.enumerated() {
      if let first = seen[element] { return "elements \(first) and \(number) are the same" }
      seen[element] = number
    }
    return nil
  }
}

/// An element of a set that counts its comparisons, so that they can be limited: an attacker can choose elements with equal hashes.
private struct CountedElement: Hashable {
  let value: JSON
  let comparisons: Comparisons

  static func == (left: CountedElement, right: CountedElement) -> Bool {
    left.comparisons.count += 1
    return left.value == right.value
  }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

private final class Comparisons {
  var count = 0

  func take() -> Int {
    defer { count = 0 }
    return count
  }
}

extension NumberBound {
  fileprivate var code: JSON.Diagnosis.Code {
    switch side {
    case .atLeast, .above: .schemaMinimum
    case .atMost, .below: .schemaMaximum
    }
  }

  fileprivate func includes(_ value: JSON) -> Bool {
    guard let number = value.exactNumber else { return false }
    return switch side {
    case .atLeast: number >= self.value
    case .above: number > self.value
    case .atMost: number <= self.value
    case .below: number < self.value
    }
  }
}

extension Measure {
  fileprivate var codes: (tooFew: JSON.Diagnosis.Code, tooMany: JSON.Diagnosis.Code) {
    switch self {
    case .characters: (.schemaMinLength, .schemaMaxLength)
    case .elements: (.schemaMinItems, .schemaMaxItems)
    case .members: (.schemaMinProperties, .schemaMaxProperties)
    }
  }
}
