internal import AnvilBase
internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTP.Redaction {
  /// The maximum nesting depth of multipart bodies. Deeper ones are hidden, to avoid exhausting the stack.
  private static let multipartDepthLimit = 8

  /// Returns a redacted multipart body. Secret parts are hidden; each other part is redacted according to its media type.
  ///
  /// The last part may be truncated. A body without its boundary is hidden completely, and so is text before the first and after the
  /// last part.
  ///
  /// Source: RFC 2046 §5.1.1; RFC 7578 §4.
  ///
  /// - Complexity: O(*n*), where *n* is the length of `body`.
  func shown(multipart body: Data, contentType: HTTP.HeaderValue, depth: Int) -> Data {
    guard depth < Self.multipartDepthLimit, let boundary = contentType.parameter("boundary"), !boundary.isEmpty else {
      return Data(Self.mark.utf8)
    }
    let delimiter = Array("--\(boundary)".utf8)
    var shown = Data()
    var isPart = false
    // The start of the text between two delimiter lines. The line end before a delimiter belongs to the delimiter.
    var section = body.startIndex
    var line = body.startIndex
    while line < body.endIndex {
      let end = body[line...].firstIndex(of: 0x0A).map { $0 + 1 } ?? body.endIndex
      defer { line = end }
      guard let isLast = body[line..<end].endsPart(delimiter) else { continue }
      let sectionEnd = max(section, line - body[section..<line].lineEndLength)
      shown += self.shown(section: body[section..<sectionEnd], isPart: isPart, depth: depth)
      shown += body[sectionEnd..<end]
      section = end
      isPart = !isLast
    }
    return shown + self.shown(section: body[section...], isPart: isPart, depth: depth)
  }

  /// Returns the redacted text between two delimiters: a part, or text outside of the parts.
  private func shown(section: Data, isPart: Bool, depth: Int) -> Data {
    guard section.contains(where: { $0 > 0x20 }) else { return section }
    guard isPart, let part = BodyPart(section) else { return Data(Self.mark.utf8) }
    let content = shown(contentOf: part, depth: depth)
    return section[section.startIndex..<part.content.startIndex] + content
  }

  private func shown(contentOf part: BodyPart, depth: Int) -> Data {
    guard !part.content.isEmpty else { return part.content }
    let isSecret = part.names.contains { self.isSecret(fieldName: FormEncoding.decode($0.utf8) ?? $0) }
    guard part.isReadable, !isSecret else { return Data(Self.mark.utf8) }
    if part.contentType == nil, let text = String(bytes: part.content, encoding: .utf8), text.contains("://"),
      !part.content.contains(where: { $0 <= 0x20 })
    {
      return Data(showingMoreOfURLs.shown(reference: text).utf8)
    }
    return shown(body: part.content, contentType: part.contentType, depth: depth + 1)
  }
}

/// A part of a multipart body.
private struct BodyPart {
  /// The names of the form field; several if the header contradicts itself.
  private(set) var names: [String] = []
  private(set) var contentType: HTTP.HeaderValue?
  /// A Boolean value that indicates whether the header was understood and the content has no transfer encoding.
  private(set) var isReadable = true
  let content: Data

  /// Creates a part from `section`. Returns `nil` if the header is not terminated.
  init?(_ section: Data) {
    var fields: [String] = []
    var line = section.startIndex
    while true {
      guard let end = section[line...].firstIndex(of: 0x0A) else { return nil }
      let text = section[line..<end].last == 0x0D ? section[line..<(end - 1)] : section[line..<end]
      line = end + 1
      guard let first = text.first else { break }
      let field = String(decoding: text, as: UTF8.self)
      if first == 0x20 || first == 0x09, !fields.isEmpty {
        fields[fields.count - 1] += field
      } else {
        fields.append(field)
      }
    }
    content = section[line...]
    for field in fields { add(field) }
  }

  private mutating func add(_ field: String) {
    let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return isReadable = false }
    let value = HTTP.HeaderValue(rawValue: parts[1].trimmingPrefix { $0 == " " || $0 == "\t" }.description)
    switch parts[0].lowercased() {
    case "content-disposition":
      let names = [value.parameter("name"), value.parameter("name*")].compactMap { $0 }
      self.names += names
      // A form field must have a name; this one cannot be parsed.
      if names.isEmpty, value.mediaType == "form-data" { isReadable = false }
    case "content-type": contentType = value
    case "content-transfer-encoding":
      if !["7bit", "8bit", "binary"].contains(value.mediaType) { isReadable = false }
    default: break
    }
  }
}

extension Data {
  /// Returns whether this line, including its end, is the last delimiter; `nil` if it is not a delimiter.
  fileprivate func endsPart(_ delimiter: [UInt8]) -> Bool? {
    guard starts(with: delimiter) else { return nil }
    let rest = dropFirst(delimiter.count).filter { $0 > 0x20 }
    return rest.isEmpty ? false : rest.elementsEqual("--".utf8) ? true : nil
  }

  /// The number of bytes of the trailing line end.
  fileprivate var lineEndLength: Int {
    guard last == 0x0A else { return 0 }
    return dropLast().last == 0x0D ? 2 : 1
  }
}
