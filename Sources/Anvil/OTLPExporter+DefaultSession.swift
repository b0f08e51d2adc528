#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension OTLPExporter.Destination {
  /// A collector that receives OTLP over HTTP. Messages are sent through the platform's default session.
  ///
  /// - Parameters:
  ///   - url: The base URL, often `http://localhost:4318`. Messages are sent to `v1/traces` and `v1/metrics` below it.
  ///   - headers: Fields of each message, such as an API key.
  public static func collector(_ url: URL, headers: HTTP.Headers = [:]) -> OTLPExporter.Destination {
    .collector(url, session: DefaultSession.shared, headers: headers)
  }
}
