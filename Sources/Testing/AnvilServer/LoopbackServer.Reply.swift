public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension LoopbackServer {
  /// A handler's reply: a well-formed response, exact bytes, or a fault.
  ///
  ///     server.on(.get, "/users/:id") { request in
  ///       .json(#"{"id": "\#(request.parameters["id"] ?? "")"}"#).after(.milliseconds(50))
  ///     }
  ///
  /// A well-formed response leaves the connection open unless the request or the response's fields contain
  /// `Connection: close`. After ``raw(_:)`` and ``fault(_:)`` the connection is always closed.
  public struct Reply: Sendable {
    package enum Content: Sendable {
      case message(HTTP.Status, HTTP.Headers, Data)
      case generated(any Sequence<Data> & Sendable, length: Int, HTTP.Status, HTTP.Headers)
      /// The length is unknown if `length` is `nil`.
      case streamed(FailableChunks, length: Int?, HTTP.Status, HTTP.Headers)
      case chunked(any Sequence<Data> & Sendable, every: Duration, HTTP.Headers, trailers: HTTP.Headers)
      case steps([Step])
      case fault(Fault)
    }

    package let content: Content
    package private(set) var delay = Duration.zero

    /// Returns a response with these fields, in their order, and this body.
    ///
    /// `Content-Length` is added unless `headers` contains it or a `Transfer-Encoding`. A transfer coding, or a length that differs
    /// from the body's, is sent as given, and the connection is closed afterwards. The body is left out for HEAD and for statuses
    /// 1xx, 204 and 304. If a field would break the message, a 500 that names the field is sent instead; use ``raw(_:)`` to
    /// send arbitrary bytes. Source: RFC 9112 §6.3.
    public static func status(_ status: HTTP.Status, headers: HTTP.Headers = [:], body: Data = Data()) -> Reply {
      Reply(content: .message(status, headers, body))
    }

    /// Returns a response with `text` in UTF-8, of type `text/plain`.
    public static func text(_ text: String, status: HTTP.Status = .success(.ok)) -> Reply {
      .status(status, headers: [.contentType: "text/plain; charset=utf-8"], body: Data(text.utf8))
    }

    /// Returns a response whose body is `text`, which must already be JSON. The type is `application/json` unless `headers` contains
    /// `Content-Type`.
    public static func json(
      _ text: String, status: HTTP.Status = .success(.ok), headers: HTTP.Headers = [:]
    ) -> Reply {
      let type: HTTP.Headers = [.contentType: .applicationJSON]
      return .status(status, headers: type.merging(headers), body: Data(text.utf8))
    }

    /// Returns a response whose body is produced while it is sent, with a `Content-Length` of `length` unless `headers` contains that field
    /// or `Transfer-Encoding`.
    ///
    /// The next chunk is requested from the sequence once the system has accepted the previous one, so only one is in memory. This
    /// happens on the connection's thread, which the sequence may block. Bytes beyond `length` are not sent. If there are fewer, or the
    /// fields contradict the length, the connection is closed afterwards. The sequence is not used for HEAD nor for statuses 1xx, 204
    /// and 304.
    ///
    /// - Precondition: `length` is not negative.
    public static func status(
      _ status: HTTP.Status, headers: HTTP.Headers = [:], length: Int, body: some Sequence<Data> & Sendable
    ) -> Reply {
      precondition(length >= 0, "the length of a body must not be negative")
      return Reply(content: .generated(body, length: length, status, headers))
    }

    /// Returns a response with status 200 whose body is sent in these chunks. The first chunk is sent immediately, and the others
    /// `interval` apart.
    ///
    /// The next chunk is requested from the sequence once the system has accepted the previous one. This happens on the connection's
    /// thread, which the sequence may block. Only one chunk is in memory at a time, so the sequence may be endless.
    ///
    /// The fields `Transfer-Encoding` and, if `trailers` is not empty, `Trailer` are added unless `headers` already contains them. Empty
    /// chunks are skipped, as they would end the body. For HTTP/1.0, which has no chunks, the bytes are sent without framing and the body
    /// ends when the connection closes. Source: RFC 9112 §7.1.
    public static func chunked(
      _ chunks: some Sequence<Data> & Sendable, every interval: Duration = .zero, headers: HTTP.Headers = [:],
      trailers: HTTP.Headers = [:]
    ) -> Reply {
      Reply(content: .chunked(chunks, every: interval, headers, trailers: trailers))
    }

    /// Returns a response whose body is produced by a closure, in chunks unless `length` is known.
    ///
    /// `produce` is called for the next chunk once the system has accepted the previous one. It runs on the connection's thread, which it
    /// may block. `nil` ends the body. If it throws, the connection is reset with RST. `Content-Length` and `Transfer-Encoding` in
    /// `headers` are replaced. For HEAD and for statuses 1xx, 204 and 304 these fields are sent as given, and `produce` is not called.
    package static func streamed(
      _ status: HTTP.Status, headers: HTTP.Headers, length: Int?, produce: @escaping @Sendable () throws -> Data?
    ) -> Reply {
      Reply(content: .streamed(FailableChunks(produce), length: length.map { max($0, 0) }, status, headers))
    }

    /// Returns a reply of exactly these steps, whatever the method. The connection is then closed, with FIN unless a step specifies
    /// otherwise.
    public static func raw(_ steps: [Step]) -> Reply {
      Reply(content: .steps(steps))
    }

    /// Returns a reply that contains a fault. The connection is closed afterwards.
    public static func fault(_ fault: Fault) -> Reply {
      Reply(content: .fault(fault))
    }

    /// Returns the same reply with an additional delay before it begins. Delays add up.
    public func after(_ delay: Duration) -> Reply {
      var later = self
      later.delay += delay
      return later
    }
  }
}
