internal import Synchronization

/// Finds the paths of values in their document. Finding those of one document in order takes one pass over it in total.
final class PathFinder: Sendable {
  private struct State {
    /// The document of the trail. The reference is weak so that the finder does not keep the document alive.
    weak var document: Document?
    var trail = ValueTrail()
  }

  private let state = Mutex(State())

  /// Returns the path from the root of the document to `json`.
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
