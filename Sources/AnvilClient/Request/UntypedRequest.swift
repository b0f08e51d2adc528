internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The properties of a ``Request`` that do not depend on its response and failure types.
///
/// One value, so that a transformation of the types copies all of them and cannot lose one.
struct UntypedRequest: Sendable {
  var method: HTTP.Method
  var url: URL
  var headers: HTTP.Headers
  var body: HTTP.Body
  var cachePolicy: CachePolicy
  var timeout: TimeInterval
  var responseDelivery = ResponseDelivery.collected
  var progressHandler: TransferProgress.Handler?
  var eventHandler: TransferEvent.Handler?
  var policy = RequestPolicy()
  var maxRecoveryAttempts = RequestDefaults.defaultMaxRecoveryAttempts
  var recoveryAttemptCount = 0
  /// `nil` until it is set: then every failure stays one.
  var recoveryTransformer: (@Sendable (TransportFailure) -> TransportSuccess?)?
}
