/// The promises that are being settled, one after the other.
///
/// Settling one promise settles those made of it, and cancelling one may cancel the one it was made of. That is a recursion
/// for a few steps only, and beyond them a list: a chain can be longer than the stack is deep.
struct Settling: ~Copyable {
  typealias Step = @Sendable (inout Settling) -> Void

  private static let depthLimit = 32

  private var depth = 0
  private var waiting: [Step] = []

  private init() {}

  /// Does `step`, at once or later.
  mutating func perform(_ step: @escaping Step) {
    guard depth < Self.depthLimit else { return waiting.append(step) }
    depth += 1
    step(&self)
    depth -= 1
  }

  /// Does `first` and every step that comes of it.
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
