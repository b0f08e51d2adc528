internal import AnvilDiagnosis
internal import AnvilHTTP

/// The description of a response's outcome for logs and archives. It contains types, keys and positions, but no values of the body.
package struct OutcomeSummary {
  package var level: LogEntry.Level
  /// The text to write; `nil` if there is nothing to report.
  package var text: String?
  /// The values for a log entry.
  package var metadata: [(ExchangeAttribute, String)] = []
}

extension ExchangeEvent.Kind {
  /// The summary of an outcome; `nil` for other events. For a body that could not be decoded, computing the summary takes about as long as
  /// decoding.
  package var outcomeSummary: OutcomeSummary? {
    switch self {
    case .accepted(let report): OutcomeSummary(report)
    case .undecodable(let failure):
      switch failure.problem {
      case (let code, let text): OutcomeSummary(level: .error, text: text, metadata: [(.errorType, code)])
      }
    case .rejected(let failure as TransportFailure):
      OutcomeSummary(level: .error, text: "\(failure.error)", metadata: [(.errorType, "\(failure.error.code)")])
    case .rejected(let error):
      OutcomeSummary(level: .warning, text: "refused: \(Self.name(of: error))", metadata: [(.errorType, "refused")])
    case .started, .transfer, .head, .body, .completed, .abandoned, .failed: nil
    }
  }

  /// Returns the error's type, with the case of an enumeration. The error's description is not used, because it may contain values of the
  /// body.
  private static func name(of error: any Error) -> String {
    let error = (error as? AnyError)?.error ?? error
    let type = TypeName.of(Swift.type(of: error))
    let mirror = Mirror(reflecting: error)
    guard mirror.displayStyle == .enum else { return type }
    // A case without values has no child. Its printed form is its name, unless the type has a custom description.
    let name = mirror.children.first.map(\.label) ?? (error is any CustomStringConvertible ? nil : "\(error)")
    return name.map { "\(type).\($0)" } ?? type
  }
}

extension OutcomeSummary {
  /// The summary of a response that was decoded.
  fileprivate init(_ report: DecodingReport) {
    let entries = report.entries
    let count = entries.count + report.omittedCount
    let skipped = entries.filter { $0.code == .skippedElement || $0.code == .skippedMember }
    self.init(level: .info)
    if count > 0 { metadata = [(.lenientCount, "\(count)")] }
    guard let first = skipped.first else { return }
    level = .warning
    text = "decoded with parts left out: \(first)" + (skipped.count > 1 ? " (+\(skipped.count - 1) more)" : "")
  }
}
