internal import AnvilClient
internal import AnvilHTTP
internal import AnvilJSON
internal import Synchronization

/// The rows of the last page that contain an unpaired surrogate, with the reasons for skipping them.
///
/// Such a page is not JSON, although most of its rows can be read.
final class DamagedRows: Sendable {
  private let failures = Mutex<[Int: ItemFailure]>([:])

  /// Returns the page of a response that is not valid JSON because of such rows, but has no other errors. Returns `nil` for other
  /// responses.
  func recover(_ failure: DecodingFailure, of request: GatewayRequest, items: any PullPath) -> JSON? {
    guard case .decodingError = failure, let data = failure.response.body.data,
      let decoder = request.responseFormat as? JSON.Decoder,
      let text = JSON.repairing(data, options: decoder.parsingOptions),
      // The rows of other paths have no common beginning.
      items.isSingular, let list = try? items.list(in: text.value)
    else { return nil }
    let beginning = list.path.steps
    var damaged: [Int: ItemFailure] = [:]
    for replacement in text.replacements {
      let steps = replacement.path.steps
      let start = beginning.count
      // Other parts of the page may have the position of the next one.
      guard steps.starts(with: beginning), steps.count > start, case .index(let row) = steps[start] else {
        return nil
      }
      guard damaged[row] == nil else { continue }
      damaged[row] = ItemFailure(
        at: JSON.Path(steps: Array(steps[(start + 1)...])),
        "the text has an unpaired surrogate (\(replacement.escape))")
    }
    failures.withLock { $0 = damaged }
    return text.value
  }

  /// Removes and returns the damaged rows of the last received page. Rows before the row with the number `first` are left out, and the row
  /// numbers are relative to it.
  func take(from first: Int) -> [Int: ItemFailure] {
    let damaged = failures.withLock { failures in
      defer { failures = [:] }
      return failures
    }
    return Dictionary(uniqueKeysWithValues: damaged.filter { $0.key >= first }.map { ($0.key - first, $0.value) })
  }
}
