internal import Anvil
internal import AnvilText

extension JSONPath {
  /// The error for a step of a path that selects no value.
  struct NotFound: Error, CustomStringConvertible {
    /// The step.
    let step: Step
    /// The path up to the step.
    let path: JSONPath
    /// The value at `path`.
    let found: JSON

    /// The error in one line: `no key "logn" at owner; keys here: id, login, url`. It contains names and counts, but no
    /// values.
    var description: String {
      switch (step, found.kind) {
      case (.key(let key, _), .object): "no key \(key.quotedExcerpt) at \(path); \(keys)"
      case (.key(_, let index?), .array), (.index(let index), .array): "no index \(index) at \(path); \(count)"
      case (.key(let key, _), .array): "no key \(key.quotedExcerpt) at \(path), which is an array; \(count)"
      case (.index(let index), .object): "no index \(index) at \(path), which is an object; \(keys)"
      case (.all, let kind): "no elements at \(path), which is \(kind.withArticle)"
      case (.key(let key, _), let kind): "no key \(key.quotedExcerpt) at \(path), which is \(kind.withArticle)"
      case (.index(let index), let kind): "no index \(index) at \(path), which is \(kind.withArticle)"
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

extension JSON.Kind {
  fileprivate var withArticle: String {
    switch self {
    case .object, .array: "an \(rawValue)"
    case .string, .number: "a \(rawValue)"
    case .bool: "a boolean"
    case .null: "null"
    }
  }
}
