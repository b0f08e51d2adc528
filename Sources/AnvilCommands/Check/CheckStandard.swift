internal import AnvilJSON
internal import AnvilSchema

/// What documents are held against: a schema, or what samples have in common.
enum CheckStandard: Sendable {
  case schema(JSONSchema, name: String)
  case samples(SampleCheck, names: [String])

  /// More departures than a person reads: what is kept to be counted and put together.
  private static let limits = CheckLimits(faults: 100_000, work: 100_000_000)

  /// Every way in which `document` departs.
  func check(_ document: JSON) -> CheckFindings {
    switch self {
    case .schema(let schema, _): schema.check(document, limits: Self.limits)
    case .samples(let check, _): check.check(document, limits: Self.limits)
    }
  }

  /// What the schema says that is not checked.
  var notes: [JSONSchema.Note] {
    switch self {
    case .schema(let schema, _): schema.notes
    case .samples: []
    }
  }

  /// What it is called.
  var names: [String] {
    switch self {
    case .schema(_, let name): [name]
    case .samples(_, let names): names
    }
  }

  /// What it is, in a word.
  var kind: String {
    switch self {
    case .schema: "schema"
    case .samples: "sample"
    }
  }

  /// What it is called in a sentence: `the schema user.schema.json`, `3 samples`.
  var phrase: String {
    names.count == 1 ? "the \(kind) \(names[0])" : "\(names.count) samples"
  }
}
