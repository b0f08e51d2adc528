internal import Anvil
internal import AnvilBase
internal import AnvilJSON
internal import AnvilSync

/// The path from the root of a document to one of its values: `owner.login`, `items[0].name`, `["odd.key"]`.
///
/// A step is a name after a dot, or an index or a quoted key in brackets. A dot at the start has no effect, and `.`
/// alone is the whole document. A name of digits is an index if the value is an array. A quoted key is a JSON string.
/// `[]` and `[*]` select all elements of an array or all members of an object. A key that contains dots needs quotation marks: `a.b` is the
/// member `b` of the member `a`, even if the document has a key `a.b` as well.
///
/// A text that begins with `$` is a query of RFC 9535, except that `$name` is a name, because no query begins like this.
struct JSONPath: Sendable {
  typealias Step = PullStep

  let steps: [Step]
  /// For each of ``steps``, whether it is a name without quotation marks. It may be a part of a key with dots.
  private let arePlain: [Bool]
  /// The query, if the text begins with `$` and cannot be expressed by ``steps``; otherwise `nil`.
  let query: JSONQuery?
  private let text: String

  private init(steps: [Step]) {
    self.steps = steps
    arePlain = steps.map { _ in false }
    query = nil
    text = ""
  }

  /// Parses `text`, which the option or the member of a file `origin` contains.
  init(_ text: String, of origin: String = "--path") throws(CommandError) {
    self.text = text
    guard !Self.isQuery(text) else {
      do throws(JSONQueryParser.Malformed) {
        let query = try JSONQueryParser.parse(text)
        steps = query.steps ?? []
        arePlain = steps.map { _ in false }
        self.query = query.steps == nil ? query : nil
      } catch {
        throw CommandError(
          "\(origin) \(text.quotedExcerpt): expected \(error.expected) at character \(error.position + 1)")
      }
      return
    }
    query = nil
    var steps: [Step] = []
    var arePlain: [Bool] = []
    var rest = text[...]
    if rest.first == "." { rest.removeFirst() }
    while let first = rest.first {
      arePlain.append(first != "[")
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
        throw CommandError("\(origin) \(text.quotedExcerpt): expected \(error.expected) at character \(column)")
      }
    }
    self.steps = steps
    self.arePlain = arePlain
  }

  private static func isQuery(_ text: String) -> Bool {
    text.first == "$" && text.dropFirst().first.map { ".[ \t\n\r".contains($0) } ?? true
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
    text.utf8.allSatisfy { $0.isDigit } ? Int(text) : nil
  }
}

extension JSONPath {
  /// True if the path is a query of RFC 9535 that ``steps`` cannot express.
  var isQuery: Bool { query != nil }

  var isTopLevel: Bool { query == nil && steps.isEmpty }

  /// True if the path leads to at most one value.
  var isSingular: Bool {
    query == nil && !steps.contains { if case .all = $0 { true } else { false } }
  }

  /// Returns the value that the path leads to in `document`; an array for a path that can have several values.
  func value(in document: JSON) throws(Failure) -> JSON {
    let values = try values(in: document)
    return isSingular ? values[0] : JSON(values)
  }

  /// Returns the values that the path leads to in `document`. Of members with the same key (by Unicode scalars), the first is used.
  ///
  /// - Throws: ``Failure/notFound(_:)`` at the first step without a value. After a step to all elements, elements without the rest of the
  ///   path are skipped. ``Failure/exceeded(_:)`` for a query that takes too many steps; a query without values does not throw.
  func values(in document: JSON) throws(Failure) -> [JSON] {
    if let query {
      do throws(JSONQuery.Exceeded) { return try query.values(in: document) } catch { throw .exceeded(error) }
    }
    var values = [document]
    var isOne = true
    var passed: [JSON] = []
    for (count, step) in steps.enumerated() {
      if isOne { passed.append(values[0]) }
      if isOne, values[0].values(at: step) == nil {
        throw .notFound(
          NotFound(
            step: step, path: JSONPath(steps: Array(steps[..<count])), found: values[0],
            dottedKey: dottedKey(in: passed)))
      }
      values = values.flatMap { $0.values(at: step) ?? [] }
      if case .all = step { isOne = false }
    }
    return values
  }

