internal import AnvilHTTP
internal import Foundation

/// The operands of a request: the URL, items of its query, and the members of a JSON body.
struct RequestOperands {
  /// The URL with the items of the query.
  let url: URL
  /// The URL as given, for messages.
  let target: String
  let fields: [BodyField]

  /// Creates the operands from `arguments`. The URL is the first operand that is not a field.
  ///
  /// - Throws: ``UsageError`` for a missing URL, and for an operand that is neither a URL nor a field.
  init(_ arguments: ArgumentParser) throws(UsageError) {
    var target: String?
    var query = HTTP.Query()
    var fields: [BodyField] = []
    for operand in arguments.operands {
      if target != nil || arguments.operands.count > 1, let item = Self.queryItem(operand) {
        query.add(item.name, item.value)
      } else if target != nil || arguments.operands.count > 1, let field = BodyField(operand) {
        fields.append(field)
      } else if target == nil {
        target = operand
      } else {
        throw UsageError("unexpected argument \(operand.quotedExcerpt) after the URL")
      }
    }
    guard let target else { throw UsageError("the URL is missing") }
    guard let url = URL(string: Self.adding(query, to: Self.withScheme(target))) else {
      throw UsageError("\(target.quotedExcerpt) is not a URL")
    }
    self.url = url
    self.target = target
    self.fields = fields
  }

  /// Returns the name and the value of a query item, which has the form `name==value`; `nil` for other texts.
  private static func queryItem(_ text: String) -> (name: String, value: String)? {
    guard let match = text.firstMatch(of: /^([^=:\/?#\s"'{}]+)==/) else { return nil }
    return (String(match.1), String(text[match.range.upperBound...]))
  }

  private static func adding(_ query: HTTP.Query, to target: String) -> String {
    let added = query.percentEncoded
    guard !added.isEmpty else { return target }
    let end = target.firstIndex(of: "#") ?? target.endIndex
    let start = target[..<end]
    let separator = start.contains("?") ? start.hasSuffix("?") || start.hasSuffix("&") ? "" : "&" : "?"
    return start + separator + added + target[end...]
  }

  /// Returns `target` with a scheme: `http` on the loopback interface, otherwise `https`. A target that begins with a
  /// colon and a port gets the host localhost.
  static func withScheme(_ target: String) -> String {
    if target.prefixMatch(of: /:[0-9]/) != nil || target == ":" || target.hasPrefix(":/") {
      return "http://localhost" + (target.hasPrefix(":/") || target == ":" ? target.dropFirst() : target[...])
    }
    // A name before a colon and a port is a host. Any other name before a colon is a scheme.
    guard !target.contains(/^[A-Za-z][A-Za-z0-9+.\-]*:(?![0-9])/) else { return target }
    let isHost = target.contains(/^(\[[0-9A-Fa-f:.]+\]|[^\s:\/?#@\[\]]+)(:[0-9]+)?([\/?#]|$)/)
    guard isHost else { return target }
    let isLoopback = target.contains(/^(localhost|127(\.[0-9]+){3}|\[::1\]|[A-Za-z0-9.\-]+\.localhost)(:|\/|\?|#|$)/)
    return (isLoopback ? "http://" : "https://") + target
  }
}

/// A member of a JSON body in the form of the command line: `name=text`, or `name:=3`.
struct BodyField: Hashable, Sendable {
  let name: String
  let value: String
  let isJSON: Bool

  /// Creates the field in `text`. Returns `nil` if the text is not a field.
  init?(_ text: String) {
    guard let match = text.firstMatch(of: /^([^=:\/?#\s"'{}\[\]][^=:\/?#\s"'{}\[\]]*)(:?=)/) else { return nil }
    name = String(match.1)
    isJSON = match.2 == ":="
    value = String(text[match.range.upperBound...])
  }
}
