internal import AnvilHTTP

/// The failure, or the parts of a failure, that an error of a caller's type stores. They may be associated values of a case or stored
/// properties, including those of a superclass and those of another error that the error contains.
final class UnderlyingFailure {
  private(set) var transportFailure: TransportFailure?
  private(set) var decodingFailure: DecodingFailure?
  /// The reason why a value could not be decoded, if there is no ``decodingFailure``.
  private(set) var decodingError: DecodingError?
  private var ownTransportError: TransportError?
  private var ownResponse: HTTP.Response?

  /// Searches `error` for the outermost failure and for the outermost part of each kind. The search stops at a complete failure.
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

  /// The response of the failure. If there is no failure, the response that the error stores separately.
  var response: HTTP.Response? { transportFailure?.response ?? decodingFailure?.response ?? ownResponse }

  /// The transport error of the failure. If there is no failure, the transport error that is stored separately, or the error for the status
  /// of a stored response.
  var transportError: TransportError? {
    if let error = transportFailure?.error ?? ownTransportError { return error }
    guard decodingFailure == nil, let ownResponse else { return nil }
    do throws(TransportFailure) {
      _ = try ownResponse.transportSuccess()
      return nil
    } catch {
      return error.error
    }
  }

  /// Returns whether the properties of `value` may be read. Properties of actors, and of classes other than errors, may
  /// be protected by a lock.
  private static func mayBeInspected(_ value: Any) -> Bool {
    Swift.type(of: value) is AnyClass ? value is any Error && !(value is any Actor) : true
  }

  private var isWhole: Bool { transportFailure != nil || decodingFailure != nil }

  /// Stores `value` if it is a failure or a part of one. Returns `false` for any other value, which may contain a failure and has to be
  /// searched.
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
