/// The progress of one direction of a transfer.
///
///     request.progressHandler = { progress in
///       if progress.direction == .received { print(progress.byteCount, "of", progress.totalByteCount ?? 0) }
///     }
public struct TransferProgress: Hashable, Sendable {
  /// A closure that is called with progress, on any thread. The transfer waits for it, so it should return immediately.
  ///
  /// In each attempt, the progress of a body starts at 0 bytes: the request's body when it is about to be sent, the response's body when
  /// its head arrives. A missing body has no progress. Calls for one direction are sequential and their counts never decrease. The last
  /// call for a completely transferred body has reached the total. The two directions may overlap, since a server may respond before it
  /// has read the whole request.
  public typealias Handler = @Sendable (TransferProgress) -> Void

  /// The direction of a body.
  public enum Direction: Hashable, Sendable {
    /// The request's body: the bytes that have been passed to the system to be sent.
    case sent
    /// The response's body: the bytes that have been read.
    case received
  }

  /// The direction of the body.
  public let direction: Direction
  /// The number of bytes of the body transferred so far, without framing. The bytes of a response are counted after decompression.
  public let byteCount: Int
  /// The total number of bytes, if it is known. For a response that does not announce its length, it is known at the end.
  public let totalByteCount: Int?

  /// Creates the progress of a body of which `byteCount` bytes have been transferred.
  public init(direction: Direction, byteCount: Int, totalByteCount: Int?) {
    self.direction = direction
    self.byteCount = byteCount
    self.totalByteCount = totalByteCount
  }

  /// The fraction that has been transferred, 0 to 1; `nil` if the total is not known. The fraction of an empty body is 1.
  public var fraction: Double? {
    totalByteCount.map { $0 > 0 ? min(Double(byteCount) / Double($0), 1) : 1 }
  }
}

/// A counter that reports the progress of one direction of one attempt.
package struct ProgressCounter: Sendable {
  private let direction: TransferProgress.Direction
  private let handler: TransferProgress.Handler
  private var total: Int?
  private var count = 0

  /// Creates a counter and reports its initial progress; `nil` without a handler.
  package init?(_ direction: TransferProgress.Direction, total: Int?, handler: TransferProgress.Handler?) {
    guard let handler else { return nil }
    self.direction = direction
    self.total = total
    self.handler = handler
    report()
  }

  /// Adds `more` bytes and reports the progress.
  package mutating func add(_ more: Int) {
    advance(to: count + more)
  }

  /// Reports that `count` bytes have been transferred in total, unless that many have been reported before. A total that turns out to be
  /// too small is discarded.
  package mutating func advance(to count: Int) {
    guard count > self.count else { return }
    self.count = count
    if let known = total, count > known { total = nil }
    report()
  }

  /// Reports the counted bytes as the total, unless the last report has already done so.
  package mutating func finish() {
    guard total != count else { return }
    total = count
    report()
  }

  private func report() {
    handler(TransferProgress(direction: direction, byteCount: count, totalByteCount: total))
  }
}
