/// The domains under which anyone can register a name, such as `com` and `co.uk`. A cookie for one of them would be sent to unrelated
/// servers.
///
/// The list is maintained at publicsuffix.org and changes every week. It should come from the system, which updates it.
public struct PublicSuffixes: Sendable {
  private let isSuffix: @Sendable (String) -> Bool

  /// Creates a list from a function that receives a domain in lower-case ASCII. The function is called on any thread.
  public init(isSuffix: @escaping @Sendable (_ domain: String) -> Bool) {
    self.isSuffix = isSuffix
  }

  /// A list of all domains without a dot, as a fallback when no other list is available. It does not contain `co.uk`.
  public static let singleLabels = PublicSuffixes { !$0.contains(".") }

  /// Returns whether `domain` is a public suffix.
  package func contains(_ domain: String) -> Bool { isSuffix(domain) }
}
