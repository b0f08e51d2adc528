#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Gateway {
  /// Creates a gateway to `baseURL` over the platform's default session, with the behavior that `configuration` describes.
  ///
  /// - Parameters:
  ///   - baseURL: the URL that paths are appended to.
  ///   - headers: the fields that are added to every request.
  ///   - encodingFormat: the format of request bodies. With `nil`, the configuration's format is used, or Anvil's JSON if the configuration
  ///     sets none.
  ///   - decodingFormat: the format of responses. With `nil`, the configuration's format is used, or that of ``RequestDefaults`` if the
  ///     configuration sets none.
  ///   - configuration: the behavior of the gateway beyond sending a request once.
  public init(
    baseURL: URL, headers: HTTP.Headers = [:], encodingFormat: (any EncodingFormat)? = nil,
    decodingFormat: (any DecodingFormat)? = nil, configuration: ClientConfiguration = .standard
  ) {
    self.init(
      baseURL: baseURL, headers: headers, encodingFormat: encodingFormat, decodingFormat: decodingFormat,
      session: DefaultSession.shared, configuration: configuration)
  }

  /// Creates a gateway to a URL that is a literal in the program, over the platform's default session. A literal that is not a URL with
  /// a host stops the program.
  public init(_ baseURL: StaticString, configuration: ClientConfiguration = .standard) {
    self.init(baseURL, session: DefaultSession.shared, configuration: configuration)
  }
}
