import Anvil
import AnvilSQLite
import Foundation

/// The judgement of an operation's error: expected or not.
struct Verdict {
  /// The kind of the error, under which it is counted.
  let kind: String
  /// The reason why the error is unexpected; `nil` if it is expected.
  let complaint: String?

  /// Judges the error of an operation to which the server applied `faults`.
  ///
  /// - Parameter isHasty: whether it was cancelled or had a short deadline.
  init(_ error: any Error, of operation: Operation, faults: [String], isHasty: Bool) {
    let error = (error as? AnyError)?.error ?? error
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
    case is DecodingFailure, is DecodingError, is HTTP.ValueDecodingError, is JSON.SyntaxError:
      kind = "decoding"
      let isUndecodable = faults.contains { $0 == "drift" || operation.isStreamed && Self.bodies.contains($0) }
      complaint = operation.isShared || isUndecodable ? nil : "a valid body did not decode"
    default:
      kind = "\(type(of: error))"
      complaint = "an unexpected kind of error"
    }
  }

  /// Faults whose bodies begin with other content than requested. Operations that stream the body encounter the content
  /// first.
  private static let bodies: Set<String> = [
    "bad-chunk", "truncated-body", "truncated-chunks", "reset-in-body", "length-and-chunked", "conflicting-lengths",
  ]

  private static func complaint(
    about error: TransportError, isHasty: Bool, isTroubled: Bool
  ) -> String? {
    switch error.code {
    case .cancelled: return isHasty ? nil : "cancelled without a cause"
    // A busy machine, a circuit breaker opened by others, a failed shared token refresh, a connection closed while
    // idle, or a redirect of a body that can be sent only once.
    case .timedOut, .circuitOpen, .authenticationFailed, .connectionLost, .redirectRefused: return nil
    case .clientError, .serverError, .truncatedResponse, .malformedResponse, .noData, .redirection, .tooManyRedirects:
      return isTroubled ? nil : "the server did nothing wrong"
    default: return "an unexpected kind of error"
    }
  }
}
