internal import AnvilJSON
public import AnvilModel
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What holds for requests where nothing says otherwise: neither they, nor their gateway, nor its ``ClientConfiguration``.
///
/// Process-wide and safe to read and set from any thread. Read when a request is made: setting a default changes no
/// request that exists. Meant to be set once, at start.
public enum RequestDefaults {
  /// The defaults as they were at one time; shared by all requests that were made by them.
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

  /// The defaults as they are now.
  static var current: Values { values.withLock { $0 } }

  /// How a cache may answer, a ``CacheInterceptor`` or the session's own: as the protocol says.
  public static var defaultCachePolicy: CachePolicy {
    get { current.cachePolicy }
    set { values.withLock { $0 = $0.with(cachePolicy: newValue) } }
  }

  /// The most time in seconds that one attempt may take: 60.
  public static var defaultTimeout: TimeInterval {
    get { current.timeout }
    set { values.withLock { $0 = $0.with(timeout: newValue) } }
  }

  /// The format of responses: a `JSON.Decoder` with its default strategies.
  public static var defaultDecoder: any DecodingFormat {
    get { current.decoder }
    set { values.withLock { $0 = $0.with(decoder: newValue) } }
  }

  /// How many times recovery strategies may have a request sent again: once. `nil` for no limit.
  public static var defaultMaxRecoveryAttempts: Int? {
    get { current.maxRecoveryAttempts }
    set { values.withLock { $0 = $0.with(maxRecoveryAttempts: .some(newValue)) } }
  }
}
