internal import AnvilHTTP
internal import AnvilModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The settings that a request, a gateway and a configuration share. A value that is not set is inherited.
struct RequestSettings: Sendable {
  var cachePolicy: CachePolicy?
  /// The time limit in seconds.
  var timeout: TimeInterval?
  /// The maximum number of repeated attempts; `.some(nil)` for no limit, `nil` if the value is inherited.
  var maxRecoveryAttempts: Int??
  var encodingFormat: (any EncodingFormat)?
  var decodingFormat: (any DecodingFormat)?
  var progressHandler: TransferProgress.Handler?
  var eventHandler: TransferEvent.Handler?
  var policy = RequestPolicy()

  /// Settings in which nothing is set.
  static let unset = Boxed(wrappedValue: RequestSettings())

  /// Returns the settings, with unset values taken from `base`.
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
  /// Returns the settings, with unset values taken from `base`.
  func inheriting(from base: Boxed) -> Boxed {
    if isSame(as: RequestSettings.unset) || isSame(as: base) { return base }
    return Boxed(wrappedValue: wrappedValue.inheriting(from: base.wrappedValue))
  }
}
