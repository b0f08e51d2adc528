internal import AnvilBase
internal import AnvilBodies
internal import AnvilHTTP
internal import AnvilJSON
internal import AnvilObservability
internal import AnvilServer
internal import Foundation

struct Recording: Sendable {
  let exchanges: [RecordedExchange]
  /// The number of exchanges whose body is not in the file.
  let missingBodyCount: Int

  init(_ bytes: [UInt8], from source: DocumentSource) throws(ArchiveFile.Failure) {
    if let document = try? JSON(parsing: bytes), document["exchanges"]?.kind == .array {
      (exchanges, missingBodyCount) = (try Self.cassette(bytes), 0)
      return
    }
    let entries = try ArchiveFile(bytes, from: source).document["log"]?["entries"]?.elements.map(\.self) ?? []
    exchanges = entries.compactMap(RecordedExchange.init(entry:))
    missingBodyCount = exchanges.count { $0.ending == .withoutBody }
  }

  private static func cassette(_ bytes: [UInt8]) throws(ArchiveFile.Failure) -> [RecordedExchange] {
    let cassette: Cassette
    do {
      cassette = try JSON.Decoder().decode(Cassette.self, from: Data(bytes))
    } catch {
      throw .foreign("it looks like a cassette, but cannot be decoded: \(error)")
    }
    guard cassette.version == Cassette.version else {
      throw .foreign("version \(cassette.version) of cassettes is not supported")
    }
    return cassette.exchanges.map(RecordedExchange.init(exchange:))
  }
}

extension RecordedExchange {
  fileprivate init(exchange: Cassette.Exchange) {
    let request = exchange.request
    let ending: Ending =
      switch (exchange.response, exchange.failure) {
      case (_?, nil): .complete
      case (_?, _?): .cutShort
      case (nil, let failure): failure?.code == "timedOut" ? .timedOut : .lost
      }
    self.init(
      key: RequestKey(
        method: request.method, target: request.url, body: request.body?.data ?? Data(),
        contentType: request.contentType),
      url: request.url, status: exchange.response?.status ?? 0,
      fields: exchange.response?.headers.map { ($0.name, $0.value) } ?? [],
      body: exchange.response?.body?.data ?? Data(),
      trailers: exchange.response?.trailers?.map { ($0.name, $0.value) } ?? [], ending: ending, time: .zero)
  }

  /// Creates an exchange from an entry; `nil` without a method, a URL or, as for WebSockets, a final status.
  fileprivate init?(entry: JSON) {
    guard let request = entry["request"], let method = request["method"]?.string, let url = request["url"]?.string
    else {
      return nil
    }
    let status = entry["response"]?["status"]?.int ?? 0
    guard !(100..<200).contains(status) else { return nil }
    let posted = request["postData"]
    let type = posted?["mimeType"]?.string.map { HTTP.HeaderValue(rawValue: $0) }
    let response = entry["response"]
    let content = response?["content"]
    let text = content?["text"]?.string ?? ""
    let isEncoded = content?["encoding"]?.string == "base64"
    let body = isEncoded ? Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data() : Data(text.utf8)
    var fields = response?["headers"].map(Self.fields)
    let trailers = entry["_anvil"]?["decisions"]?.elements.compactMap { $0["fields"].map(Self.fields) }.last
    if fields?.contains(where: { $0.name.lowercased() == "content-type" }) == false, !body.isEmpty,
      let type = content?["mimeType"]?.string, type.contains("/")
    {
      fields?.append(("Content-Type", type))
    }
    if !isEncoded {
      fields = fields?.map { $0.name.lowercased() == "content-type" ? ($0.name, Self.inUTF8($0.value)) : $0 }
    }
    let time = entry["time"]?.double ?? 0
    self.init(
      key: RequestKey(
        method: method, target: url, body: posted.map { Self.text(ofPostData: $0).map { Data($0.utf8) } } ?? Data(),
        contentType: type),
      url: url, status: status, fields: fields ?? [], body: body, trailers: trailers ?? [],
      ending: Self.ending(
        of: response, status: status, method: method, hasBody: !body.isEmpty && !Self.isCut(content)),
      time: time > 0 && time < 3_600_000 ? .milliseconds(Int64(time)) : .zero)
  }

