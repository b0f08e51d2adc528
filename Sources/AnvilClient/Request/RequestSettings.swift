internal import AnvilHTTP
internal import AnvilModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a request, a gateway and a configuration can each say, or leave to the next of them.
struct RequestSettings: Sendable {
  var cachePolicy: CachePolicy?
  /// Seconds.
  var timeout: TimeInterval?
  /// `.some(nil)` for no limit.
  var maxRecoveryAttempts: Int??
  var encodingFormat: (any EncodingFormat)?
  var decodingFormat: (any DecodingFormat)?
  var progressHandler: TransferProgress.Handler?
  var eventHandler: TransferEvent.Handler?
  var policy = RequestPolicy()

  /// What says nothing.
  static let unset = Boxed(wrappedValue: RequestSettings())

  /// The settings with what is not set in them taken from `base`.
  func inheriting(from base: RequestSettings) -> RequestSettings {
    var settings = self
    settings.cachePolicy = cachePolicy ?? base.cachePolicy
    settings.timeout = timeout ?? base.timeout
    settings.maxRecoveryAttempts = maxRecoveryAttempts ?? base.maxRecoveryAttempts
    settings.encodingFormat = encodingFormat ?? base.encodingFormat
    settings.decodingFormat = decodingFormat ?? base.decodingFormat
    settings.progressHandler = progressHandler ?? base.progressHandler
    settings.eventHandler = eventHandler ?? base.eventHandler
    settings.policy = policy.inheriting(from: base.policy)
    return settings
  }
}

extension Boxed<RequestSettings> {
  /// The settings with what is not set in them taken from `base`.
  func inheriting(from base: Boxed) -> Boxed {
    if isSame(as: RequestSettings.unset) || isSame(as: base) { return base }
    return Boxed(wrappedValue: wrappedValue.inheriting(from: base.wrappedValue))
  }
}
