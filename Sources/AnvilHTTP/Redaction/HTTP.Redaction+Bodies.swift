internal import AnvilJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP.Redaction {
  /// Returns a body as it may be shown: JSON and forms, multipart ones too, without secret values, anything else as it is.
  ///
  /// A body that says it is JSON or a form and cannot be taken apart, cut short perhaps, is hidden as a whole. Text of another type, or of
  /// none, is taken for JSON where it begins like it, as a whole or line by line; where it cannot be read, cut short perhaps, it is hidden
  /// if it names something secret.
  ///
  /// - Returns: the same bytes where nothing is hidden.
  public func shown(body: Data, contentType: HTTP.HeaderValue?) -> Data {
    shown(body: body, contentType: contentType, depth: 0)
  }

  /// - Parameter depth: how many multipart bodies the body is a part of, one within the other.
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

  /// The same rules for the URLs in a body, of which logs show no query values, and recordings do.
  var showingMoreOfURLs: HTTP.Redaction {
    var redaction = self
    redaction.queryValues = .shownUnlessSecret
    return redaction
  }

  /// A body with a value of JSON in each line; `nil` for any other.
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

  /// The value without the secret ones in it; `nil` where there are none.
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
      guard let text = json.string, text.contains("://") else { return .none }
      let shown = showingMoreOfURLs.shown(reference: text)
      return shown == text ? .none : .some(JSON(shown))
    // Not `nil`, which is a value of JSON, too.
    case .null, .bool, .number: return .none
    }
  }

  /// The value with every text in it hidden, and every number as 0, so that it still decodes.
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
