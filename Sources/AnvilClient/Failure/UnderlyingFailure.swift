internal import AnvilHTTP

/// The failure, or the parts of one, found in an error of a caller's type. It may be an associated value of a case or a stored property,
/// also of a superclass and also inside another error.
final class UnderlyingFailure {
  private(set) var transportFailure: TransportFailure?
  private(set) var decodingFailure: DecodingFailure?
  /// The reason why a value could not be decoded, if there is no ``decodingFailure``.
  private(set) var decodingError: DecodingError?
  private var ownTransportError: TransportError?
  private var ownResponse: HTTP.Response?

  /// Finds the first failure or part of each kind in `error`, the outermost first. The search stops at a complete failure.
  ///
  /// The search descends four levels, which covers the values of a case within a case; errors rarely store a failure deeper than that.
  /// An error may contain lists of any length, so at most 1,000 values are examined.
  init(in error: any Error) {
    guard !add(error) else { return }
    var remainingValues = 1_000
    var level: [Any] = [error]
    for _ in 0..<4 where !level.isEmpty {
      var next: [Any] = []
      for value in level {
        for child in Mirror(reflecting: value).allChildren {
          guard remainingValues > 0 else { return }
          remainingValues -= 1
          if !add(child.value), Self.mayBeInspected(child.value) { next.append(child.value) }
          if isWhole { return }
        }
      }
      level = next
    }
  }

  /// The response of the failure, or a response that is stored without a failure.
  var response: HTTP.Response? { transportFailure?.response ?? decodingFailure?.response ?? ownResponse }

  /// The error of the failure, or an error that is stored without a failure. If only a response is stored, the error for its status.
  var transportError: TransportError? {
    if let error = transportFailure?.error ?? ownTransportError { return error }
    guard decodingFailure == nil, case .failure(let failure) = ownResponse?.transportResult else { return nil }
    return failure.error
  }

  /// Returns whether the properties of `value` may be read. Properties of actors, and of classes other than errors, may
  /// be protected by a lock.
  private static func mayBeInspected(_ value: Any) -> Bool {
    Swift.type(of: value) is AnyClass ? value is any Error && !(value is any Actor) : true
  }

  private var isWhole: Bool { transportFailure != nil || decodingFailure != nil }

  /// Stores `value` if it is a failure or a part of one. Returns `false` for a value that may contain one.
  private func add(_ value: Any) -> Bool {
    switch value {
    case let failure as TransportFailure: transportFailure = failure
    case let failure as DecodingFailure: decodingFailure = failure
    case let context as DecodingFailure.Context: decodingFailure = .decodingError(context)
    case let error as TransportError: ownTransportError = ownTransportError ?? error
    case let error as DecodingError: decodingError = decodingError ?? error
    case let response as HTTP.Response: ownResponse = ownResponse ?? response
    case is HTTP.Body, is String: break
    default: return false
    }
    return true
  }
}

extension Mirror {
  /// The value's stored properties, followed by those of its superclasses.
  fileprivate var allChildren: some Sequence<Child> {
    sequence(first: self, next: \.superclassMirror).lazy.flatMap(\.children)
  }
}
