internal import Synchronization

/// Finds where values sit in their document: those of one document, one after another, in the time of one pass over it.
final class PathFinder: Sendable {
  private struct State {
    /// What the trail leads through: nothing that must be kept for its sake.
    weak var document: Document?
    var trail = ValueTrail()
  }

  private let state = Mutex(State())

  /// The way from the root of the document to `json`.
  func path(of json: JSON) -> JSON.Path {
    let document = json.document
    let steps = state.withLock { state -> [JSON.Step] in
      if state.document !== document { state = State(document: document) }
      return state.trail.members(to: json.index, from: 0, in: document).map { member in
        document.tape[member.container].is(.object)
          ? .key(state.trail.key(of: member, in: document)) : .index(member.position)
      }
    }
    return JSON.Path(steps: steps)
  }
}
