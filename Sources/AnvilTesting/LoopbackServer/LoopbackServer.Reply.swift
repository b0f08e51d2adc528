public import AnvilHTTP

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension LoopbackServer {
  /// What a handler answers: a well-formed response, exact bytes, or a fault.
  ///
  ///     server.on(.get, "/users/:id") { request in
  ///       .json(#"{"id": "\#(request.parameters["id"] ?? "")"}"#).after(.milliseconds(50))
  ///     }
  ///
  /// A well-formed response leaves the connection open unless the request or the response's fields say
  /// `Connection: close`. After ``raw(_:)`` and ``fault(_:)`` the connection is always closed.
  public struct Reply: Sendable {
    enum Content: Sendable {
      case message(HTTP.Status, HTTP.Headers, Data)
      case generated(any Sequence<Data> & Sendable, length: Int, HTTP.Status, HTTP.Headers)
      /// Of unknown length where `length` is `nil`.
      case streamed(FailableChunks, length: Int?, HTTP.Status, HTTP.Headers)
      case chunked(any Sequence<Data> & Sendable, every: Duration, HTTP.Headers, trailers: HTTP.Headers)
      case steps([Step])
      case fault(Fault)
    }

    let content: Content
    private(set) var delay = Duration.zero

    /// A response with these fields, in their order, and this body.
    ///
    /// `Content-Length` is added unless `headers` has one or a `Transfer-Encoding`; with a length that is not the
    /// body's, or a transfer coding, both are sent as given and the connection is closed afterwards. The body is not
    /// sent to HEAD nor with a 1xx, 204 or 304. A field that would break the message becomes a 500 that names it;
    /// ``raw(_:)`` sends anything. Source: RFC 9112 §6.3.
    public static func status(_ status: HTTP.Status, headers: HTTP.Headers = [:], body: Data = Data()) -> Reply {
      Reply(content: .message(status, headers, body))
    }

    /// A response with `text` in UTF-8, of type `text/plain`.
    public static func text(_ text: String, status: HTTP.Status = .success(.ok)) -> Reply {
      .status(status, headers: [.contentType: "text/plain; charset=utf-8"], body: Data(text.utf8))
    }

    /// A response with `text`, which is JSON already, of type `application/json` unless `headers` has a type.
    public static func json(
      _ text: String, status: HTTP.Status = .success(.ok), headers: HTTP.Headers = [:]
    ) -> Reply {
      let type: HTTP.Headers = [.contentType: .applicationJSON]
      return .status(status, headers: type.merging(headers), body: Data(text.utf8))
    }

    /// A response whose body is made as it is sent, with a `Content-Length` of `length` unless `headers` has one.
    ///
    /// The sequence is asked for a chunk when the one before it has been handed to the system, on the connection's thread,
    /// which it may block; no more than one is in memory. What is beyond `length` is not sent; with less, or with fields
    /// that say otherwise, the connection is closed after it. The body is not made for HEAD nor with a 1xx, 204 or 304.
    ///
    /// - Precondition: `length` is not negative.
    public static func status(
      _ status: HTTP.Status, headers: HTTP.Headers = [:], length: Int, body: some Sequence<Data> & Sendable
    ) -> Reply {
      precondition(length >= 0, "a body's length is not negative")
      return Reply(content: .generated(body, length: length, status, headers))
    }

    /// A 200 whose body comes in these chunks, `interval` after one another, the first at once.
    ///
    /// A sequence is asked for a chunk when the one before it has been handed to the system, on the connection's thread,
    /// which it may block: a body of any length takes no more memory than a chunk, and one that never ends is one, too.
    ///
    /// `Transfer-Encoding`, and `Trailer` where there are `trailers`, are added unless `headers` has them. Empty chunks
    /// are left out, as they would end the body. To HTTP/1.0, which has no chunks, the bytes go bare and the end of the
    /// connection ends them. Source: RFC 9112 §7.1.
    public static func chunked(
      _ chunks: some Sequence<Data> & Sendable, every interval: Duration = .zero, headers: HTTP.Headers = [:],
      trailers: HTTP.Headers = [:]
    ) -> Reply {
      Reply(content: .chunked(chunks, every: interval, headers, trailers: trailers))
    }

    /// A response whose body comes from elsewhere, in chunks unless it has a known `length`.
    ///
    /// `produce` is called for a chunk when the one before it has been handed to the system, on the connection's
    /// thread, which it may block; `nil` ends the body. When it throws the connection is broken off with RST. The
    /// fields that frame the message are replaced; to HEAD, and with a 1xx, 204 or 304, they are sent as given and
    /// `produce` is not called.
    package static func streamed(
      _ status: HTTP.Status, headers: HTTP.Headers, length: Int?, produce: @escaping @Sendable () throws -> Data?
    ) -> Reply {
      Reply(content: .streamed(FailableChunks(produce), length: length.map { max($0, 0) }, status, headers))
    }

    /// Exactly these steps, whatever the method; then the connection is closed, with FIN where they do not say how.
    public static func raw(_ steps: [Step]) -> Reply {
      Reply(content: .steps(steps))
    }

    /// A response with a fault in it; then the connection is closed.
    public static func fault(_ fault: Fault) -> Reply {
      Reply(content: .fault(fault))
    }

    /// The same reply, begun `delay` later. Delays add up.
    public func after(_ delay: Duration) -> Reply {
      var later = self
      later.delay += delay
      return later
    }
  }
}
