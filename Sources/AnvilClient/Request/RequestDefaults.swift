internal import AnvilJSON
public import AnvilModel
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What requests are made with where their initialiser is not told otherwise.
///
/// Process-wide and safe to read and set from any thread. Read when a request is made: setting a default changes no
/// request that exists. Meant to be set once, at start.
public enum RequestDefaults {
  private struct Values {
    var cachePolicy = CachePolicy.useProtocolCachePolicy
    var timeout: TimeInterval = 60
    var decoder: any DecodingFormat = JSON.Decoder()
    var maxRecoveryAttempts: Int? = 1
  }

  private static let values = Mutex(Values())

  /// How a cache may answer, a ``CacheInterceptor`` or the session's own: as the protocol says.
  public static var defaultCachePolicy: CachePolicy {
    get { values.withLock(\.cachePolicy) }
    set { values.withLock { $0.cachePolicy = newValue } }
  }

  /// The most time in seconds that one attempt may take: 60.
  public static var defaultTimeout: TimeInterval {
    get { values.withLock(\.timeout) }
    set { values.withLock { $0.timeout = newValue } }
  }

  /// The format of responses: a `JSON.Decoder` with its default strategies.
  public static var defaultDecoder: any DecodingFormat {
    get { values.withLock(\.decoder) }
    set { values.withLock { $0.decoder = newValue } }
  }

  /// How many times recovery strategies may have a request sent again: once. `nil` for no limit.
  public static var defaultMaxRecoveryAttempts: Int? {
    get { values.withLock(\.maxRecoveryAttempts) }
    set { values.withLock { $0.maxRecoveryAttempts = newValue } }
  }
}
