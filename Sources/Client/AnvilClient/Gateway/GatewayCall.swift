internal import AnvilBase
internal import AnvilBodies
internal import AnvilHTTP

/// The parts of a gateway's request that do not depend on the type of its errors, and the call that it makes.
struct GatewayCall: Sendable {
  let gateway: Boxed<GatewayParts>
  var target: GatewayTarget
  var method: HTTP.Method
  var query: HTTP.Query
  @Boxed var settings: RequestSettings
  /// The body. It is encoded in the format of the settings, unless the body itself specifies a format.
  var body: HTTP.Body
  var recoveries: [UntypedRequest.Recovery] = []

  init(gateway: Boxed<GatewayParts>, target: GatewayTarget, method: HTTP.Method, query: HTTP.Query, body: HTTP.Body) {
    self.gateway = gateway
    self.target = target
    self.method = method
    self.query = query
    self.body = body
    _settings = RequestSettings.unset
  }

  /// The settings of the request, completed by those of the gateway and of the configuration.
  var inheritedSettings: Boxed<RequestSettings> {
    _settings.inheriting(from: gateway.wrappedValue.inheritedSettings)
  }

  /// Returns the request in the form that the backend executes.
  func untyped(_ delivery: ResponseDelivery) throws(TransportFailure) -> UntypedRequest {
    let base = gateway.wrappedValue.base
    let uri: HTTP.TargetURI
    do throws(GatewayTarget.Invalid) {
      uri = try target.uri(under: base, query: query)
    } catch {
      let request = UntypedRequest(method: method, url: base.url, body: body, settings: inheritedSettings)
      throw request.httpRequest.invalid(error)
    }
    // A gateway sends its requests to its own server only.
    return UntypedRequest(
      method: method, target: uri, at: base.origin, body: body, settings: inheritedSettings,
      responseDelivery: delivery,
      recoveries: recoveries.isEmpty ? gateway.wrappedValue.recoveries : recoveries + gateway.wrappedValue.recoveries)
  }
}

/// Sending the request.
extension GatewayCall {
  @concurrent
  func exchange(_ delivery: ResponseDelivery) async throws(TransportFailure) -> TransportSuccess {
    try await gateway.wrappedValue.backend.perform(
      untyped(delivery), makeResponse: { success, _ throws(TransportFailure) in success }, makeFailure: { $0 })
  }

  /// Sends the request and returns the model in the response or, with a container, in the object that wraps it.
  @concurrent
  func model<Model: Decodable & Sendable, Failure: DecodingFailureRepresentable>(
    as type: Model.Type, container: (any (DecodableContainer<Model> & SendableMetatype).Type)?, failing: Failure.Type
  ) async throws(Failure) -> Model {
    do throws(CallFailure) {
      let request: UntypedRequest
      do throws(TransportFailure) { request = try untyped(.collected) } catch { throw .transport(error) }
      return try await gateway.wrappedValue.backend.perform(
        request,
        makeResponse: { success, format throws(CallFailure) in
          try success.decoded(as: type, outOf: container, by: format)
        },
        makeFailure: { .transport($0) })
    } catch {
      throw error.failure { Failure(decodingFailure: $0) }
    }
  }
}
