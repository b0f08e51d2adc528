internal import AnvilDiagnosis
internal import AnvilJSON

/// Rules that apply other schemas to the same value.
extension SchemaRun {
  mutating func checkInPlace(
    _ rule: SchemaRule, of value: JSON, coverage: inout Coverage
  ) throws(Stop) -> Bool {
    switch rule {
    case .reference(let id): return try include(id, value, &coverage)
    case .dynamicReference(let id, let anchor): return try include(target(of: anchor, default: id), value, &coverage)
    case .all(let ids):
      var isValid = true
      for id in ids {
        if try !include(id, value, &coverage) { isValid = false }
        if !isValid, quiet > 0 { return false }
      }
      return isValid
    case .any(let ids): return try checkAny(ids, value, &coverage)
    case .one(let ids): return try checkOne(ids, value, &coverage)
    case .not(let id):
      guard try accepts(value, against: id) != nil else { return true }
      try fail(.schemaNot, expected: "anything but \(SchemaSummary(id, of: schema).phrase)")
      return false
    case .condition(let condition, let then, let otherwise):
      guard let found = try accepts(value, against: condition) else {
        return try otherwise.map { id throws(Stop) in try include(id, value, &coverage) } ?? true
      }
      coverage.merge(found)
      return try then.map { id throws(Stop) in try include(id, value, &coverage) } ?? true
    case .dependentSchemas(let dependencies):
      var isValid = true
      for (key, id) in dependencies {
        try spend(1 + value.count / 16)
        if case .some = value[key], try !include(id, value, &coverage) { isValid = false }
      }
      return isValid
    default: return true
    }
  }

  private mutating func include(_ id: Int, _ value: JSON, _ coverage: inout Coverage) throws(Stop) -> Bool {
    guard let found = try check(value, against: id) else { return false }
    if schema.collectsCoverage { coverage.merge(found) }
    return true
  }

  private mutating func checkAny(_ ids: [Int], _ value: JSON, _ coverage: inout Coverage) throws(Stop) -> Bool {
    var attempts: [Attempt] = []
    var isValid = false
    for id in ids {
      let attempt = try attempt(value, against: id)
      if let found = attempt.coverage {
        isValid = true
        guard schema.collectsCoverage else { return true }
        coverage.merge(found)
      }
      attempts.append(attempt)
    }
    if !isValid { try explain(.schemaAnyOf, attempts, value) }
    return isValid
  }

  private mutating func checkOne(_ ids: [Int], _ value: JSON, _ coverage: inout Coverage) throws(Stop) -> Bool {
    var attempts: [Attempt] = []
    for id in ids { attempts.append(try attempt(value, against: id)) }
    let fitting = attempts.filter { $0.coverage != nil }
    if fitting.isEmpty {
      try explain(.schemaOneOf, attempts, value)
      return false
    }
    guard fitting.count == 1, let found = fitting[0].coverage else {
      let schemas = fitting.prefix(4).map {
        JSON.Pointer(schemaSteps: schema.nodes[$0.schema].steps).description.quoted
      }
      let names = fitting.count > 4 ? schemas.joined(separator: ", ") + ", …" : schemas.joined(by: "and")
      try fail(.schemaOneOf, expected: "a value that matches only one of \(names)")
      return false
    }
    coverage.merge(found)
    return true
  }

  /// Reports why a value matches none of several schemas. If the value is clearly meant for one of them, only the faults of that one are
  /// reported.
  private mutating func explain(
    _ code: JSON.Diagnosis.Code, _ attempts: [Attempt], _ value: JSON
  ) throws(Stop) {
    guard quiet == 0 else { return }
    let near = attempts.filter { !refusesOutright($0) }
    let closest = near.filter { wrongTags(of: $0).isEmpty }
    if near.count == 1 { return try adopt(near[0]) }
    if closest.count == 1 { return try adopt(closest[0]) }
    let counts = closest.map { SchemaSummary($0.schema, of: schema).tagCount(in: value) }
    if let most = counts.max(), most > 0, counts.count(where: { $0 == most }) == 1,
      let index = counts.firstIndex(of: most)
    {
      return try adopt(closest[index])
    }
    if closest.isEmpty, let fault = commonTag(of: near) { return try note([fault]) }
    let summaries = attempts.map { SchemaSummary($0.schema, of: schema) }
    let values = summaries.compactMap(\.values)
    let choices = values.count == summaries.count ? values.flatMap { $0 } : []
    let phrase =
      choices.isEmpty
      ? summaries.prefix(8).map(\.phrase).joined(by: "or") + (summaries.count > 8 ? ", …" : "")
      : SchemaRule.phrase(of: choices)
    try fail(code, expected: phrase) { fault in
      let kinds = summaries.map(\.kinds)
      fault.kinds = kinds.contains(where: \.isEmpty) ? [] : SchemaRun.distinct(kinds.flatMap { $0 })
      fault.choices = SchemaRule.choices(of: choices)
    }
  }

  /// Returns whether the schema rejected the value as a whole, rather than some of its contents.
  private func refusesOutright(_ attempt: Attempt) -> Bool {
    attempt.faults.contains { positioned in
      positioned.position.count == position.count && Self.outright.contains(positioned.fault.code)
    }
  }

  private static let outright: [JSON.Diagnosis.Code] = [
    .schemaType, .schemaEnum, .schemaConst, .schemaFalse, .schemaAnyOf, .schemaOneOf,
  ]

  /// Returns the faults of members that must have one of a few fixed values but have another.
  private func wrongTags(of attempt: Attempt) -> [PositionedFault] {
    attempt.faults.filter { positioned in
      positioned.position.count == position.count + 1 && [.schemaEnum, .schemaConst].contains(positioned.fault.code)
    }
  }

  /// Returns a fault that lists the values of all schemas for one member, if that member is the only one with a wrong fixed value in every
  /// attempt.
  private func commonTag(of attempts: [Attempt]) -> PositionedFault? {
    let tags = attempts.map { wrongTags(of: $0) }
    guard var common = tags.first?.first, tags.allSatisfy({ $0.count == 1 && $0[0].position == common.position }) else {
      return nil
    }
    guard case .key(let key)? = common.fault.steps.last else { return nil }
    let summaries = attempts.map { SchemaSummary($0.schema, of: schema) }
    let values = summaries.flatMap { summary in summary.tags.first { $0.key == key }?.values ?? [] }
    guard !values.isEmpty else { return nil }
    common.fault.code = .schemaEnum
    common.fault.expected = SchemaRule.phrase(of: values)
    common.fault.kinds = Self.distinct(values.map(\.kind))
    common.fault.choices = SchemaRule.choices(of: values)
    return common
  }
}
