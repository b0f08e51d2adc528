internal import AnvilJSON
public import AnvilModel
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The defaults for requests. A default applies when neither the request, nor its gateway, nor its ``ClientConfiguration`` sets a value.
///
/// The defaults are global to the process and safe to read and set from any thread. They are read when a request or a gateway is created,
/// so setting a default changes no existing request or gateway. They are meant to be set once, at start.
public enum RequestDefaults {
  /// A snapshot of the defaults, shared by all requests that were created with it.
  final class Values: Sendable {
    let cachePolicy: CachePolicy
    let timeout: TimeInterval
    let decoder: any DecodingFormat
    let maxRecoveryAttempts: Int?

    init(cachePolicy: CachePolicy, timeout: TimeInterval, decoder: any DecodingFormat, maxRecoveryAttempts: Int?) {
      self.cachePolicy = cachePolicy
      self.timeout = timeout
      self.decoder = decoder
      self.maxRecoveryAttempts = maxRecoveryAttempts
    }

    fileprivate func with(
      cachePolicy: CachePolicy? = nil, timeout: TimeInterval? = nil, decoder: (any DecodingFormat)? = nil,
      maxRecoveryAttempts: Int?? = nil
    ) -> Values {
      Values(
        cachePolicy: cachePolicy ?? self.cachePolicy, timeout: timeout ?? self.timeout,
        decoder: decoder ?? self.decoder,
        maxRecoveryAttempts: maxRecoveryAttempts ?? self.maxRecoveryAttempts)
    }
  }

  private static let values = Mutex(
    Values(cachePolicy: .useProtocolCachePolicy, timeout: 60, decoder: JSON.Decoder(), maxRecoveryAttempts: 1))

  /// The current defaults.
  @inline(never)
  static var current: Values { values.withLock { $0 } }

  /// The cache policy. It applies to a ``CacheInterceptor`` and to the session's cache. The initial value is the behavior that the protocol
  /// defines.
  public static var defaultCachePolicy: CachePolicy {
    get { current.cachePolicy }
    set { values.withLock { $0 = $0.with(cachePolicy: newValue) } }
  }

  /// The maximum duration of one attempt in seconds. Initially 60.
  public static var defaultTimeout: TimeInterval {
    get { current.timeout }
    set { values.withLock { $0 = $0.with(timeout: newValue) } }
  }

  /// The format of responses. Initially a `JSON.Decoder` with its default strategies.
  public static var defaultDecoder: any DecodingFormat {
    get { current.decoder }
    set { values.withLock { $0 = $0.with(decoder: newValue) } }
  }

  /// The maximum number of times that recovery strategies may repeat a request. Initially 1; `nil` for no limit.
  public static var defaultMaxRecoveryAttempts: Int? {
    get { current.maxRecoveryAttempts }
    set { values.withLock { $0 = $0.with(maxRecoveryAttempts: .some(newValue)) } }
  }
}
