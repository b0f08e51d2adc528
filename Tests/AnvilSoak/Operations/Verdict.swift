import Anvil
import AnvilSQLite
import Foundation

/// Whether an operation may have failed as it did.
struct Verdict {
  /// The kind of the error, by which it is counted.
  let kind: String
  /// What is wrong with it; `nil` where it is to be expected.
  let complaint: String?

  /// Judges the error of an operation with which the server did what `faults` says.
  ///
  /// - Parameter isHasty: whether it was cancelled or had a short deadline.
  init(_ error: any Error, of operation: Operation, faults: [String], isHasty: Bool) {
    let isTroubled = isHasty || operation.isShared || !faults.isEmpty
    let transport = (error as? TransportError) ?? (error as? any TransportFailureRepresentable)?.transportError
    if let transport {
      kind = "\(transport.code)"
      complaint = Self.complaint(about: transport, isHasty: isHasty, isTroubled: isTroubled)
      return
    }
    switch error {
    case is CancellationError:
      kind = "CancellationError"
      complaint = isHasty ? nil : "cancelled without a cause"
    case let error as StoreError:
      kind = "store error \(error.code)"
      complaint = "the store failed"
    case is DecodingFailure, is DecodingError, is HTTP.LineDecodingError, is JSON.SyntaxError:
      kind = "decoding"
      let isUndecodable = faults.contains { $0 == "drift" || operation.isStreamed && Self.bodies.contains($0) }
      complaint = operation.isShared || isUndecodable ? nil : "a valid body did not decode"
    case is EventSource.UnexpectedResponse:
      kind = "unexpected response"
      complaint = isTroubled ? nil : "the response of the event stream was valid"
    default:
      kind = "\(type(of: error))"
      complaint = "an unexpected kind of error"
    }
  }

  /// Faults whose bodies begin with what was not asked for, which those who read them as they arrive meet first.
  private static let bodies: Set<String> = [
    "bad-chunk", "truncated-body", "truncated-chunks", "reset-in-body", "length-and-chunked", "conflicting-lengths",
  ]

  private static func complaint(
    about error: TransportError, isHasty: Bool, isTroubled: Bool
  ) -> String? {
    switch error.code {
    case .cancelled: return isHasty ? nil : "cancelled without a cause"
    // A busy machine, a breaker that others opened, a token that others could not have, a connection closed while idle, a
    // redirect of a body that can be sent only once.
    case .timedOut, .circuitOpen, .authenticationFailed, .connectionLost, .redirectRefused: return nil
    case .clientError, .serverError, .truncatedResponse, .malformedResponse, .noData, .redirection, .tooManyRedirects:
      return isTroubled ? nil : "the server did nothing wrong"
    default: return "an unexpected kind of error"
    }
  }
}
