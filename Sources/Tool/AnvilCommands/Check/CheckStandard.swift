internal import AnvilJSON
internal import AnvilSchema

/// The standard that documents are compared with: a schema, or the common shape of samples.
enum CheckStandard: Sendable {
  case schema(JSONSchema, name: String)
  case samples(SampleCheck, names: [String])

  /// The time for checks unless an option specifies another.
  static let defaultTimeout = Duration.seconds(60)

  /// Returns the departures of `document`.
  ///
  /// - Parameter deadline: The time at which the check ends; `nil` for no limit.
  func check(_ document: JSON, until deadline: CheckDeadline?) -> CheckFindings {
    // The limits are far higher than the number of printed departures, because all departures are counted and grouped.
    let limits = CheckLimits(faults: 100_000, work: 100_000_000, deadline: deadline)
    return switch self {
    case .schema(let schema, _): schema.check(document, limits: limits)
    case .samples(let check, _): check.check(document, limits: limits)
    }
  }

  /// The keywords of the schema that are not checked.
  var notes: [JSONSchema.Note] {
    switch self {
    case .schema(let schema, _): schema.notes
    case .samples: []
    }
  }

  /// The names of the schema or the samples.
  var names: [String] {
    switch self {
    case .schema(_, let name): [name]
    case .samples(_, let names): names
    }
  }

  /// The kind of standard in one word.
  var kind: String {
    switch self {
    case .schema: "schema"
    case .samples: "sample"
    }
  }

  /// The standard as a phrase: `the schema user.schema.json`, `3 samples`.
  var phrase: String {
    names.count == 1 ? "the \(kind) \(names[0])" : "\(names.count) samples"
  }
}
