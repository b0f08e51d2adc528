internal import AnvilHTTP

/// The failure, or the parts of one, that an error of a caller's own type holds: as a value of a case or a stored property, of a
/// superclass, too, by itself or in another error.
struct HeldFailure {
  private(set) var transportFailure: TransportFailure?
  private(set) var decodingFailure: DecodingFailure?
  /// Why a value could not be decoded, where there is no ``decodingFailure``.
  private(set) var decodingError: DecodingError?
  private var ownTransportError: TransportError?
  private var ownResponse: HTTP.Response?

  /// The first of each kind in `error`, the outermost first. Behind a whole failure nothing is looked for.
  ///
  /// Not deeper than the values of a case within a case: what is further away is nobody's way to keep it. An error may hold lists of
  /// any length, so that 1,000 values are looked at.
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
          if !add(child.value) { next.append(child.value) }
          if isWhole { return }
        }
      }
      level = next
    }
  }

  /// The response of the failure, or the one that is held by itself.
  var response: HTTP.Response? { transportFailure?.response ?? decodingFailure?.response ?? ownResponse }

  /// The error of the failure, or the one that is held by itself; of a response alone, what its status is as an error.
  var transportError: TransportError? {
    if let error = transportFailure?.error ?? ownTransportError { return error }
    guard decodingFailure == nil, case .failure(let failure) = ownResponse?.transportResult else { return nil }
    return failure.error
  }

  private var isWhole: Bool { transportFailure != nil || decodingFailure != nil }

  /// Keeps `value` where it is a failure or a part of one; false for a value that may hold one.
  private mutating func add(_ value: Any) -> Bool {
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
  /// What the value stores, then what its superclasses store.
  fileprivate var allChildren: some Sequence<Child> {
    sequence(first: self, next: \.superclassMirror).lazy.flatMap(\.children)
  }
}
