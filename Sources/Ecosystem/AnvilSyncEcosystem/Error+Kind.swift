internal import AnvilClient
internal import AnvilStore
internal import AnvilSync

extension Error {
  /// The kind of an error of a run, for logs and metrics: a code, or the error's type. It contains no values.
  var kind: String {
    switch self {
    case let error as TransportFailure: error.error.code.kind.rawValue
    case let error as PullError: error.code.rawValue
    case is CancellationError: "cancelled"
    default: "\(type(of: self))"
    }
  }
}
