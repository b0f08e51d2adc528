internal import AnvilJSON
internal import AnvilText

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A set of formats that strings match, such as dates and URLs. The empty set stands for plain text.
package struct StringFormats: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// A date that the decoders of Anvil and Foundation read with `.iso8601`: `2026-02-03T04:05:06Z`, with or without
  /// fractional seconds, in any time zone. Source: RFC 3339 §5.6.
  package static let date = StringFormats(rawValue: 1)
  /// A URL with a scheme and two slashes, without characters that URLs cannot contain. A template such as `/users{/id}`
  /// does not match. Source: RFC 3986.
  package static let url = StringFormats(rawValue: 2)
  /// A UUID in its usual form. Source: RFC 9562 §4.
  package static let uuid = StringFormats(rawValue: 4)

  /// Every format: the initial value, before any string was seen.
  package static let all: StringFormats = [.date, .url, .uuid]

  /// Creates the set of the formats in `candidates` that `text` matches.
  ///
  /// - Parameter json: The JSON string with the contents `text`.
  init(of text: String, as json: JSON, among candidates: StringFormats) {
    self = []
    if candidates.contains(.date), Self.isDate(text, json) { insert(.date) }
    if candidates.contains(.url), Self.isURL(text) { insert(.url) }
    if candidates.contains(.uuid), text.utf8.count == 36, UUID(uuidString: text) != nil { insert(.uuid) }
  }

  /// Returns whether both Anvil's and Foundation's date parsers accept `text`. Neither parser accepts all texts that the other
  /// accepts.
  private static func isDate(_ text: String, _ json: JSON) -> Bool {
    let bytes = text.utf8
    guard bytes.count >= 20, bytes.dropFirst(10).first == UInt8(ascii: "T"), (try? Date.decode(json)) != nil else {
      return false
    }
    return (try? Date.ISO8601FormatStyle().parse(text)) != nil
  }

  private static func isURL(_ text: String) -> Bool {
    let bytes = text.utf8
    let scheme = bytes.prefix { $0 != UInt8(ascii: ":") }
    guard scheme.count <= 20, URIReference.isScheme(scheme), bytes[scheme.endIndex...].starts(with: "://".utf8),
      bytes.count > scheme.count + 3,
      bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}".utf8.contains($0) })
    else { return false }
    return URL(string: text) != nil
  }
}