  /// Finds a key that consists of adjacent plain names, with that of the failing step, in the values from the document to that step.
  private func dottedKey(in passed: [JSON]) -> DottedKey? {
    for (start, value) in passed.enumerated().reversed() where value.kind == .object && arePlain[start] {
      var key = ""
      for (end, step) in steps.enumerated().dropFirst(start) {
        guard arePlain[end], case .key(let name, _) = step else { break }
        key += end == start ? name : ".\(name)"
        guard end >= passed.count - 1, end > start, value[key] != nil else { continue }
        let parent = Array(steps[..<start])
        return DottedKey(
          key: key, parent: JSONPath(steps: parent), path: JSONPath(steps: parent + [.key(key, index: nil)]))
      }
    }
    return nil
  }
}

extension JSON {
  fileprivate func values(at step: JSONPath.Step) -> [JSON]? {
    do throws(PullStep.Mismatch) { return try step.children(of: self) } catch { return nil }
  }
}

extension JSONPath: CustomStringConvertible {
  /// The path in the form of the command line, or `the top level` if it is empty.
  var description: String {
    if query != nil { return text }
    guard !steps.isEmpty else { return "the top level" }
    return identity
  }
}

extension JSONQuery {
  /// The steps of a query that has only names and non-negative indices, whose failures can be explained; otherwise `nil`.
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

extension JSONPath {
  enum Failure: Error, CustomStringConvertible {
    case notFound(NotFound)
    case exceeded(JSONQuery.Exceeded)

    var description: String {
      switch self {
      case .notFound(let error): error.description
      case .exceeded(let error): error.description
      }
    }
  }

  struct NotFound: Error, CustomStringConvertible {
    let step: Step
    /// The path up to the step.
    let path: JSONPath
    let found: JSON
    /// A key that consists of steps of the path with dots between them, which a value on the way has.
    var dottedKey: DottedKey?

    /// The error in one line, with names and counts, but no values: `no key "logn" at owner; keys here: id, login, url`.
    var description: String {
      guard let dottedKey else { return reason }
      let place = dottedKey.parent.description == path.description ? "" : " at \(dottedKey.parent)"
      return "\(start), but a key \(dottedKey.key.quotedExcerpt)\(place), whose path is \(dottedKey.path)"
    }

    /// The failing step and its place: `no key "logn" at owner`.
    private var start: String {
      switch step {
      case .key(let key, _): "no key \(key.quotedExcerpt) at \(path)"
      case .index(let index): "no index \(index) at \(path)"
      case .all: "no elements at \(path)"
      }
    }

    private var reason: String {
      switch (step, found.kind) {
      case (.key, .object): "\(start); \(keys)"
      case (.key(_, let index?), .array): "no index \(index) at \(path); \(count)"
      case (.index, .array): "\(start); \(count)"
      case (.key, .array): "\(start), which is an array; \(count)"
      case (.index, .object): "\(start), which is an object; \(keys)"
      case (_, let kind): "\(start), which is \(kind.withArticle)"
      }
    }

    private var keys: String {
      guard found.count > 0 else { return "the object is empty" }
      let keys = found.keys.prefix(10).map { $0.isEmpty ? "\"\"" : $0.printable(limit: 40) }
      let rest = found.count > 10 ? " and \(found.count - 10) more" : ""
      return "keys here: \(keys.joined(separator: ", "))\(rest)"
    }

    private var count: String {
      switch found.count {
      case 0: "the array is empty"
      case 1: "the array has 1 element, at index 0"
      case let count: "the array has \(count) elements, from index 0 to \(count - 1)"
      }
    }
  }

  /// A key with dots, such as `@odata.nextLink`, that a path without quotation marks describes as several steps.
  struct DottedKey: Sendable {
    let key: String
    let parent: JSONPath
    let path: JSONPath
  }
}
