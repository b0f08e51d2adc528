internal import AnvilBase
internal import AnvilSync
internal import Synchronization

/// Lines on a terminal about the running pulls, one for each listing.
///
/// The lines are redrawn in place, and removed at the end.
final class PullProgress: Sendable {
  private static let interval = Duration.milliseconds(100)
  /// The number of lines that fit on any terminal.
  private static let maximumLineCount = 16

  private struct State {
    /// The running listings by their numbers in the file, with their pages and rows.
    var texts: [Int: String] = [:]
    var lineCount = 0
    var lastDrawing: ContinuousClock.Instant?
  }

  private let console: Console
  private let isShown: Bool
  private let state = Mutex(State())

  init(console: Console) {
    self.console = console
    isShown = console.errorIsTerminal && console.environment["TERM"] != "dumb"
  }

  func begin(_ index: Int, name: String) {
    state.withLock { $0.texts[index] = "\(name): no page yet" }
  }

  /// Draws the lines, at most ten times per second.
  func update(_ index: Int, name: String, _ report: PullReport) {
    guard isShown else { return }
    let now = ContinuousClock.now
    state.withLock { state in
      state.texts[index] = "\(name): \(report)"
      guard state.lastDrawing.map({ now - $0 >= Self.interval }) ?? true else { return }
      state.lastDrawing = now
      draw(&state)
    }
  }

  /// Removes the line of a listing, and writes its result above the other lines.
  func end(_ index: Int, writingResult body: () -> Void) {
    state.withLock { state in
      state.texts[index] = nil
      let wasDrawn = state.lineCount > 0
      erase(&state)
      body()
      if wasDrawn { draw(&state) }
    }
  }

  private func draw(_ state: inout State) {
    erase(&state)
    let lines = state.texts.sorted { $0.key < $1.key }.prefix(Self.maximumLineCount)
      .map { $0.value.printable.prefix(max(0, console.errorColumns - 1)) + "\n" }
    console.writeError(lines.joined())
    state.lineCount = lines.count
  }

  private func erase(_ state: inout State) {
    if state.lineCount > 0 { console.writeError("\u{1B}[\(state.lineCount)A\r\u{1B}[J") }
    state.lineCount = 0
  }
}
