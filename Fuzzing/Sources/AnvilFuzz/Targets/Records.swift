import AnvilBodies
import AnvilJSON

@testable import AnvilClient
@testable import AnvilHTTP
@testable import AnvilServer
@testable import AnvilTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FuzzTarget {
  /// Cassettes, and what else is kept in files and databases: what was read is written, and comes back.
  static let cassettes = FuzzTarget(
    name: "cassettes",
    repeated: Repetition(
      opening: Array(#"{"version":1,"exchanges":["#.utf8), separator: [UInt8(ascii: ",")], closing: Array("]}".utf8))
  ) { bytes in
    let data = Data(bytes)
    if let cassette = try? JSON.Decoder().decode(Cassette.self, from: data) {
      let written = requireSuccess("a cassette cannot be written") { try JSON.Encoder().encode(cassette) }
      let again = requireSuccess("a cassette cannot be read") {
        try JSON.Decoder().decode(Cassette.self, from: written)
      }
      require(again.exchanges == cassette.exchanges, "a cassette comes back as another")
      for exchange in cassette.exchanges {
        _ = exchange.request.body?.data
        _ = exchange.failure?.error
      }
    }
    if let entry = try? CacheEntry(encoded: data) {
      let written = requireSuccess("an entry cannot be written") { try entry.encoded() }
      let again = requireSuccess("an entry cannot be read") { try CacheEntry(encoded: written) }
      require(again == entry, "an entry comes back as another")
    }
    if let (record, _) = DownloadRecord.read(data, source: "a", size: 1_000) {
      require(record.count > 0 && record.count <= 1_000, "a record of \(record.count) bytes")
      let again = record.data.flatMap { DownloadRecord.read($0, source: "a", size: 1_000) }
      require(again?.record == record, "a record comes back as another")
    }
    if let json = try? JSON(parsing: data) { _ = try? ProblemDetails.decode(json) }
  } growth: { bytes in
    let data = Data(bytes)
    if let cassette = try? JSON.Decoder().decode(Cassette.self, from: data) {
      _ = try? JSON.Encoder().encode(cassette)
    }
    _ = try? CacheEntry(encoded: data).encoded()
    _ = DownloadRecord.read(data, source: "a", size: 1_000)
    if let json = try? JSON(parsing: data) { _ = try? ProblemDetails.decode(json) }
  }

  private static let secret = "Zsecret"
  private static let multipartType: HTTP.HeaderValue = "multipart/form-data; boundary=b"

  /// Shown messages: they stay well-formed, and do not contain a planted secret.
  static let redaction = FuzzTarget(name: "redaction") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    guard !text.contains(secret) else { return }
    do {
      let redaction = HTTP.Redaction(queryValues: bytes.count % 2 == 0 ? .hidden : .shownUnlessSecret)
      for query in ["\(text)&access_token=\(secret)", "access_token=\(secret)&\(text)"] {
        let shown = redaction.shown(query: query)
        require(!shown.contains(secret), "\(query) is shown as \(shown)")
        let body = redaction.shown(body: Data(query.utf8), contentType: .applicationFormURLEncoded)
        require(!String(decoding: body, as: UTF8.self).contains(secret), "the form \(query) is shown")
      }
      let reference = redaction.shown(reference: "https://ada:\(secret)@example.com/?token=\(secret)&\(text)")
      require(!reference.contains(secret), "shown as \(reference)")
      _ = redaction.shown(reference: text)
      _ = redaction.shown(.init(.link, .init(rawValue: text)))
      _ = redaction.shown(.init(.location, .init(rawValue: text)))
      if let json = try? JSON(parsing: bytes) {
        let document = JSON([("password", JSON(secret)), ("rest", JSON([json, JSON([("token", JSON(secret))])]))])
        let data = redaction.shown(body: document.serializedData(), contentType: .applicationJSON)
        require(!String(decoding: data, as: UTF8.self).contains(secret), "\(document) is shown")
        require((try? JSON(parsing: data)) != nil, "what is shown of \(document) is no JSON")
      }
      let part = "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(secret)\r\n"
      for form in ["\(part)--b\r\n\(text)\r\n--b--\r\n", "\(text)\r\n\(part)--b--\r\n"] {
        let body = redaction.shown(body: Data(form.utf8), contentType: multipartType)
        require(!String(decoding: body, as: UTF8.self).contains(secret), "the parts \(form) are shown")
      }
      _ = redaction.shown(body: Data(bytes), contentType: multipartType)
      _ = redaction.shown(body: Data(bytes), contentType: nil)
      _ = redaction.shown(body: Data(bytes), contentType: .applicationJSON)
    }
  } growth: { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let redaction = HTTP.Redaction(queryValues: .shownUnlessSecret)
    _ = redaction.shown(query: text)
    _ = redaction.shown(reference: text)
    _ = redaction.shown(.init(.link, .init(rawValue: text)))
    _ = redaction.shown(body: Data(bytes), contentType: .applicationJSON)
    _ = redaction.shown(body: Data(bytes), contentType: multipartType)
  }
}
