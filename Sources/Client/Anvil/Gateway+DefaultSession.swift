#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Gateway {
  /// Creates a gateway to `baseURL` over the platform's default session, with the behavior that `configuration` describes.
  public init(baseURL: URL, configuration: ClientConfiguration = .standard) {
    self.init(baseURL: baseURL, session: DefaultSession.shared, configuration: configuration)
  }

  /// Creates a gateway to a URL that is a literal in the program, over the platform's default session. A literal that is not a URL with
  /// a host stops the program.
  public init(_ baseURL: StaticString, configuration: ClientConfiguration = .standard) {
    self.init(baseURL, session: DefaultSession.shared, configuration: configuration)
  }
}
