extension JSON {
  /// A path from a value to a value inside it, with steps that may be missing.
  ///
  ///     let path: JSON.OptionalPath = "owner" =>? "address" => "city"
  ///
  /// Each step is required or optional. Literals create optional steps, and the operand after `=>` is required. Here
  /// `owner` and `address` may be missing, but an address must have a city. An optional step that leads to `null` is treated as
  /// missing.
  ///
  /// - Complexity: A path of one literal needs no allocation; longer paths are an array.
  public struct OptionalPath: Sendable {
    package struct OptionalStep: Hashable, Sendable {
      package let step: Step
      package var isRequired: Bool
    }

    @usableFromInline
    enum Storage: Sendable {
      /// All steps of the path are optional.
      case optional(Path)
      case mixed(Steps)
    }

    /// Steps that are each required or optional.
    @usableFromInline
    struct Steps: Sendable {
      let array: [OptionalStep]
      /// The number of steps in the first operand of the path, which ``requiringFirst`` makes required.
      let leading: Int
    }

    @usableFromInline let storage: Storage

    /// Creates a path with the steps of `path`, all optional. Without steps it leads to the root. For a key in a variable, use
    /// `OptionalPath(Path(key))`.
    public init(_ path: Path = Path()) { storage = .optional(path) }

    /// Creates a path with the steps of `path`, all required.
    package init(requiring path: Path) {
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

    /// Returns this path followed by `path`. Each step stays required or optional. The same as `self =>? path`.
    public func appending(_ path: OptionalPath) -> OptionalPath {
      let steps = steps
      return OptionalPath(steps + path.steps, leading: steps.isEmpty ? path.leading : leading)
    }

    /// Returns this path followed by the steps of `path`, which are required. The same as `self => path`.
    public func appending(_ path: Path) -> OptionalPath { appending(OptionalPath(requiring: path)) }

    /// This path with the steps of its first operand required, which is the effect of `=>` before a path.
    ///
    /// In `json => "a" =>? "b"` the operators group from the right. The path `"a" =>? "b"` therefore exists before the `=>` that makes
    /// its first operand required.
    package var requiringFirst: OptionalPath {
      let leading = leading
      var steps = steps
      for index in steps.indices.prefix(leading) { steps[index].isRequired = true }
      return OptionalPath(steps, leading: leading)
    }
  }
}

extension JSON.OptionalPath: ExpressibleByStringLiteral {
  /// Creates a path with one optional step, to the member whose key is the literal.
  @inlinable
  public init(stringLiteral key: StaticString) { storage = .optional(JSON.Path(stringLiteral: key)) }
}

extension JSON.OptionalPath: ExpressibleByIntegerLiteral {
  /// Creates a path with one optional step, to the element at that index, counted from 0.
  public init(integerLiteral index: Int) { storage = .optional(JSON.Path(index)) }
}

extension JSON.OptionalPath: ExpressibleByArrayLiteral {
  /// Creates a path with the steps of all elements, in order.
  public init(arrayLiteral elements: JSON.OptionalPath...) {
    let steps = elements.flatMap(\.steps)
    self.init(steps, leading: steps.count)
  }
}

extension JSON.OptionalPath: Hashable {
  /// Returns whether both have the same steps, equally required or optional.
  public static func == (left: Self, right: Self) -> Bool { left.steps == right.steps }

  /// Hashes the steps.
  public func hash(into hasher: inout Hasher) { hasher.combine(steps) }
}

extension JSON.OptionalPath: CustomStringConvertible {
  /// The steps as Swift would write them, with a question mark after optional steps: `owner?.address?.city`.
  public var description: String {
    var text = ""
    for step in steps {
      text.append(step.step)
      if !step.isRequired { text += "?" }
    }
    return text
  }
}
