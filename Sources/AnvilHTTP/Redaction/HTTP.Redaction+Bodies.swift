internal import AnvilJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP.Redaction {
  /// A body as it may be shown: JSON and forms without secret values, anything else as it is.
  ///
  /// A body that says it is JSON or a form and cannot be taken apart, cut short perhaps, is hidden as a whole. Text of another type, or of
  /// none, is taken for JSON where it reads as that, as a whole or line by line.
  ///
  /// - Returns: the same bytes where nothing is hidden.
  public func shown(body: Data, contentType: HTTP.HeaderValue?) -> Data {
    guard !body.isEmpty else { return body }
    if contentType?.isJSON == true {
      guard let json = try? JSON(parsing: body) else { return shown(lines: body) ?? Data(Self.mark.utf8) }
      return shown(json)?.serializedData() ?? body
    }
    if contentType?.isForm == true {
      guard let text = String(bytes: body, encoding: .utf8) else { return Data(Self.mark.utf8) }
      var recording = self
      recording.queryValues = .shownUnlessSecret
      return Data(recording.shown(query: text).utf8)
    }
    guard let first = body.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      return body
    }
    if let json = try? JSON(parsing: body) { return shown(json)?.serializedData() ?? body }
    return shown(lines: body) ?? body
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
      var recording = self
      recording.queryValues = .shownUnlessSecret
      let shown = recording.shown(reference: text)
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
