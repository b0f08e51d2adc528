internal import AnvilBase
internal import AnvilHTTP

/// The caching decisions about a request, which need neither storage nor network.
struct CacheRequest {
  enum Action: Equatable {
    /// Answer from the cache. If `refreshes` is true, validate the entry in the background.
    case answer(CacheEntry, HTTP.History.CacheOutcome, refreshes: Bool)
    /// Send the request to the server, and validate the entry if there is one.
    case fetch(CacheEntry?)
    /// Fail, because the response may come only from the cache, which has no usable response. Source: RFC 9111 §5.2.1.7.
    case unavailable
  }

  private let directives: CacheControl
  private let policy: CachePolicy
  private let headers: HTTP.Headers
  private let sensitive: Set<HTTP.HeaderKey>

  init(_ request: HTTP.Request, _ options: TransportOptions) {
    headers = request.headers
    directives = CacheControl(request.headers)
    policy = options.cachePolicy ?? .standard
    sensitive = options.sensitiveHeaders.union(CacheVariant.credentialFields(of: request.headers))
  }

  /// Returns whether the request bypasses the cache. This is the case if its method is neither GET nor HEAD, if it has a body (which is not
  /// part of the key), if it has a condition that only the origin can check, or if it forbids storing.
  static func isBypassed(_ request: HTTP.Request) -> Bool {
    guard request.method == .get || request.method == .head, request.body.isEmpty else { return true }
    return request.headers.contains(.ifMatch) || request.headers.contains(.ifUnmodifiedSince)
      || CacheControl(request.headers).contains("no-store")
  }

  /// Returns whether the request has a condition or asks for a range.
  ///
  /// The cache may answer such a request from an entry that needs no validation. Otherwise it sends the request unchanged, and does not
  /// store the response.
  static func isConditional(_ request: HTTP.Request) -> Bool {
    let own: [HTTP.HeaderKey] = [.ifNoneMatch, .ifModifiedSince, .ifRange, .range]
    return own.contains { request.headers.contains($0) }
  }

  /// A Boolean value that indicates whether the caller requires a new response of the server, and not one that another
  /// request just received.
  var isReload: Bool {
    switch policy {
    case .reload, .reloadEndToEnd, .noCache: true
    default: directives.contains("no-cache") || hasPragma || directives.seconds("max-age") != .absent
    }
  }

  /// Returns the entry for the URL that the request selects, the latest if there are several. Rule K1.
  func select(from entries: [CacheEntry]) -> CacheEntry? {
    matches(in: entries).max { $0.responseTime < $1.responseTime }
  }

  private func matches(in entries: [CacheEntry]) -> [CacheEntry] {
    // Most entries for a URL vary by the same fields, and need one digest together.
    var variants: [[String]: String] = [:]
    return entries.filter { entry in
      if let known = variants[entry.varyingFields] { return known == entry.variant }
      let variant = variant(of: entry.varyingFields)
      variants[entry.varyingFields] = variant
      return variant == entry.variant
    }
  }

  /// The maximum number of entries for a URL. Each request compares all of them.
  private static let variantLimit = 100

  /// Returns the entries that a new response replaces, besides the one of the same variant: those that this request would select although
  /// they vary by other fields, and the oldest ones if there are too many.
  ///
  /// - Parameter entries: The entries for the URL.
  func superseded(in entries: [CacheEntry], by new: CacheEntry) -> [CacheEntry] {
    let others = entries.filter { $0.variant != new.variant }
    let superseded = matches(in: others)
    let excess = others.count - superseded.count - (Self.variantLimit - 1)
    guard excess > 0 else { return superseded }
    let removed = Set(superseded.map(\.id))
    let kept = others.filter { !removed.contains($0.id) }
    // A storage without this limit may have many more, which several responses remove.
    let count = min(excess, Self.variantLimit)
    return superseded + kept.sorted(on: \.responseTime).prefix(count)
  }

  /// Returns the variant of the request for responses that vary by the fields `names`.
  func variant(of names: [String]) -> String {
    CacheVariant.text(of: headers, names: names, sensitive: sensitive)
  }

  /// `entry` is the stored entry that the request selects; `nil` if no entry matches.
  @inline(never)
  func action(for entry: CacheEntry?, at now: Date) -> Action {
    let isConfined = directives.contains("only-if-cached") || policy == .onlyIfCached
    guard let entry, !ignoresEntries else { return isConfined ? .unavailable : .fetch(nil) }
    if let outcome = outcome(of: entry, at: now) { return .answer(entry, outcome, refreshes: false) }
    if mayRefreshLater(entry, at: now) { return .answer(entry, .stale, refreshes: !isConfined) }
    return isConfined ? .unavailable : .fetch(entry)
  }

  /// Returns whether a stale entry may be used after an error of the server or the network. Rule K8; RFC 5861 §4.
  func mayReplaceError(_ entry: CacheEntry, at now: Date) -> Bool {
    guard !wantsConfirmation, !entry.isNeverStale, directives.seconds("max-age") == .absent else { return false }
    let allowed = [entry.cacheControl, directives].compactMap { $0.seconds("stale-if-error").value }
    return allowed.contains { entry.staleness(at: now) <= $0 }
  }

