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
  /// How many more values are looked at: an error may hold a list of any length.
  private var remainingValues = 1_000

  /// The first of each kind in `error`. Behind a whole failure nothing is looked for.
  init(in error: any Error) {
    if !add(error) { search(error, depth: 0) }
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

  /// Looks through what `value` stores. Not deeper than the values of a case within a case: what is further away is nobody's way to
  /// keep it.
  private mutating func search(_ value: Any, depth: Int) {
    guard depth < 4 else { return }
    var mirror: Mirror? = Mirror(reflecting: value)
    while let current = mirror {
      for child in current.children {
        guard remainingValues > 0 else { return }
        remainingValues -= 1
        if !add(child.value) { search(child.value, depth: depth + 1) }
        if isWhole { return }
      }
      mirror = current.superclassMirror
    }
  }

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
