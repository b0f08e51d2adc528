extension JSON {
  /// The way from a value to one inside it, on which some steps may lead nowhere.
  ///
  ///     let path: JSON.OptionalPath = "owner" =>? "address" => "city"
  ///
  /// Each step is strict or not: literals make steps that may be missing, what stands behind `=>` must be there. Here
  /// `owner` and `address` may be missing, but an address must have a city. A step that leads to `null` counts as missing
  /// where it may be.
  ///
  /// - Complexity: a path of one literal takes no memory of its own, longer ones an array.
  public struct OptionalPath: Sendable {
    package struct OptionalStep: Hashable, Sendable {
      package let step: Step
      package var isRequired: Bool
    }

    @usableFromInline
    enum Storage: Sendable {
      /// All steps of the path may be missing.
      case optional(Path)
      case mixed(Steps)
    }

    /// Steps of which each may be missing or not.
    @usableFromInline
    struct Steps: Sendable {
      let array: [OptionalStep]
      /// How many of them were written as one operand, the first.
      let leading: Int
    }

    @usableFromInline let storage: Storage

    /// The steps of `path`, each of which may be missing; without any, the root.
    public init(_ path: Path = Path()) { storage = .optional(path) }

    /// One step to the member whose key is `key`, which may be missing.
    public init(_ key: String) { self.init(Path(key)) }

    /// The steps of `path`, each of which must be there.
    public init(requiring path: Path) {
      let steps = path.steps.map { OptionalStep(step: $0, isRequired: true) }
      self.init(steps, leading: steps.count)
    }

    private init(_ steps: [OptionalStep], leading: Int) {
      storage = .mixed(Steps(array: steps, leading: leading))
    }

    package var steps: [OptionalStep] {
      switch storage {
      case .optional(let path): path.steps.map { OptionalStep(step: $0, isRequired: false) }
      case .mixed(let steps): steps.array
      }
    }

    private var leading: Int {
      switch storage {
      case .optional(let path): path.steps.count
      case .mixed(let steps): steps.leading
      }
    }

    /// This path with the steps of `path` behind its own, each with its strictness: `self =>? path` by name.
    public func appending(_ path: OptionalPath) -> OptionalPath {
      let steps = steps
      return OptionalPath(steps + path.steps, leading: steps.isEmpty ? path.leading : leading)
    }

    /// This path with the steps of `path` behind its own, which must be there: `self => path` by name.
    public func appending(_ path: Path) -> OptionalPath { appending(OptionalPath(requiring: path)) }

    /// This path with its first operand's steps made strict: what `=>` before a path means.
    ///
    /// In `json => "a" =>? "b"` the operators group from the right, so that the path `"a" =>? "b"`, of whose first operand
    /// nothing is known yet, is there before the `=>` that makes it strict.
    package var requiringFirst: OptionalPath {
      let leading = leading
      var steps = steps
      for index in steps.indices.prefix(leading) { steps[index].isRequired = true }
      return OptionalPath(steps, leading: leading)
    }
  }
}

extension JSON.OptionalPath: ExpressibleByStringLiteral {
  /// One step to the member whose key is the literal, which may be missing.
  @inlinable
  public init(stringLiteral key: StaticString) { storage = .optional(JSON.Path(stringLiteral: key)) }
}

extension JSON.OptionalPath: ExpressibleByIntegerLiteral {
  /// One step to the element with that number, counted from 0, which may be missing.
  public init(integerLiteral index: Int) { storage = .optional(JSON.Path(index)) }
}

extension JSON.OptionalPath: ExpressibleByArrayLiteral {
  /// The steps of the elements, one after the other.
  public init(arrayLiteral elements: JSON.OptionalPath...) {
    let steps = elements.flatMap(\.steps)
    self.init(steps, leading: steps.count)
  }
}

extension JSON.OptionalPath: Hashable {
  /// Whether both have the same steps of the same strictness.
  public static func == (left: Self, right: Self) -> Bool { left.steps == right.steps }

  /// Feeds the steps.
  public func hash(into hasher: inout Hasher) { hasher.combine(steps) }
}

extension JSON.OptionalPath: CustomStringConvertible {
  /// The steps as Swift would write them, those that may be missing with a question mark: `owner?.address?.city`.
  public var description: String {
    var text = ""
    for step in steps {
      text.append(step.step)
      if !step.isRequired { text += "?" }
    }
    return text
  }
}