  private var ignoresEntries: Bool {
    policy == .reload || policy == .reloadEndToEnd
  }

  private var wantsConfirmation: Bool {
    directives.contains("no-cache") || hasPragma || policy == .noCache
  }

  /// A Boolean value that indicates whether `Pragma: no-cache` applies. It is used only without a `Cache-Control`.
  /// Source: RFC 9111 §5.4.
  private var hasPragma: Bool {
    directives.isEmpty && !headers.contains(.cacheControl)
      && headers.values(for: .pragma).contains { value in
        FieldScanner.directives(in: value.rawValue).contains { $0.name == "no-cache" }
      }
  }

  /// Returns the cache outcome to report if the entry may be used without validation; `nil` if it must be validated. Rules K3, K5, K6.
  func outcome(of entry: CacheEntry, at now: Date) -> HTTP.History.CacheOutcome? {
    guard !wantsConfirmation, !entry.cacheControl.contains("no-cache") else { return nil }
    let isFresh = entry.isFresh(at: now)
    let outcome = isFresh ? HTTP.History.CacheOutcome.hit : .stale
    if policy == .maxStale || policy == .onlyIfCached {
      return isFresh || !entry.isNeverStale ? outcome : nil
    }
    let age = entry.age(at: now)
    var lifetime = entry.lifetime
    switch directives.seconds("max-age") {
    case .absent: break
    case .invalid: lifetime = 0
    case .value(let seconds): lifetime = min(lifetime, seconds)
    }
    if lifetime > age {
      switch directives.seconds("min-fresh") {
      case .absent: return outcome
      case .invalid: return nil
      case .value(let seconds): return lifetime - age >= seconds ? outcome : nil
      }
    }
    guard isFresh || !entry.isNeverStale else { return nil }
    if directives.containsBare("max-stale") { return outcome }
    return directives.seconds("max-stale").value.map { age - lifetime <= $0 } == true ? outcome : nil
  }

  /// Returns whether the stale entry may be used while it is validated in the background. Rule K8; RFC 5861 §3.
  private func mayRefreshLater(_ entry: CacheEntry, at now: Date) -> Bool {
    let directives = entry.cacheControl
    guard policy == .standard, !wantsConfirmation, !directives.contains("no-cache"),
      !entry.isNeverStale, self.directives.seconds("max-age") == .absent,
      self.directives.seconds("min-fresh") == .absent, let allowed = directives.seconds("stale-while-revalidate").value
    else { return false }
    return entry.staleness(at: now) <= allowed
  }
}

extension CacheEntry {
  /// A Boolean value that indicates whether the response must not be reused without validation once it is stale, even if
  /// a directive of the request allows it. Source: RFC 9111 §5.2.2.2 and §5.2.2.4.
  fileprivate var isNeverStale: Bool {
    cacheControl.contains("must-revalidate") || cacheControl.contains("no-cache")
  }
}

/// The directives of a message's `Cache-Control`, from all its lines.
///
/// Names are case-insensitive, arguments may be quoted, and unknown directives have no effect. Source: RFC 9111 §5.2.
struct CacheControl: Hashable, Sendable {
  /// The value of a directive whose argument is a number of seconds.
  enum Seconds: Hashable {
    case absent
    /// The directive has no argument, an argument that is not a number, or several contradictory arguments.
    case invalid
    case value(Double)

    var value: Double? {
      if case .value(let seconds) = self { seconds } else { nil }
    }
  }

  /// The maximum value; larger numbers are reduced to it. Source: RFC 9111 §1.2.2.
  static let longest = 2_147_483_648.0

  private let directives: [FieldScanner.Directive]

  init(_ headers: HTTP.Headers) {
    directives = headers.values(for: .cacheControl).flatMap { value in
      FieldScanner.directives(in: value.rawValue).map { directive in
        // The syntax has no blanks around the equals sign. The directive is present, but its argument is invalid. RFC 9111 §4.2.1
        // encourages caches to treat responses with invalid freshness information as stale.
        guard directive.argument != nil, directive.hasBlanks else { return directive }
        var invalid = directive
        invalid.argument = ""
        return invalid
      }
    }
  }

  var isEmpty: Bool { directives.isEmpty }

  /// Returns whether the directive is present, with or without an argument.
  func contains(_ name: String) -> Bool {
    directives.contains { $0.name == name }
  }

  /// Returns whether the directive is present without an argument.
  func containsBare(_ name: String) -> Bool {
    directives.contains { $0.name == name && $0.argument == nil }
  }

  /// Repetitions of the same number are allowed.
  func seconds(_ name: String) -> Seconds {
    let arguments = directives.filter { $0.name == name }.map(\.argument)
    guard let first = arguments.first else { return .absent }
    guard let seconds = first.flatMap(Self.seconds(in:)),
      arguments.allSatisfy({ $0.flatMap(Self.seconds(in:)) == seconds })
    else { return .invalid }
    return .value(seconds)
  }

  /// Returns the number in `text`, if it consists only of digits.
  static func seconds(in text: some StringProtocol) -> Double? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0.isDigit }) else { return nil }
    return Int(text).map { min(Double($0), longest) } ?? longest
  }
}
