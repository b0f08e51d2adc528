public import AnvilBase
public import AnvilHTTP
internal import AnvilJSON

extension HTTP.Redaction {
  /// Returns a redacted body. Secret values in JSON and in forms, including multipart forms, are hidden. Bodies of other types are
  /// unchanged.
  ///
  /// A body that is declared as JSON or a form but cannot be parsed, for example because it is truncated, is hidden completely. Text of
  /// another type or without a type is treated as JSON if it starts like JSON, as a whole or line by line. If it cannot be parsed, it is
  /// hidden if it names a secret.
  ///
  /// - Returns: The same bytes if nothing is hidden.
  public func shown(body: Data, contentType: HTTP.HeaderValue?) -> Data {
    shown(body: body, contentType: contentType, depth: 0)
  }

  /// - Parameter depth: The number of multipart bodies that enclose this body.
  func shown(body: Data, contentType: HTTP.HeaderValue?, depth: Int) -> Data {
    guard !body.isEmpty else { return body }
    if contentType?.isJSON == true {
      guard let json = try? JSON(parsing: body) else { return shown(lines: body) ?? Data(Self.mark.utf8) }
      return shown(json)?.serializedData() ?? body
    }
    if contentType?.isForm == true {
      guard let text = String(validating: body, as: UTF8.self) else { return Data(Self.mark.utf8) }
      return Data(showingMoreOfURLs.shown(query: text).utf8)
    }
    if let contentType, contentType.isMultipart {
      return shown(multipart: body, contentType: contentType, depth: depth)
    }
    guard body.beginsLikeJSON else { return body }
    if let json = try? JSON(parsing: body) { return shown(json)?.serializedData() ?? body }
    return shown(lines: body) ?? (namesSecret(inBroken: body) ? Data(Self.mark.utf8) : body)
  }

  /// Hides only secret query values of URLs in a body. In other URLs, the original rules may hide all query values.
  var showingMoreOfURLs: HTTP.Redaction {
    var redaction = self
    redaction.queryValues = .shownUnlessSecret
    return redaction
  }

  /// Returns a redacted body with a JSON value on each line; `nil` if the body has a different format.
  private func shown(lines body: Data) -> Data? {
    let lines = body.split(separator: .lineFeed, omittingEmptySubsequences: false)
    guard lines.count > 1 else { return nil }
    var shownLines: [Data] = []
    for line in lines {
      if line.allSatisfy({ $0 <= .space }) {
        shownLines.append(line)
      } else {
        guard let json = try? JSON(parsing: Data(line)) else { return nil }
        shownLines.append(shown(json)?.serializedData() ?? line)
      }
    }
    return Data(shownLines.joined(separator: [UInt8.lineFeed]))
  }

  /// Returns the value with its secrets hidden; `nil` if it contains none.
  private func shown(_ json: JSON) -> JSON? {
    var hasChanged = false
    switch json.kind {
    case .array:
      let elements = json.elements.map { element in
        let shown = shown(element)
        hasChanged = hasChanged || shown != nil
        return shown ?? element
      }
      return hasChanged ? .some(JSON(elements)) : .none
    case .object:
      let members = json.members.map { key, value -> (key: String, value: JSON) in
        let shown = isSecret(name: key) ? .some(hidden(value, isCount: Self.isCount(name: key))) : shown(value)
        hasChanged = hasChanged || shown != nil
        return (key, shown ?? value)
      }
      return hasChanged ? .some(JSON(members)) : .none
    case .string:
      guard let text = json.string, text.containsSchemeEnd else { return .none }
      let shown = showingMoreOfURLs.shown(reference: text)
      return shown == text ? .none : .some(JSON(shown))
    // `.none` instead of `nil`, which is also a JSON value.
    case .null, .bool, .number: return .none
    }
  }

  private static let hiddenUUID = "00000000-0000-0000-0000-000000000000"

  /// Returns the value with every string hidden and every number replaced by 0, so that it can still be decoded. A UUID is replaced by
  /// that of zeros. Dates with a time, and numbers that are counts, are no secrets.
  private func hidden(_ json: JSON, isCount: Bool = false) -> JSON {
    switch json.kind {
    case .string where (try? Date.decode(json)) != nil: json
    case .string: JSON(json.string.flatMap { UUID(uuidString: $0) } == nil ? Self.mark : Self.hiddenUUID)
    case .number: isCount ? json : JSON(0)
    case .array: JSON(json.elements.map { hidden($0) })
    case .object:
      JSON(json.members.map { (key: $0.key, value: hidden($0.value, isCount: Self.isCount(name: $0.key))) })
    case .bool, .null: json
    }
  }

  /// Returns whether invalid JSON, such as truncated JSON, has a member with a secret name or a URL with a secret.
  ///
  /// A name is the text before a colon, with or without quotation marks. Unbalanced quotation marks therefore do not hide names from
  /// this check.
  ///
  /// - Complexity: O(*n*), where *n* is the length of `text`.
  func namesSecret(inBroken text: Data) -> Bool {
    // Text with two bytes per character, in which names cannot be found.
    if text.contains(0) { return true }
    var name: [UInt8] = []
    var isNameOver = false
    for byte in text {
      switch byte {
      case .colon:
        if isSecret(writtenName: name) { return true }
        name = []
        isNameOver = false
      case .comma, .openBrace, .closeBrace, .openBracket, .closeBracket:
        name = []
        isNameOver = false
      case .quote, .apostrophe: isNameOver = true
      case ...UInt8.space where name.isEmpty || isNameOver: break
      default:
        if isNameOver { name = [] }
        isNameOver = false
        name.append(byte)
      }
    }
    return hasSecretURL(text)
  }

