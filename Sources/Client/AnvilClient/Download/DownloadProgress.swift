/// Reports the progress of a file across several transfers.
struct DownloadProgress: Sendable {
  private let handler: TransferProgress.Handler?
  private var last: TransferProgress?

  init(_ handler: TransferProgress.Handler?) {
    self.handler = handler
  }

  /// Reports `count` bytes of `total`, unless that equals the last report. The count never decreases.
  mutating func advance(to count: Int, of total: Int?) {
    guard let handler else { return }
    let next = TransferProgress(
      direction: .received, byteCount: max(count, last?.byteCount ?? 0), totalByteCount: total)
    guard next != last else { return }
    last = next
    handler(next)
  }

  /// Allows the next report to start again from a lower count.
  mutating func restart() {
    last = nil
  }
}
