public import AnvilBase

extension HTTP {
  /// The record of the attempts, redirects and cache lookups that led to a response or a failure.
  ///
  /// Empty if the exchange had no retries and no redirects and used no cache. Copies share their storage until one changes.
  public struct History: Sendable {
    /// A redirect that was followed.
    public struct Redirection: Hashable, Sendable {
      /// The URL of the redirected request.
      public var url: URL
      /// The method of the redirected request.
      public var method: HTTP.Method
      /// The status of the response that redirected the request.
      public var status: HTTP.Status

      package init(url: URL, method: HTTP.Method, status: HTTP.Status) {
        self.url = url
        self.method = method
        self.status = status
      }
    }

    /// A failed attempt that was followed by another.
    public struct Attempt: Sendable {
      /// The failure of an attempt.
      public enum Outcome: Sendable {
        /// A response with this status.
        case status(HTTP.Status)
        /// An error, a `TransportError`, instead of a response.
        case error(any Error)
      }

      /// The failure of this attempt.
      public var outcome: Outcome
      /// The delay before the next attempt.
      public var delay: Duration

      package init(outcome: Outcome, delay: Duration) {
        self.outcome = outcome
        self.delay = delay
      }
    }

    /// The role of a cache in a response. Source: RFC 9211 §2.
    @nonexhaustive
    public enum CacheOutcome: String, Hashable, Sendable {
      /// The response came from the cache and was fresh.
      case hit
      /// The response came from the cache after the server had confirmed that it was still valid.
      case revalidated
      /// The response came from the server.
      case miss
      /// The response came from the cache and was stale; the response or the request allowed that.
      case stale
    }

    /// The redirects that were followed, in order.
    public var redirections: [Redirection] {
      get { contents?.wrappedValue.redirections ?? [] }
      set { change { $0.redirections = newValue } }
    }

    /// The attempts that failed before the last one, in order.
    public var attempts: [Attempt] {
      get { contents?.wrappedValue.attempts ?? [] }
      set { change { $0.attempts = newValue } }
    }

    /// The role of a cache in the response; `nil` if no cache was consulted.
    public var cacheOutcome: CacheOutcome? {
      get { contents?.wrappedValue.cacheOutcome }
      set { change { $0.cacheOutcome = newValue } }
    }

    /// The phrase that says why no further retry or redirect was attempted although one was possible, such as `not sent again: …`; safe to log.
    package var reasonForEnd: String? {
      get { contents?.wrappedValue.reasonForEnd }
      set { change { $0.reasonForEnd = newValue } }
    }

    // Nil for nearly all exchanges: they pay for one word and no allocation.
    private var contents: Shared<Contents>?

    package init() {}

    /// A Boolean value that indicates whether the history has no redirects, no failed attempts and no cache outcome.
    package var isEmpty: Bool { contents?.wrappedValue.isEmpty ?? true }

    private mutating func change(_ change: (inout Contents) -> Void) {
      var contents = self.contents ?? Shared(wrappedValue: Contents())
      self.contents = nil
      change(&contents.wrappedValue)
      self.contents = contents
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
}

extension HTTP.History: CustomStringConvertible, CustomReflectable {
  /// A short summary, safe to log: `2 redirects, attempt 3, cache: stale`. Empty for an empty history.
  public var description: String {
    var parts: [String] = []
    if !redirections.isEmpty {
      parts.append(redirections.count == 1 ? "1 redirect" : "\(redirections.count) redirects")
    }
    if !attempts.isEmpty { parts.append("attempt \(attempts.count + 1)") }
    if let cacheOutcome { parts.append("cache: \(cacheOutcome.rawValue)") }
    return parts.joined(separator: ", ")
  }

  /// A mirror of the redirects, the failed attempts and the cache outcome.
  public var customMirror: Mirror {
    Mirror(self, children: ["redirections": redirections, "attempts": attempts, "cacheOutcome": cacheOutcome as Any])
  }
}

extension HTTP.History.Attempt: CustomStringConvertible {
  /// The failure and the delay after it: `503 Service Unavailable, then 0.300 s`.
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
