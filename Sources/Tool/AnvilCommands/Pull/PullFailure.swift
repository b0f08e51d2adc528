internal import Anvil
internal import AnvilHTTP
internal import AnvilStore
internal import AnvilSync

/// An error of `anvil pull`, with its exit status.
struct PullFailure {
  let status: ExitStatus
  let message: String
  /// True if the message is the diagnosis of a file, which has several lines.
  private var isDiagnosis = false

  init(_ error: any Error) {
    switch error {
    case let error as UsageError: (status, message) = (error.status, error.message)
    case let error as JSON.Diagnosis:
      (status, message) = (.usage, "\(error)")
      isDiagnosis = true
    case let failure as TransportFailure:
      status =
        switch failure.error.code {
        case .clientError, .serverError, .redirection, .unknownStatus: .status
        case .invalidRequest: .usage
        default: .transport
        }
      message = "\(failure)"
    case let error as PullError:
      (status, message) = (
        error.code == .invalidPull ? .usage : error.code == .overtaken ? .store : .decoding, "\(error)"
      )
    case is DecodingFailure, is PaginationError: (status, message) = (.decoding, "\(error)")
    default: (status, message) = (.store, "\(error)")
    }
  }

  func report(to console: Console) -> ExitStatus {
    if isDiagnosis { console.writeError("anvil: \(message.printableLines)\n") } else { console.fail(message) }
    return status
  }
}
