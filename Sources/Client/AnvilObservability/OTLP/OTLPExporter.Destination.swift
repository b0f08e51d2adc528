internal import Anvil
internal import AnvilBase
public import AnvilClient
public import AnvilHTTP
internal import AnvilJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension OTLPExporter {
  /// The file or the collector that receives the messages.
  public struct Destination: Sendable {
    private enum Kind {
      case file(URL)
      case collector(URL, TransportService, HTTP.Headers)
    }

    private let kind: Kind

    /// A file with one JSON object on each line. Lines are appended. If the file does not exist, it is created and only its owner can read
    /// it.
    ///
    /// Source: OpenTelemetry Protocol File Exporter.
    public static func file(_ url: URL) -> Destination {
      Destination(kind: .file(url))
    }

    /// A collector that receives OTLP over HTTP.
    ///
    /// - Parameters:
    ///   - url: The base URL, often `http://localhost:4318`. Messages are sent to `v1/traces` and `v1/metrics` below it.
    ///   - session: Sends the messages.
    ///   - headers: Fields of each message, such as an API key.
    public static func collector(_ url: URL, session: any TransportSession, headers: HTTP.Headers = [:]) -> Destination
    {
      Destination(kind: .collector(url, TransportService(session: session), headers))
    }

    /// A collector that receives OTLP over HTTP. Messages are sent through the platform's default session.
    ///
    /// - Parameters:
    ///   - url: The base URL, often `http://localhost:4318`. Messages are sent to `v1/traces` and `v1/metrics` below it.
    ///   - headers: Fields of each message, such as an API key.
    public static func collector(_ url: URL, headers: HTTP.Headers = [:]) -> Destination {
      .collector(url, session: DefaultSession.shared, headers: headers)
    }
  }
}

/// The type of the data in a message.
enum OTLPSignal: String {
  case traces, metrics
}

/// The result of sending a message.
enum OTLPDelivery {
  /// The message was accepted, except for `rejectedCount` of its items.
  case accepted(rejectedCount: Int)
  /// The message was rejected, and sending it again would not help.
  case rejected(any Error)
  /// The message could not be delivered now.
  case unavailable(any Error)
}

extension OTLPExporter.Destination {
  /// The time limit of one message. Source: OpenTelemetry Protocol Exporter, `OTEL_EXPORTER_OTLP_TIMEOUT`.
  private static let timeout = Duration.seconds(10)

  func send(_ message: JSON, _ signal: OTLPSignal) async -> OTLPDelivery {
    switch kind {
    case .file(let url): await Self.append(message, to: url)
    case .collector(let url, let service, let headers): await Self.post(message, signal, to: url, service, headers)
    }
  }

  /// Appends `message` to `file` on a separate thread, because writing may block.
  private static func append(_ message: JSON, to file: URL) async -> OTLPDelivery {
    await withCheckedContinuation { continuation in
      let work: @Sendable () -> Void = {
        do throws(PrivateFile.Failure) {
          try PrivateFile.append(message.serializedData() + Data("\n".utf8), to: file)
          continuation.resume(returning: .accepted(rejectedCount: 0))
        } catch {
          continuation.resume(returning: .unavailable(error))
        }
      }
      if let thread = OwnedThread.start(work) { thread.detach() } else { work() }
    }
  }

  private static func post(
    _ message: JSON, _ signal: OTLPSignal, to base: URL, _ service: TransportService, _ headers: HTTP.Headers
  ) async -> OTLPDelivery {
    let request = HTTP.Request(
      method: .post, url: base.appending(path: "v1/\(signal.rawValue)"), headers: headers,
      body: HTTP.Body(message.serializedData(), contentType: .applicationJSON))
    let result = await OTLPExporter.$isExporting.withValue(true) {
      await service.execute(request, options: TransportOptions(timeout: timeout))
    }
    switch result {
    case .success(let success): return .accepted(rejectedCount: rejectedCount(success.response.body.data))
    case .failure(let failure):
      // Source: OTLP/HTTP, retryable response codes.
      let isFinal = failure.response.map { ![429, 502, 503, 504].contains($0.code) } ?? false
      return isFinal ? .rejected(failure.error) : .unavailable(failure.error)
    }
  }

  /// Returns the number of rejected spans that a response with a partial success states. The number may be written as a string.
  private static func rejectedCount(_ body: Data?) -> Int {
    guard let body, let reply = try? JSON(parsing: body),
      let count = reply["partialSuccess"]?["rejectedSpans"]
    else { return 0 }
    return max(0, count.int ?? count.string.flatMap { Int($0) } ?? 0)
  }
}