  private static func fields(_ list: JSON) -> [(name: String, value: String)] {
    list.elements.compactMap { field in
      guard let name = field["name"]?.string, let value = field["value"]?.string else { return nil }
      return (name, value)
    }
  }

  /// Returns the text of a request's body, or its form without files; `nil` if it was not recorded. Source: HAR 1.2, `postData`.
  private static func text(ofPostData posted: JSON) -> String? {
    if let text = posted["text"]?.string { return text.isEmpty && posted["comment"] != nil ? nil : text }
    return posted["params"]?.elements.filter { $0["fileName"]?.string == nil }.map { parameter in
      [parameter["name"]?.string ?? "", parameter["value"]?.string ?? ""].map(FormEncoding.encode).joined(
        separator: "=")
    }.joined(separator: "&")
  }

  /// Returns a media type with the charset of the text in an archive, which is UTF-8 whatever it was before. Source: HAR 1.2, `content`.
  private static func inUTF8(_ type: String) -> String {
    let value = HTTP.HeaderValue(rawValue: type)
    guard let charset = value.parameter("charset"), charset.lowercased() != "utf-8" else { return type }
    return "\(value.mediaType); charset=utf-8"
  }

  /// Returns whether the recorder has kept only the beginning of a response's body.
  private static func isCut(_ content: JSON?) -> Bool {
    content?["comment"]?.string?.hasPrefix(HARRecorder.cutBodyMark) == true
  }

  private static func ending(of response: JSON?, status: Int, method: String, hasBody: Bool) -> Ending {
    guard (200...599).contains(status) else { return .lost }
    if response?["_error"]?.string?.isEmpty == false { return .cutShort }
    let size = response?["content"]?["size"]?.int ?? 0
    return size > 0 && !hasBody && method != "HEAD" ? .withoutBody : .complete
  }
}

struct RecordedExchange: Sendable {
  enum Ending: Hashable, Sendable {
    case complete
    /// The connection ended during the body.
    case cutShort
    /// The connection ended before the response.
    case lost
    case timedOut
    case withoutBody
  }

  let key: RequestKey
  let url: String
  let status: Int
  let headers: HTTP.Headers
  let body: Data
  let trailers: HTTP.Headers
  let ending: Ending
  /// The duration until the end of the response, or zero if it is not known.
  let time: Duration

  var description: String {
    switch ending {
    case .complete: "\(status)"
    case .cutShort: "\(status), cut short"
    case .lost: "closed before the response"
    case .timedOut: "no response"
    case .withoutBody: "502, the body was not recorded"
    }
  }

  /// Creates an exchange without the fields that frame the message, and without those that cannot be sent: pseudo-header fields of HTTP/2,
  /// redacted and invalid ones. The `Content-Length` of a response that cannot have a body is that of a GET request, and is kept.
  init(
    key: RequestKey, url: String, status: Int, fields: [(name: String, value: String)], body: Data,
    trailers: [(name: String, value: String)], ending: Ending, time: Duration
  ) {
    self.key = key
    self.url = url
    self.status = status
    self.body = body
    self.ending = ending
    self.time = time
    self.trailers = HTTP.Headers(recorded: trailers)
    var headers = HTTP.Headers(recorded: fields)
    let isBodiless = key.method == "HEAD" || status == 304
    if !isBodiless || headers.contentLength.isMalformed { headers.remove(.contentLength) }
    for key: HTTP.HeaderKey in [.contentEncoding, .transferEncoding] { headers.remove(key) }
    self.headers = headers
  }
}

extension HTTP.Headers {
  /// Creates the valid end-to-end fields of a recording.
  fileprivate init(recorded fields: [(name: String, value: String)]) {
    var headers = HTTP.Headers()
    for (name, value) in fields where !name.hasPrefix(":") && value != HTTP.Redaction.mark {
      // Browsers combine fields with the same name into one, with a line for each value.
      for line in value.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
        headers.add(HTTP.HeaderKey(rawValue: name), HTTP.HeaderValue(rawValue: String(line)))
      }
    }
    self.init(headers.endToEnd.filter { $0.key.isValid && $0.value.isValid })
  }
}

extension HTTP.Headers.ContentLength {
  fileprivate var isMalformed: Bool {
    if case .bytes = self { false } else { true }
  }
}
