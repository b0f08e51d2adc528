internal import Anvil
internal import AnvilBase
internal import AnvilHTTP
internal import Synchronization

/// A line on a terminal about a transfer, redrawn in place and removed at the end: its fraction, bytes, rate and remaining time.
final class ProgressBar: Sendable {
  /// The time before the bar appears, so that it does not flash for short transfers.
  private static let delay = Duration.milliseconds(400)
  private static let interval = Duration.milliseconds(100)

  private struct State {
    var start: ContinuousClock.Instant
    /// The number of bytes at the start, for a continued download.
    var firstCount: Int?
    var lastDrawing: ContinuousClock.Instant?
    var hasEnded = false
    var count = 0
  }

  private let console: Console
  private let state: Mutex<State>

  init(console: Console) {
    self.console = console
    state = Mutex(State(start: .now))
  }

  var handler: TransferProgress.Handler { { self.update($0) } }

  /// Draws the progress, at most ten times per second.
  func update(_ progress: TransferProgress) {
    let now = ContinuousClock.now
    // On a terminal, ^C is shown after the bar and must not begin another line, which would remain.
    let width = console.errorColumns - 2
    let line = state.withLock { state -> String? in
      guard !state.hasEnded else { return nil }
      if progress.direction == .received { state.count = progress.byteCount }
      let first = state.firstCount ?? progress.byteCount
      state.firstCount = min(first, progress.byteCount)
      let elapsed = now - state.start
      guard elapsed >= Self.delay, state.lastDrawing.map({ now - $0 >= Self.interval }) ?? true else { return nil }
      state.lastDrawing = now
      let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
      return Self.line(
        count: progress.byteCount, total: progress.totalByteCount, rate: Double(progress.byteCount - first) / seconds,
        width: width)
    }
    if let line { console.writeError("\r\(line)\u{1B}[K") }
  }

  func end() {
    let isDrawn = state.withLock { state -> Bool in
      defer { state.hasEnded = true }
      return state.lastDrawing != nil && !state.hasEnded
    }
    if isDrawn { console.writeError("\r\u{1B}[K") }
  }

  /// Returns a line about a complete download: `saved linux.iso: 300 MB in 3.1 s`.
  func summary(of name: String) -> String {
    let (count, start) = state.withLock { ($0.count, $0.start) }
    return "saved \(name.printable): \(Self.size(Double(count))) in \((ContinuousClock.now - start).shortDescription)"
  }

  /// Returns ` 42 % [####      ] 126 MB of 300 MB, 97.1 MB/s, 0:02 left` in less than `width` columns. `rate` is in bytes per second.
  static func line(count: Int, total: Int?, rate: Double, width: Int) -> String {
    let speed = "\(size(rate))/s"
    guard let total, total > 0 else { return String("\(size(Double(count))), \(speed)".prefix(max(0, width - 1))) }
    let fraction = min(Double(count) / Double(total), 1)
    let percent = String(Int(fraction * 100))
    let head = String(repeating: " ", count: max(0, 3 - percent.count)) + "\(percent) %"
    var tail = "\(size(Double(count))) of \(size(Double(total))), \(speed)"
    if rate > 0 { tail += ", \(time(Double(total - count) / rate)) left" }
    let room = width - 1 - head.count - tail.count - 4
    guard room >= 5 else { return String("\(head) \(tail)".prefix(max(0, width - 1))) }
    let length = min(room, 30)
    let filled = Int(fraction * Double(length))
    return "\(head) [\(String(repeating: "#", count: filled))\(String(repeating: " ", count: length - filled))] \(tail)"
  }

  /// Returns a number of bytes with three digits: `999 B`, `1.50 kB`, `300 MB`.
  static func size(_ count: Double) -> String {
    var value = max(0, count)
    var unit = 0
    let units = ["B", "kB", "MB", "GB", "TB"]
    while value >= 999.5, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    guard unit > 0 else { return "\(Int(value)) B" }
    let places = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
    let scale = [1.0, 10, 100][places]
    let rounded = Int((value * scale).rounded())
    guard places > 0 else { return "\(rounded) \(units[unit])" }
    return "\(rounded / Int(scale)).\((rounded % Int(scale)).text(digits: places)) \(units[unit])"
  }

  /// Returns a duration such as `0:02`, or `1:02:03` from one hour on.
  private static func time(_ seconds: Double) -> String {
    let seconds = Int(min(max(seconds.rounded(.up), 0), 359_999))
    let two = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
  }
}
