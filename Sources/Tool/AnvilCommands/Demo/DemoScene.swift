internal import Anvil
internal import AnvilSQLite

/// A demonstration of one feature with the demo's API.
struct DemoScene: Sendable {
  enum Outcome: Sendable {
    /// The number of decoded models.
    case decoded(Int)
    /// The number of models that were decoded after a failure.
    case recovered(Int)
    /// The number of decoded models, and the changes to their rows.
    case stored(Int, StoreChanges.Counts)
    /// A successful request without a response body.
    case done
    /// The failure that the scene demonstrates.
    case failedAsExpected
    /// Any other result.
    case unexpected
  }

  struct Result: Sendable {
    var outcome: Outcome
    /// The lines of the printed result.
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
  /// The call in the form of a caller's code.
  let code: String
  let play: @Sendable (DemoAPI) async -> Result

  /// The service that scenes use by default.
  static let backend = BackendService()

  /// Returns all scenes. The last one saves its models in `store`.
  static func all(keepingIn store: DemoStore) -> [DemoScene] {
    [
      typedModel, gateway, typedArray, rootKey, polymorphicEvents, emptyResponse, recovered, ownError, errorInA200,
      timeout, drifted, kept(in: store),
    ]
  }
}
