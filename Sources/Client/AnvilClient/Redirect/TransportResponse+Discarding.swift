internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension TransportResponse {
  /// The maximum number of bytes that are read from a discarded body.
  private static let discardLimit = 1 << 14

  /// Discards the body of a response that is replaced by another one, and releases the resources that are held until the end of the body.
  ///
  /// A body with a small declared length is read to its end, so that its connection can be reused. Any other body is dropped, which ends
  /// its transfer, because reading it could take arbitrarily long.
  @inline(never)
  mutating func discard() async {
    let body = body
    self.body = TransportBody(Data())
    guard case .bytes(let length) = head.headers.contentLength, length > 0, length <= Self.discardLimit,
      head.canHaveBody
    else { return }
    var iterator = body.makeAsyncIterator()
    var count = 0
    // Errors are ignored here. If the task is cancelled, the next request fails.
    while count <= Self.discardLimit, let chunk = try? await iterator.next() { count += chunk.count }
  }
}
