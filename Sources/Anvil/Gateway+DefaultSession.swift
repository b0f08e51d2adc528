#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Gateway {
  /// A gateway to what is under `baseURL`, over the platform's default session, that behaves as `configuration` says.
  ///
  /// - Parameters:
  ///   - baseURL: where paths begin.
  ///   - headers: the fields of every request.
  ///   - encodingFormat: the format of bodies. `nil` for the configuration's, and at last Anvil's JSON.
  ///   - decodingFormat: the format of responses. `nil` for the configuration's, and at last that of ``RequestDefaults``.
  ///   - configuration: what the client does beyond sending a request once.
  public init(
    baseURL: URL, headers: HTTP.Headers = [:], encodingFormat: (any EncodingFormat)? = nil,
    decodingFormat: (any DecodingFormat)? = nil, configuration: ClientConfiguration = .standard
  ) {
    self.init(
      baseURL: baseURL, headers: headers, encodingFormat: encodingFormat, decodingFormat: decodingFormat,
      session: DefaultSession.shared, configuration: configuration)
  }

  /// A gateway to what is under a URL that the program has in its text, over the platform's default session. A text that is no URL
  /// ends the program.
  public init(_ baseURL: StaticString, configuration: ClientConfiguration = .standard) {
    self.init(baseURL, session: DefaultSession.shared, configuration: configuration)
  }
}
