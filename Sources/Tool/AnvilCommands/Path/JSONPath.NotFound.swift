internal import Anvil
internal import AnvilBase
internal import AnvilSync

extension JSONPath {
  /// The reason why a path has no values.
  enum Failure: Error, CustomStringConvertible {
    case notFound(NotFound)
    case exceeded(JSONQuery.Exceeded)

    /// The reason in one line.
    var description: String {
      switch self {
      case .notFound(let error): error.description
      case .exceeded(let error): error.description
      }
    }
  }

  /// The error for a step of a path that selects no value.
  struct NotFound: Error, CustomStringConvertible {
    /// The step.
    let step: Step
    /// The path up to the step.
    let path: JSONPath
    /// The value at `path`.
    let found: JSON
    /// A key that consists of steps of the path with dots between them, which a value on the way has.
    var dottedKey: DottedKey?

    /// The error in one line: `no key "logn" at owner; keys here: id, login, url`. It contains names and counts, but no
    /// values.
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
      let keys = found.keys.prefix(10).map { $0.printable(limit: 40) }
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
}

extension JSONPath {
  /// A key with dots, such as `@odata.nextLink`, that a path without quotation marks describes as several steps.
  struct DottedKey: Sendable {
    let key: String
    /// The path of the object that has the key.
    let parent: JSONPath
    /// The path of the key's value.
    let path: JSONPath
  }
}
