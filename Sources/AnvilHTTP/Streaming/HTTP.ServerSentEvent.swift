internal import AnvilJSON
public import AnvilModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTP {
  /// One message of an event stream.
  ///
  /// Source: the HTML standard, §9.2.6.
  public struct ServerSentEvent: Sendable {
    /// What kind of event it is, as its `event` field says: `message` unless it says something.
    public var type: String
    /// The values of its `data` fields, with LF between them.
    public var data: String
    /// The value of the last `id` field that the stream has had; empty when it has had none. What a client that connects
    /// again sends as `Last-Event-ID`.
    public var lastEventID: String
    /// The last `retry` field that the stream has had: how long a client should wait before it connects again. `nil` when
    /// it has had none.
    public var retry: Duration?
    /// The format of the body that the event was read from, where that has one.
    var decodingFormat: (any DecodingFormat)?

    /// An event with `data`; a plain message unless said otherwise.
    public init(type: String = "message", data: String, lastEventID: String = "", retry: Duration? = nil) {
      self.type = type
      self.data = data
      self.lastEventID = lastEventID
      self.retry = retry
    }

    /// A value of type `type` from ``data``, read in `format`, or else in the format of the body that the event was read from. An
    /// event that a program creates is read as JSON.
    ///
    /// - Throws: what the format throws.
    public func decode<T: Decodable>(as type: T.Type, with format: (any DecodingFormat)? = nil) throws -> T {
      try (format ?? decodingFormat ?? JSON.Decoder()).decode(type, from: Data(data.utf8))
    }
  }
}

extension HTTP.ServerSentEvent: Hashable {
  /// Whether both are the same message; the format in which they are decoded does not count.
  public static func == (lhs: HTTP.ServerSentEvent, rhs: HTTP.ServerSentEvent) -> Bool {
    lhs.type == rhs.type && lhs.data == rhs.data && lhs.lastEventID == rhs.lastEventID && lhs.retry == rhs.retry
  }

  /// Feeds what `==` compares to `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(data)
    hasher.combine(lastEventID)
    hasher.combine(retry)
  }
}

extension HTTP.ServerSentEvent: CustomReflectable {
  /// A mirror with the message alone.
  public var customMirror: Mirror {
    Mirror(self, children: ["type": type, "data": data, "lastEventID": lastEventID, "retry": retry as Any])
  }
}
