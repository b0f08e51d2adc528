public import AnvilHTTP
internal import AnvilJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
      guard let text = String(bytes: body, encoding: .utf8) else { return Data(Self.mark.utf8) }
      return Data(showingMoreOfURLs.shown(query: text).utf8)
    }
    if let contentType, contentType.isMultipart {
      return shown(multipart: body, contentType: contentType, depth: depth)
    }
    guard body.beginsLikeJSON else { return body }
    if let json = try? JSON(parsing: body) { return shown(json)?.serializedData() ?? body }
    return shown(lines: body) ?? (namesSecret(inBroken: body) ? Data(Self.mark.utf8) : body)
  }

  /// A copy of the rules for URLs in a body, which hides only secret query values. In other URLs, the original rules may hide all query
  /// values.
  var showingMoreOfURLs: HTTP.Redaction {
    var redaction = self
    redaction.queryValues = .shownUnlessSecret
    return redaction
  }

  /// Returns a redacted body with a JSON value on each line; `nil` if the body has a different format.
  private func shown(lines body: Data) -> Data? {
    let lines = body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count > 1 else { return nil }
    var shownLines: [Data] = []
    for line in lines {
      if line.allSatisfy({ $0 <= 0x20 }) {
        shownLines.append(line)
      } else {
        guard let json = try? JSON(parsing: Data(line)) else { return nil }
        shownLines.append(shown(json)?.serializedData() ?? line)
      }
    }
    return Data(shownLines.joined(separator: [UInt8(ascii: "\n")]))
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
        let shown = isSecret(name: key) ? .some(hidden(value)) : shown(value)
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

  /// Returns the value with every string hidden and every number replaced by 0, so that it can still be decoded.
  private func hidden(_ json: JSON) -> JSON {
    switch json.kind {
    case .string: JSON(Self.mark)
    case .number: JSON(0)
    case .array: JSON(json.elements.map(hidden))
    case .object: JSON(json.members.map { (key: $0.key, value: hidden($0.value)) })
    case .bool, .null: json
    }
  }
}
