internal import AnvilBase

extension JSON {
  /// A path from a value to a value inside it: keys of objects and indices of arrays, all of them required.
  ///
  ///     let path: JSON.Path = ["people", 1, "login"]
  ///     let same: JSON.Path = "people" => 1 => "login"
  ///
  /// Write a path as a literal or join paths with `=>`. For a key in a variable, use ``init(_:)-(String)``. Two paths are equal if
  /// their steps are equal, regardless of how they were created. Keys are compared by their scalars.
  ///
  /// - Complexity: A path of one literal needs no allocation; longer paths are an array.
  public struct Path: Sendable {
    @usableFromInline
    enum Storage: Sendable {
      /// A key that is a literal in the program: it is neither copied nor reference-counted.
      case literal(StaticString)
      case other(Steps)
    }

    /// Steps that are not a literal key. This is a separate type, so that callers that create literals do not depend on ``Step``.
    @usableFromInline
    struct Steps: Sendable {
      enum Storage: Sendable {
        case one(Step)
        /// No steps, or at least two.
        case many([Step])
      }

      let storage: Storage

      var array: [Step] {
        switch storage {
        case .one(let step): [step]
        case .many(let steps): steps
        }
      }
    }

    @usableFromInline let storage: Storage

    /// Creates the path to the root, without steps.
    public init() { self.init(steps: []) }

    /// Creates a path with one step, to the member with the key `key`. Dots and brackets in the key have no special meaning.
    public init(_ key: String) { storage = .other(Steps(storage: .one(.key(key)))) }

    /// Creates a path with one step, to the element at `index`, counted from 0. A negative index leads to no value.
    public init(_ index: Int) { storage = .other(Steps(storage: .one(.index(index)))) }

    /// Creates a path with all steps of `path`, both required and optional ones.
    @usableFromInline
    package init(_ path: OptionalPath) {
      switch path.storage {
      case .optional(let path): self = path
      case .mixed(let steps): self.init(steps: steps.array.map(\.step))
      }
    }

    package init(steps: [Step]) {
      let isOne = steps.count == 1
      storage = .other(Steps(storage: isOne ? steps.first.map { .one($0) } ?? .many([]) : .many(steps)))
    }

    /// The steps in order; empty for the root.
    package var steps: [Step] {
      switch storage {
      case .literal(let key): [.key(key.description)]
      case .other(let steps): steps.array
      }
    }

    package var isRoot: Bool {
      if case .other(let steps) = storage { steps.array.isEmpty } else { false }
    }

    /// Returns this path followed by the steps of `path`. The same as `self => path`.
    public func appending(_ path: Path) -> Path {
      if isRoot { return path }
      return path.isRoot ? self : Path(steps: steps + path.steps)
    }

    /// Returns this path followed by `path`. Each step of `path` stays required or optional. The same as `self =>? path`.
    public func appending(_ path: OptionalPath) -> OptionalPath { OptionalPath(requiring: self).appending(path) }
  }
}

extension JSON.Path: ExpressibleByStringLiteral {
  /// Creates a path with one step, to the member whose key is the literal.
  @inlinable
  public init(stringLiteral key: StaticString) { storage = .literal(key) }
}

extension JSON.Path: ExpressibleByIntegerLiteral {
  /// Creates a path with one step, to the element at that index, counted from 0.
  public init(integerLiteral index: Int) { self.init(index) }
}

extension JSON.Path: ExpressibleByArrayLiteral {
  /// Creates a path with the steps of all elements, in order. `[]` is the root.
  public init(arrayLiteral elements: JSON.Path...) { self.init(steps: elements.flatMap(\.steps)) }
}

extension JSON.Path: Hashable {
  /// Returns whether both have the same steps.
  public static func == (left: Self, right: Self) -> Bool { left.steps == right.steps }

  /// Hashes the steps.
  public func hash(into hasher: inout Hasher) { hasher.combine(steps) }
}

extension JSON {
  /// The path from the root of the document to this value.
  ///
  /// - Complexity: O(*d* · *m*), where *d* is the depth of the value and *m* the number of members of the containers around it. Values do
  ///   not store their path; it is found by descending from the root.
  public var path: Path { Path(steps: stepsFromRoot) }
}

extension JSON.Path: CustomStringConvertible {
  /// The steps as Swift would write them, such as `people[1].login`; empty for the root.
  ///
  /// Keys with characters other than letters, digits, `_`, `-`, `$` and `@` are quoted in brackets, `["odd.key"]`, so
  /// that different paths never look the same.
  public var description: String { steps.reduce(into: "") { $0.append($1) } }

  /// The description of this path from an object in an error.
  var place: String { steps.reduce(into: "object") { $0.append($1) } }

  /// The path as a JSON pointer, such as `/people/1/login`; empty for the root.
  ///
  /// `~` becomes `~0` and `/` becomes `~1`. Source: RFC 6901 §3.
  public var pointer: String { JSON.Pointer(steps).description }
}

extension String {
  /// Appends `step` in the form of a path's description.
  package mutating func append(_ step: JSON.Step) {
    switch step {
    case .index(let index): self += "[\(index)]"
    case .key(let key) where key.isPlainKey: self += isEmpty ? key : ".\(key)"
    case .key(let key): self += "[\(key.quoted)]"
    }
  }

  /// True if the description of a path contains this key without quotes.
  private var isPlainKey: Bool {
    !isEmpty
      && unicodeScalars.allSatisfy { scalar in
        // Some letters are invisible.
        !scalar.isUnprintable
          && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || "_-$@".unicodeScalars.contains(scalar))
      }
  }
}
