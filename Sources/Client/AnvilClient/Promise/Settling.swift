/// Runs the steps that follow when a promise is settled or cancelled.
///
/// Settling one promise settles the promises derived from it, and cancelling one may cancel the promise it was derived from. The steps run
/// recursively up to a fixed depth. Deeper steps are queued, because a long chain of promises could overflow the stack.
struct Settling: ~Copyable {
  typealias Step = @Sendable (inout Settling) -> Void

  private static let depthLimit = 32

  private var depth = 0
  private var waiting: [Step] = []

  private init() {}

  /// Runs `step`, at once or later.
  @inline(never)
  mutating func perform(_ step: @escaping Step) {
    guard depth < Self.depthLimit else { return waiting.append(step) }
    depth += 1
    step(&self)
    depth -= 1
  }

  /// Runs `first` and all steps that follow from it.
  @inline(never)
  static func perform(_ first: (inout Settling) -> Void) {
    var settling = Settling()
    first(&settling)
    while !settling.waiting.isEmpty {
      let steps = settling.waiting
      settling.waiting = []
      for step in steps { settling.perform(step) }
    }
  }
}
