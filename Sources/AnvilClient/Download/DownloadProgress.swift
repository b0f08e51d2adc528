/// Tells how far a file has come that takes several transfers.
struct DownloadProgress: Sendable {
  private let handler: TransferProgress.Handler?
  private var last: TransferProgress?

  init(_ handler: TransferProgress.Handler?) {
    self.handler = handler
  }

  /// Reports `count` bytes of `total`, unless that was the last report, and unless it would be a step back.
  mutating func advance(to count: Int, of total: Int?) {
    guard let handler else { return }
    let next = TransferProgress(
      direction: .received, byteCount: max(count, last?.byteCount ?? 0), totalByteCount: total)
    guard next != last else { return }
    last = next
    handler(next)
  }

  /// The next report begins anew.
  mutating func restart() {
    last = nil
  }
}
