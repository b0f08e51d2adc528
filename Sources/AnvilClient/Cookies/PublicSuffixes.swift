/// The domains under which anyone can have a name, such as `com` and `co.uk`: a cookie for one of them would go to
/// strangers.
///
/// The list is maintained at publicsuffix.org and changes every week; it belongs to the system, which updates it.
public struct PublicSuffixes: Sendable {
  private let isSuffix: @Sendable (String) -> Bool

  /// What `isSuffix` says of a domain in lower case, in ASCII. It is called from any thread.
  public init(isSuffix: @escaping @Sendable (_ domain: String) -> Bool) {
    self.isSuffix = isSuffix
  }

  /// Every domain without a dot, and no other: what can be said without a list. `co.uk` passes.
  public static let singleLabels = PublicSuffixes { !$0.contains(".") }

  /// Whether `domain` is one of them.
  public func contains(_ domain: String) -> Bool { isSuffix(domain) }
}
