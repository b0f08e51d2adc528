internal import AnvilJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
  /// How a response, or a failure, came about: what was tried before, where redirects led, and what a cache had to do with it.
  ///
  /// Empty for an exchange that went straight through. Copies share their storage until one changes.
  public struct History: Sendable {
    /// One redirect that was followed.
    public struct Redirection: Hashable, Sendable {
      /// Where the request had gone that was redirected.
      public var url: URL
      /// What that request was.
      public var method: HTTP.Method
      /// The status by which it was redirected.
      public var status: HTTP.Status

      /// The redirect of a request with `method` for `url` by `status`.
      public init(url: URL, method: HTTP.Method, status: HTTP.Status) {
        self.url = url
        self.method = method
        self.status = status
      }
    }

    /// One attempt that failed and was followed by another.
    public struct Attempt: Sendable {
      /// How an attempt failed.
      public enum Outcome: Sendable {
        /// By a response with this status.
        case status(HTTP.Status)
        /// Without a response: a `TransportError`.
        case error(any Error)
      }

      /// How it failed.
      public var outcome: Outcome
      /// How long it was waited before the next attempt.
      public var delay: Duration

      /// An attempt that ended in `outcome` and was followed by another after `delay`.
      public init(outcome: Outcome, delay: Duration) {
        self.outcome = outcome
        self.delay = delay
      }
    }

    /// What a cache had to do with a response. Source: RFC 9211 §2.
    @nonexhaustive
    public enum CacheOutcome: String, Hashable, Sendable {
      /// It came from the cache, fresh.
      case hit
      /// It came from the cache, after the server had confirmed it.
      case revalidated
      /// It came from the server.
      case miss
      /// It came from the cache though it was no longer fresh, as the response or the request allowed.
      case stale
    }

    /// The redirects that were followed, in order.
    public var redirections: [Redirection] {
      get { storage?.contents.redirections ?? [] }
      set { change { $0.redirections = newValue } }
    }

    /// The attempts that failed before the last one, in order.
    public var attempts: [Attempt] {
      get { storage?.contents.attempts ?? [] }
      set { change { $0.attempts = newValue } }
    }

    /// What a cache had to do with the response; `nil` where none was asked.
    public var cacheOutcome: CacheOutcome? {
      get { storage?.contents.cacheOutcome }
      set { change { $0.cacheOutcome = newValue } }
    }

    /// Why no more was tried where more could have been; safe to log.
    package var reasonForEnd: String? {
      get { storage?.contents.reasonForEnd }
      set { change { $0.reasonForEnd = newValue } }
    }

    // Nil for nearly all exchanges, which so pay a word and no allocation.
    private var storage: Storage?

    /// The history of an exchange that went straight through.
    public init() {}

    /// Whether nothing happened but one exchange.
    public var isEmpty: Bool { storage.map { $0.contents.isEmpty } ?? true }

    private mutating func change(_ change: (inout Contents) -> Void) {
      var contents = storage?.contents ?? Contents()
      change(&contents)
      storage = Storage(contents)
    }
  }
}

extension HTTP.History {
  private struct Contents: Sendable {
    var redirections: [Redirection] = []
    var attempts: [Attempt] = []
    var cacheOutcome: CacheOutcome?
    var reasonForEnd: String?

    var isEmpty: Bool { redirections.isEmpty && attempts.isEmpty && cacheOutcome == nil }
  }

  private final class Storage: Sendable {
    let contents: Contents

    init(_ contents: Contents) {
      self.contents = contents
    }
  }
}

extension HTTP.History: CustomStringConvertible {
  /// The history in a few words, safe to log: `2 redirects, attempt 3, stale`; empty for an empty one.
  public var description: String {
    var parts: [String] = []
    if !redirections.isEmpty {
      parts.append(redirections.count == 1 ? "1 redirect" : "\(redirections.count) redirects")
    }
    if !attempts.isEmpty { parts.append("attempt \(attempts.count + 1)") }
    if let cacheOutcome { parts.append("cache: \(cacheOutcome.rawValue)") }
    return parts.joined(separator: ", ")
  }
}

extension HTTP.History: CustomReflectable {
  /// A mirror of what was tried and followed.
  public var customMirror: Mirror {
    Mirror(self, children: ["redirections": redirections, "attempts": attempts, "cacheOutcome": cacheOutcome as Any])
  }
}

extension HTTP.History.Attempt: CustomStringConvertible {
  /// How the attempt failed and what was waited: `503 Service Unavailable, then 0.3 s`.
  public var description: String { "\(outcome), then \(delay.secondsDescription)" }
}

extension HTTP.History.Attempt.Outcome: CustomStringConvertible, CustomReflectable {
  /// A mirror without children, so that `dump` shows no more than the description.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// The status, or the error.
  public var description: String {
    switch self {
    case .status(let status): "\(status)"
    case .error(let error): "\(error)".printable
    }
  }
}

extension HTTP.History.Redirection: CustomStringConvertible, CustomReflectable {
  /// A mirror without children, so that `dump` shows no more than the description.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// Method, redacted URL and status: `GET https://example.com/a → 301 Moved Permanently`.
  public var description: String { "\(method) \(url.redactedDescription) → \(status)".printable }
}
