/// How far one direction of a transfer has come.
///
///     request.progressHandler = { progress in
///       if progress.direction == .received { print(progress.byteCount, "of", progress.totalByteCount ?? 0) }
///     }
public struct TransferProgress: Hashable, Sendable {
  /// Hears of progress, on whichever thread makes it. The transfer waits for it: it had better return at once.
  ///
  /// Each attempt begins anew, at 0 bytes of each body that there is: the request's when it is about to be sent, the
  /// response's when its head has come. Calls about one direction come one after another, their counts never fall, and the
  /// last one about a body that was transferred whole has reached its total. Of the two directions one may overtake the
  /// other, as a server may answer before it has read everything.
  public typealias Handler = @Sendable (TransferProgress) -> Void

  /// Which of the two bodies.
  public enum Direction: Hashable, Sendable {
    /// The request's: what has been handed to the system to be sent.
    case sent
    /// The response's: what has been read of it.
    case received
  }

  /// Which of the two bodies.
  public let direction: Direction
  /// How many of its bytes so far, without framing, decompressed.
  public let byteCount: Int
  /// How many there are, where that is known; of a response that does not say so it is known at its end.
  public let totalByteCount: Int?

  /// The progress of a body of which `byteCount` bytes have been transferred.
  public init(direction: Direction, byteCount: Int, totalByteCount: Int?) {
    self.direction = direction
    self.byteCount = byteCount
    self.totalByteCount = totalByteCount
  }

  /// The part that has been transferred, 0 to 1; `nil` where the total is not known. All of an empty body is 1.
  public var fraction: Double? {
    totalByteCount.map { $0 > 0 ? min(Double(byteCount) / Double($0), 1) : 1 }
  }
}

/// Counts one direction of one attempt and reports it.
package struct ProgressCounter: Sendable {
  private let direction: TransferProgress.Direction
  private let handler: TransferProgress.Handler
  private var total: Int?
  private var count = 0

  /// A counter that has reported its beginning; `nil` where nobody wants to hear.
  package init?(_ direction: TransferProgress.Direction, total: Int?, handler: TransferProgress.Handler?) {
    guard let handler else { return nil }
    self.direction = direction
    self.total = total
    self.handler = handler
    report()
  }

  /// Reports `more` bytes.
  package mutating func add(_ more: Int) {
    advance(to: count + more)
  }

  /// Reports `count` bytes in all, unless that many have been before. A total that turns out too small is none.
  package mutating func advance(to count: Int) {
    guard count > self.count else { return }
    self.count = count
    if let known = total, count > known { total = nil }
    report()
  }

  /// Reports the end, unless the last report did so: the total is what has been counted.
  package mutating func finish() {
    guard total != count else { return }
    total = count
    report()
  }

  private func report() {
    handler(TransferProgress(direction: direction, byteCount: count, totalByteCount: total))
  }
}
