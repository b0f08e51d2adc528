internal import Anvil

/// The path from the root of a document to one of its values: `owner.login`, `items[0].name`, `["odd.key"]`.
///
/// A step is a name after a dot, or an index or a quoted key in brackets. A dot at the start has no effect, and `.`
/// alone is the whole document. A name of digits is an index if the value is an array. A quoted key is a JSON string.
/// `[]` and `[*]` select all elements of an array or all members of an object.
///
/// A text that begins with `$` is a query of RFC 9535.
struct JSONPath: Sendable {
  /// A step from a value to its children.
  enum Step: Sendable {
    /// The member of an object. If the key consists of digits, `index` is their number, which selects an element if the value is an array.
    case key(String, index: Int?)
    /// The element of an array, counted from 0.
    case index(Int)
    /// All elements or members.
    case all
  }

  let steps: [Step]
  /// The query, if the text begins with `$` and cannot be expressed by ``steps``; otherwise `nil`.
  private let query: JSONQuery?
  /// The text of ``query``, for descriptions.
  private let text: String

  private init(steps: [Step]) {
    self.steps = steps
    query = nil
    text = ""
  }

  /// Parses the path in `text`.
  ///
  /// - Throws: ``UsageError``, with the position in characters counted from 1.
  init(_ text: String) throws(UsageError) {
    self.text = text
    guard !text.hasPrefix("$") else {
      do throws(JSONQueryParser.Malformed) {
        let query = try JSONQueryParser.parse(text)
        steps = query.steps ?? []
        self.query = query.steps == nil ? query : nil
      } catch {
        throw UsageError(
          "--path \(text.quotedExcerpt): expected \(error.expected) at character \(error.position + 1)")
      }
      return
    }
    query = nil
    var steps: [Step] = []
    var rest = text[...]
    if rest.first == "." { rest.removeFirst() }
    while let first = rest.first {
      do throws(Malformed) {
        if first == "[" {
          steps.append(try Self.takeBracketed(&rest))
        } else {
          steps.append(try Self.takeName(&rest))
        }
        if rest.first == "." {
          rest.removeFirst()
          guard !rest.isEmpty else { throw Malformed(expected: "a key") }
        } else if let next = rest.first, next != "[" {
          throw Malformed(expected: "\".\" or \"[\"")
        }
      } catch {
        let column = text.distance(from: text.startIndex, to: rest.startIndex) + 1
        throw UsageError("--path \(text.quotedExcerpt): expected \(error.expected) at character \(column)")
      }
    }
    self.steps = steps
  }

  private struct Malformed: Error {
    let expected: String
  }

  private static func takeName(_ rest: inout Substring) throws(Malformed) -> Step {
    let name = rest.prefix { !".[]\"".contains($0) }
    guard !name.isEmpty else { throw Malformed(expected: "a key") }
    rest = rest[name.endIndex...]
    return .key(String(name), index: Self.index(name))
  }

  private static func takeBracketed(_ rest: inout Substring) throws(Malformed) -> Step {
    rest.removeFirst()
    let content: Substring
    let step: Step
    if rest.first == "\"" {
      content = quoted(rest)
      guard let key = (try? JSON(parsing: String(content)))?.string else {
        throw Malformed(expected: "a key in quotation marks")
      }
      step = .key(key, index: nil)
    } else {
      content = rest.prefix { $0 != "]" }
      if content.isEmpty || content == "*", rest[content.endIndex...].first == "]" {
        rest = rest[content.endIndex...].dropFirst()
        return .all
      }
      guard let index = index(content) else { throw Malformed(expected: "an index or a key in quotation marks") }
      step = .index(index)
    }
    rest = rest[content.endIndex...]
    guard rest.first == "]" else { throw Malformed(expected: "\"]\"") }
    rest.removeFirst()
    return step
  }

  /// Returns the string literal at the start of `text`, or all of it if the closing quotation mark is missing.
  private static func quoted(_ text: Substring) -> Substring {
    var isEscaped = false
    for index in text.indices.dropFirst() {
      if !isEscaped, text[index] == "\"" { return text[...index] }
      isEscaped = !isEscaped && text[index] == "\\"
    }
    return text
  }

  /// Parses decimal digits only, so that `+1` and `-1` are not indices.
  private static func index(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
  }
}

extension JSONPath {
  /// True if the path leads to the whole document.
  var isTopLevel: Bool { query == nil && steps.isEmpty }

  /// True if the path leads to at most one value.
  var isSingular: Bool {
    query == nil && !steps.contains { if case .all = $0 { true } else { false } }
  }

  /// Returns the value that the path leads to in `document`; an array for a path that can have several values.
  ///
  /// - Throws: ``NotFound``; see ``values(in:)``.
  func value(in document: JSON) throws(NotFound) -> JSON {
    let values = try values(in: document)
    return isSingular ? values[0] : JSON(values)
  }

  /// Returns the values that the path leads to in `document`. If several members have the same key, the first one is
  /// used. Keys are compared by Unicode scalars.
  ///
  /// - Throws: ``NotFound`` at the first step without a value. After a step to all elements, elements without the rest of the path are
  ///   skipped. A query with several values never throws.
  func values(in document: JSON) throws(NotFound) -> [JSON] {
    if let query { return query.values(in: document) }
    var values = [document]
    var isOne = true
    for (count, step) in steps.enumerated() {
      if isOne, values[0].values(at: step) == nil {
        throw NotFound(step: step, path: JSONPath(steps: Array(steps[..<count])), found: values[0])
      }
      values = values.flatMap { $0.values(at: step) ?? [] }
      if case .all = step { isOne = false }
    }
    return values
  }
}

extension JSON {
  /// Returns the values that `step` selects in this value. Returns `nil` if the key or index does not exist, or the value is of another kind.
  fileprivate func values(at step: JSONPath.Step) -> [JSON]? {
    switch (step, kind) {
    case (.key(let key, _), .object): self[key].map { [$0] }
    case (.key(_, let index?), .array), (.index(let index), .array): self[index].map { [$0] }
    case (.all, .array): Array(elements)
    case (.all, .object): members.map(\.value)
    default: nil
    }
  }
}

extension JSONPath: CustomStringConvertible {
  /// The path in the form of the command line, or `the top level` if it is empty.
  var description: String {
    if query != nil { return text }
    guard !steps.isEmpty else { return "the top level" }
    return steps.reduce(into: "") { text, step in
      switch step {
      case .index(let index): text += "[\(index)]"
      case .all: text += "[]"
      case .key(let key, _) where key.contains { ".[]\"".contains($0) } || key.isEmpty: text += "[\(key.quotedExcerpt)]"
      case .key(let key, _): text += text.isEmpty ? key : ".\(key)"
      }
    }
  }
}

extension JSONQuery {
  /// The steps of a query that consists only of names and non-negative indices, whose failures can be explained. `nil`
  /// for other queries.
  fileprivate var steps: [JSONPath.Step]? {
    var steps: [JSONPath.Step] = []
    guard isSingular else { return nil }
    for segment in segments {
      switch segment.selectors.first {
      case .name(let name)?: steps.append(.key(name, index: nil))
      case .index(let index)? where index >= 0: steps.append(.index(index))
      default: return nil
      }
    }
    return steps
  }
}
