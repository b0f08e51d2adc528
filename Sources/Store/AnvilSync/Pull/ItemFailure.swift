internal import AnvilBase
internal import AnvilJSON
internal import AnvilStore

/// A description of an error that concerns one row of a page.
struct ItemFailure {
  /// The path of the value in the row, such as `.owner.name`. Empty if the error concerns the whole row.
  let path: String
  let reason: String
  /// The deviation from the model; `nil` if the error is not such a deviation.
  let drift: PullReport.Drift?

  private init(path: String = "", reason: String, drift: PullReport.Drift? = nil) {
    (self.path, self.reason, self.drift) = (path, reason.singleLine(limit: 300), drift)
  }

  /// Creates the description of a value that cannot be read.
  init(at path: JSON.Path, _ reason: String) {
    self.init(path: path.rowText, reason: reason)
  }

  /// Creates the description of an error. Returns `nil` if the error does not concern a row.
  init?(_ error: any Error) {
    switch error {
    case let error as StoreError:
      guard error.isCausedByRow else { return nil }
      self.init(reason: "\(error)")
    case is CancellationError, is PullError: return nil
    case let error as DecodingError: self.init(error)
    case let error as any JSONDecodingError:
      self.init(path: error.path.rowText, reason: "\(error)")
    case let error as UnstorableObject: self.init(reason: error.reason)
    default: self.init(reason: "\(error)")
    }
  }

  private init(_ error: DecodingError) {
    switch error {
    case .typeMismatch(_, let context): self.init(context, .typeMismatch)
    case .valueNotFound(_, let context): self.init(context, .missingValue)
    case .keyNotFound(let key, let context): self.init(context, .missingValue, key: key)
    case .dataCorrupted(let context): self.init(context, .typeMismatch)
    @unknown default: self.init(reason: "\(error)")
    }
  }

  private init(_ context: DecodingError.Context, _ kind: PullReport.Drift.Kind, key: (any CodingKey)? = nil) {
    let keys = context.codingPath + (key.map { [$0] } ?? [])
    let steps = keys.map { key in key.intValue.map(JSON.Step.index) ?? .key(key.stringValue) }
    let general = steps.reduce(into: "") { text, step in
      if case .index = step { text += "[]" } else { text.append(step) }
    }
    self.init(
      path: JSON.Path(steps: steps).rowText, reason: context.debugDescription,
      drift: PullReport.Drift(path: general, kind: kind, rowCount: 1))
  }
}

extension JSON.Path {
  /// The path within the row: `.owner.name`; empty for the whole row.
  fileprivate var rowText: String {
    let text = "\(self)"
    return text.isEmpty || text.hasPrefix("[") ? text : ".\(text)"
  }
}

extension StoreError {
  /// A Boolean value that indicates whether the error may be caused by the values of a single row.
  fileprivate var isCausedByRow: Bool {
    switch code {
    case .invalidValue, .constraint, .tooLarge: true
    default: false
    }
  }
}