  private func isSecret(writtenName name: [UInt8]) -> Bool {
    guard !name.isEmpty else { return false }
    if name.contains(.backslash), let text = try? JSON(parsing: [.quote] + name + [.quote]).string {
      return isSecret(name: text)
    }
    return isSecret(name: String(decoding: name, as: UTF8.self))
  }

  private func hasSecretURL(_ text: Data) -> Bool {
    let redaction = showingMoreOfURLs
    return text.split { $0 <= .space || $0 == .quote || $0 == .apostrophe }.contains { word in
      let word = String(decoding: word, as: UTF8.self).replacing(#"\/"#, with: "/")
      return word.containsSchemeEnd && redaction.shown(reference: word) != word
    }
  }
}

extension Data {
  /// A Boolean value that indicates whether the first byte, after white space and a byte order mark, opens an object or an array.
  var beginsLikeJSON: Bool {
    let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF]
    let first =
      prefix(3).allSatisfy { marks.contains($0) || $0 <= .space || $0 == .openBrace || $0 == .openBracket }
      ? first { $0 > .space && !marks.contains($0) } : first { $0 > .space }
    return first == .openBrace || first == .openBracket
  }
}

extension HTTP.Redaction {
  /// The maximum nesting depth of multipart bodies. Deeper ones are hidden, to avoid exhausting the stack.
  private static let multipartDepthLimit = 8

  /// Returns a redacted multipart body. Secret parts are hidden; each other part is redacted according to its media type.
  ///
  /// The last part may be truncated. A body without its boundary is hidden completely, and so is text before the first and after the
  /// last part. Source: RFC 2046 §5.1.1; RFC 7578 §4.
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
      let end = body[line...].firstIndex(of: .lineFeed).map { $0 + 1 } ?? body.endIndex
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
    guard section.contains(where: { $0 > .space }) else { return section }
    guard isPart, let part = BodyPart(section) else { return Data(Self.mark.utf8) }
    let content = shown(contentOf: part, depth: depth)
    return section[section.startIndex..<part.content.startIndex] + content
  }

  private func shown(contentOf part: BodyPart, depth: Int) -> Data {
    guard !part.content.isEmpty else { return part.content }
    let isSecret = part.names.contains {
      self.isSecret(fieldName: FormEncoding.decode($0.utf8) ?? $0, valueLength: part.content.count)
    }
    guard part.isReadable, !isSecret else { return Data(Self.mark.utf8) }
    if part.contentType == nil, let text = String(validating: part.content, as: UTF8.self), text.containsSchemeEnd,
      !part.content.contains(where: { $0 <= .space })
    {
      return Data(showingMoreOfURLs.shown(reference: text).utf8)
    }
    return shown(body: part.content, contentType: part.contentType, depth: depth + 1)
  }
}

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
      guard let end = section[line...].firstIndex(of: .lineFeed) else { return nil }
      let text = section[line..<end].last == .carriageReturn ? section[line..<(end - 1)] : section[line..<end]
      line = end + 1
      guard let first = text.first else { break }
      let field = String(decoding: text, as: UTF8.self)
      if first == .space || first == .tab, !fields.isEmpty {
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
    let rest = dropFirst(delimiter.count).filter { $0 > .space }
    return rest.isEmpty ? false : rest.elementsEqual("--".utf8) ? true : nil
  }

  fileprivate var lineEndLength: Int {
    guard last == .lineFeed else { return 0 }
    return dropLast().last == .carriageReturn ? 2 : 1
  }
}

/// Comparing a body with a recorded one.
extension HTTP.HeaderValue {
  /// Returns a body of this media type in a form in which equivalent bodies are equal. Members of JSON are sorted, because a dictionary has
  /// another order in each process; the items of a form are compared like those of a query, and multipart bodies without their boundary.
  package func comparable(_ body: Data) -> Data {
    if isForm { return Data(NormalizedURL.items(of: body).map(\.normalized).joined(separator: "&").utf8) }
    if isJSON, let json = try? JSON(parsing: body) { return json.serializedData(order: .sortedKeys) }
    return withoutBoundary(body)
  }

  /// Returns a multipart body with a fixed boundary, and other bodies unchanged.
  package func withoutBoundary(_ body: Data) -> Data {
    statedBoundary.map { Data(body.replacing(Data($0.utf8), with: Data(Self.fixedBoundary.utf8))) } ?? body
  }

  /// The value with a fixed boundary.
  package var withoutBoundary: String {
    statedBoundary.map { rawValue.replacing($0, with: Self.fixedBoundary) } ?? rawValue
  }

  private static let fixedBoundary = "boundary"

  /// The boundary of a multipart media type, which differs in each request; `nil` for other types and for an empty boundary.
  private var statedBoundary: String? {
    isMultipart ? parameter("boundary").flatMap { $0.isEmpty ? nil : $0 } : nil
  }
}
