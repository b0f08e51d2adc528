internal import AnvilClient
internal import AnvilHTTP
internal import AnvilServer

extension Cassette.Failure {
  init(_ error: TransportError) {
    self.init(code: error.code.kind.rawValue, phase: error.phase?.rawValue, reason: error.reason)
  }

  var error: TransportError {
    TransportError(
      code: TransportError.Code.Kind(rawValue: code)?.code ?? .other,
      phase: phase.flatMap(TransportError.Phase.init(rawValue:)), reason: reason)
  }
}
