internal import Anvil
internal import AnvilSQLite

/// One thing that Anvil does, shown against the demo's API.
struct DemoScene: Sendable {
  enum Outcome: Sendable {
    /// So many models came.
    case decoded(Int)
    /// So many models came, after a failure.
    case recovered(Int)
    /// So many models came, and this became of their rows.
    case stored(Int, StoreChanges.Counts)
    /// The server did what it was asked, without an answer.
    case done
    /// The failure that was to be shown.
    case failedAsExpected
    /// Something else.
    case unexpected
  }

  struct Result: Sendable {
    var outcome: Outcome
    /// What a caller gets, a line each.
    var lines: [String]

    static func unexpected(_ what: some Any) -> Result {
      Result(outcome: .unexpected, lines: ["unexpected: \(what)"])
    }

    func text(title: String, code: String) -> String {
      let mark = if case .unexpected = outcome { "✗" } else { "→" }
      let result = lines.enumerated().map { "  \($0 == 0 ? mark : " ") \($1)" }
      return ([title, "    \(code)"] + result).joined(separator: "\n") + "\n"
    }
  }

  let title: String
  /// The call, as a caller would write it.
  let code: String
  let play: @Sendable (DemoAPI) async -> Result

  /// What every scene sends through, unless it is about another service.
  static let backend = BackendService()

  /// All scenes, the last of which keeps what it gets in `store`.
  static func all(keepingIn store: DemoStore) -> [DemoScene] {
    [
      typedModel, gateway, typedArray, rootKey, polymorphicEvents, emptyResponse, recovered, ownError, errorInA200,
      timeout, drifted, kept(in: store),
    ]
  }
}
