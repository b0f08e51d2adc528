internal import Synchronization

/// Finds the paths of values in their document. Finding those of one document in order takes one pass over it in total.
package final class PathFinder: Sendable {
  private struct State {
    /// The document of the cursor. The reference is weak so that the finder does not keep the document alive.
    weak var document: Document?
    var cursor = PathCursor()
  }

  private let state = Mutex(State())

  package init() {}

  /// Returns the path from the root of the document to `json`.
  package func path(of json: JSON) -> JSON.Path {
    let document = json.document
    let steps = state.withLock { state in
      if state.document !== document { state = State(document: document) }
      return state.cursor.steps(to: json.index, in: document)
    }
    return JSON.Path(steps: steps)
  }
}
