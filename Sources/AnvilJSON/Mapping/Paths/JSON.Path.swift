extension JSON {
  /// The way from a value to one inside it: keys of objects and indices of arrays, each of which has to be there.
  ///
  ///     let path: JSON.Path = ["people", 1, "login"]
  ///     let same: JSON.Path = "people" => 1 => "login"
  ///
  /// Written as a literal or joined with `=>`; ``init(_:)-(String)`` takes a key that a variable holds. Two paths are equal when
  /// their steps are, however they were made; keys compare by their scalars.
  ///
  /// - Complexity: a path of one literal takes no memory of its own, longer ones an array.
  public struct Path: Sendable {
    @usableFromInline
    enum Storage: Sendable {
      /// A key that stands in the program's text: neither copied nor counted.
      case literal(StaticString)
      case other(Steps)
    }

    /// Steps that are not a literal key: a type of its own, so that callers that make literals need not know ``Step``.
    @usableFromInline
    struct Steps: Sendable {
      enum Storage: Sendable {
        case one(Step)
        /// None, or at least two.
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

    /// The root: a path without a step.
    public init() { self.init(steps: []) }

    /// One step to the member whose key is `key`, any text: dots and brackets in it mean themselves.
    public init(_ key: String) { storage = .other(Steps(storage: .one(.key(key)))) }

    /// One step to the element numbered `index` from 0; what is negative leads nowhere.
    public init(_ index: Int) { storage = .other(Steps(storage: .one(.index(index)))) }

    /// The steps of `path`, strict or not.
    public init(_ path: OptionalPath) {
      switch path.storage {
      case .optional(let path): self = path
      case .mixed(let steps): self.init(steps: steps.array.map(\.step))
      }
    }

    package init(steps: [Step]) {
      let isOne = steps.count == 1
      storage = .other(Steps(storage: isOne ? steps.first.map { .one($0) } ?? .many([]) : .many(steps)))
    }

    /// The steps in their order; none for the root.
    package var steps: [Step] {
      switch storage {
      case .literal(let key): [.key(key.description)]
      case .other(let steps): steps.array
      }
    }

    /// Whether there is no step.
    public var isRoot: Bool {
      if case .other(let steps) = storage { steps.array.isEmpty } else { false }
    }

    /// This path with the steps of `path` behind its own: `self => path` by name.
    public func appending(_ path: Path) -> Path {
      if isRoot { return path }
      return path.isRoot ? self : Path(steps: steps + path.steps)
    }

    /// This path with the steps of `path` behind its own, each with its strictness: `self =>? path` by name.
    public func appending(_ path: OptionalPath) -> OptionalPath { OptionalPath(requiring: self).appending(path) }
  }
}

extension JSON.Path: ExpressibleByStringLiteral {
  /// One step to the member whose key is the literal.
  @inlinable
  public init(stringLiteral key: StaticString) { storage = .literal(key) }
}

extension JSON.Path: ExpressibleByIntegerLiteral {
  /// One step to the element with that number, counted from 0.
  public init(integerLiteral index: Int) { self.init(index) }
}

extension JSON.Path: ExpressibleByArrayLiteral {
  /// The steps of the elements, one after the other; `[]` is the root.
  public init(arrayLiteral elements: JSON.Path...) { self.init(steps: elements.flatMap(\.steps)) }
}

extension JSON.Path: Hashable {
  /// Whether both have the same steps.
  public static func == (left: Self, right: Self) -> Bool { left.steps == right.steps }

  /// Feeds the steps.
  public func hash(into hasher: inout Hasher) { hasher.combine(steps) }
}

extension JSON {
  /// The way from the root of the document to this value.
  ///
  /// - Complexity: O(*d* · *m*), *d* the value's depth and *m* the members of the containers around it: it is found by
  ///   descending from the root, so that values need not carry it.
  public var path: Path { Path(steps: stepsFromRoot) }
}
