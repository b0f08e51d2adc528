public import AnvilBase
public import AnvilHTTP
internal import AnvilJSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTP {
  /// A message of an event stream.
  ///
  /// Source: the HTML standard, §9.2.6.
  public struct ServerSentEvent: Sendable {
    /// The event type: the value of its `event` field, or `message` if the field is missing or empty.
    public var type: String
    /// The values of its `data` fields, joined with LF.
    public var data: String
    /// The value of the last `id` field of the stream; empty if there was none. A client sends it as `Last-Event-ID` when it
    /// reconnects.
    public var lastEventID: String
    /// The last `retry` field of the stream: the time that a client should wait before it reconnects. `nil` if there was none.
    public var retry: Duration?
    /// The format of the body that contained the event; `nil` if none was set.
    var decodingFormat: (any DecodingFormat)?

    /// Creates an event with `data`, by default of type `message`.
    public init(type: String = "message", data: String, lastEventID: String = "", retry: Duration? = nil) {
      self.type = type
      self.data = data
      self.lastEventID = lastEventID
      self.retry = retry
    }

    /// Decodes a value of type `type` from ``data``, in `format` or, by default, in the format of the body that contained the event. An
    /// event that was created by a program is decoded as JSON.
    ///
    /// - Throws: An error of the format.
    public func decode<T: Decodable>(as type: T.Type, with format: (any DecodingFormat)? = nil) throws -> T {
      try (format ?? decodingFormat ?? JSON.Decoder.rfc3339()).decode(type, from: Data(data.utf8))
    }
  }
}

extension HTTP.ServerSentEvent: Hashable {
  /// Returns whether both have the same type, data, last event ID and retry delay. The decoding format is ignored.
  public static func == (lhs: HTTP.ServerSentEvent, rhs: HTTP.ServerSentEvent) -> Bool {
    lhs.type == rhs.type && lhs.data == rhs.data && lhs.lastEventID == rhs.lastEventID && lhs.retry == rhs.retry
  }

  /// Hashes the properties that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(data)
    hasher.combine(lastEventID)
    hasher.combine(retry)
  }
}

extension HTTP.ServerSentEvent: CustomReflectable {
  /// A mirror without the decoding format.
  public var customMirror: Mirror {
    Mirror(self, children: ["type": type, "data": data, "lastEventID": lastEventID, "retry": retry as Any])
  }
}
