#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HTTP.Redaction {
  /// How many multipart bodies may be within each other; a deeper one is hidden, so that none exhausts the stack.
  private static let multipartDepthLimit = 8

  /// Returns a multipart body with the contents of its secret parts hidden, and each other part as its own type demands.
  ///
  /// The last part may be cut. A body without its boundary is hidden as a whole, and so is text before the first part and behind the last.
  ///
  /// Source: RFC 2046 §5.1.1; RFC 7578 §4.
  ///
  /// - Complexity: O(*n*) in the length of `body`.
  func shown(multipart body: Data, contentType: HTTP.HeaderValue, depth: Int) -> Data {
    guard depth < Self.multipartDepthLimit, let boundary = contentType.parameter("boundary"), !boundary.isEmpty else {
      return Data(Self.mark.utf8)
    }
    let delimiter = Array("--\(boundary)".utf8)
    var shown = Data()
    var isPart = false
    // Between delimiter lines, without the line end that belongs to the delimiter.
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

  /// What stands between two delimiters: a part, or text that belongs to none.
  private func shown(section: Data, isPart: Bool, depth: Int) -> Data {
    guard section.contains(where: { $0 > 0x20 }) else { return section }
    guard isPart, let part = BodyPart(section) else { return Data(Self.mark.utf8) }
    let content = shown(contentOf: part, depth: depth)
    return section[section.startIndex..<part.content.startIndex] + content
  }

  private func shown(contentOf part: BodyPart, depth: Int) -> Data {
    guard !part.content.isEmpty else { return part.content }
    let isSecret = part.names.contains { self.isSecret(fieldName: URLForm.percentDecoded(Data($0.utf8)) ?? $0) }
    guard part.isReadable, !isSecret else { return Data(Self.mark.utf8) }
    if part.contentType == nil, let text = String(bytes: part.content, encoding: .utf8), text.contains("://"),
      !part.content.contains(where: { $0 <= 0x20 })
    {
      return Data(showingMoreOfURLs.shown(reference: text).utf8)
    }
    return shown(body: part.content, contentType: part.contentType, depth: depth + 1)
  }
}

/// One part of a multipart body.
private struct BodyPart {
  /// The names of the form's field: several where the head contradicts itself.
  private(set) var names: [String] = []
  private(set) var contentType: HTTP.HeaderValue?
  /// Whether the head was understood and the content is written as it is.
  private(set) var isReadable = true
  let content: Data

  /// Creates the part that `section` is; `nil` where its head has no end.
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
      // A field has a name: here is one that cannot be read.
      if names.isEmpty, value.mediaType == "form-data" { isReadable = false }
    case "content-type": contentType = value
    case "content-transfer-encoding":
      if !["7bit", "8bit", "binary"].contains(value.mediaType) { isReadable = false }
    default: break
    }
  }
}

extension Data {
  /// Whether this line, with its end, is a delimiter, and if so whether the last one.
  fileprivate func endsPart(_ delimiter: [UInt8]) -> Bool? {
    guard starts(with: delimiter) else { return nil }
    let rest = dropFirst(delimiter.count).filter { $0 > 0x20 }
    return rest.isEmpty ? false : rest.elementsEqual("--".utf8) ? true : nil
  }

  /// How many bytes the line end has that these end in.
  fileprivate var lineEndLength: Int {
    guard last == 0x0A else { return 0 }
    return dropLast().last == 0x0D ? 2 : 1
  }
}
