internal import AnvilBase
internal import AnvilDiagnosis
internal import AnvilJSON

/// A set of formats that strings match, such as dates and URLs. The empty set stands for plain text.
///
/// Models and schemas have separate formats, because their readers accept different texts: the decoders read the date
/// `2020-01-01T00:00:00+0000`, which is no `date-time` of JSON Schema. A format is only inferred if its reader accepts all strings.
package struct StringFormats: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// A date that the decoders of Anvil and Foundation read with `.iso8601`: `2026-02-03T04:05:06Z`, with or without
  /// fractional seconds, in any time zone. Source: RFC 3339 §5.6.
  package static let date = StringFormats(rawValue: 1)
  /// A URL with a scheme and two slashes, without characters that URLs cannot contain. A template such as `/users{/id}`
  /// does not match, nor does a text that `URL` changes, such as `https://a.example/100%`. Source: RFC 3986.
  package static let url = StringFormats(rawValue: 2)
  /// A UUID in its usual form. Source: RFC 9562 §4.
  package static let uuid = StringFormats(rawValue: 4)

  /// The format `date-time` of JSON Schema. Source: RFC 3339 §5.6.
  package static let schemaDate = StringFormats(rawValue: 8)
  /// The format `uri` of JSON Schema, with an authority. Source: RFC 3986.
  package static let schemaURI = StringFormats(rawValue: 16)
  /// A day, such as `2026-02-03`: the format `date` of JSON Schema, which `JSON.Day` reads, too. Source: RFC 3339 §5.6.
  package static let day = StringFormats(rawValue: 128)
  /// An integer that `NumberOrString<Int>` reads.
  package static let integer = StringFormats(rawValue: 32)
  /// A number that `NumberOrString<Double>` reads.
  package static let number = StringFormats(rawValue: 64)

  /// Every format: the initial value, before any string was seen.
  package static let all: StringFormats = [.date, .url, .uuid, .schemaDate, .day, .schemaURI, .integer, .number]

  /// Creates the set of the formats in `candidates` that `text`, the contents of `json`, matches.
  init(of text: String, as json: JSON, among candidates: StringFormats) {
    self = []
    if candidates.contains(.date), Self.isDate(text, json) { insert(.date) }
    if candidates.contains(.url), Self.isURL(text) { insert(.url) }
    if candidates.contains(.uuid), StringFormat.uuid.matches(text), UUID(uuidString: text) != nil { insert(.uuid) }
    if candidates.contains(.schemaDate), StringFormat.dateTime.matches(text) { insert(.schemaDate) }
    if candidates.contains(.day), StringFormat.date.matches(text) { insert(.day) }
    if candidates.contains(.schemaURI), Self.matches(text, .uri) { insert(.schemaURI) }
    if candidates.contains(.integer), Int.number(in: text) != nil { insert(.integer) }
    if candidates.contains(.number), Double.number(in: text) != nil { insert(.number) }
  }

  /// Returns whether `text` matches a format of schemas. A URI must have an authority, because text such as `a:b` is a URI, too.
  static func matches(_ text: String, _ format: StringFormat) -> Bool {
    format.matches(text) && (format != .uri || text.containsSchemeEnd)
  }

  /// Returns whether Anvil's and Foundation's date parsers, of which neither reads all dates, read the same date, apart from fractions.
  private static func isDate(_ text: String, _ json: JSON) -> Bool {
    let bytes = text.utf8
    guard bytes.count >= 20, bytes.dropFirst(10).first == UInt8(ascii: "T"), let date = try? Date.decode(json),
      let other = try? Date.ISO8601FormatStyle().parse(text)
    else { return false }
    return abs(date.timeIntervalSince(other)) < 1
  }

  private static func isURL(_ text: String) -> Bool {
    let bytes = text.utf8
    let scheme = bytes.prefix { $0 != .colon }
    guard scheme.count <= 20, URIReference.isScheme(scheme), bytes[scheme.endIndex...].starts(with: "://".utf8),
      bytes.count > scheme.count + 3,
      bytes.allSatisfy({ $0 > .space && $0 < .delete && !"\"<>\\^`{|}".utf8.contains($0) })
    else { return false }
    return URL(string: text)?.absoluteString == text
  }
}
