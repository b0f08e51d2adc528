internal import AnvilHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension TransportResponse {
  /// The most that is read of a body nobody wants.
  private static let discardLimit = 1 << 14

  /// Lets go of the body of a response that another one takes the place of, and of all that is held until its end.
  ///
  /// A body whose length is announced and small is read to its end, so that its connection can be used again; any other
  /// is dropped, which ends its transfer: there is no telling how long it would take.
  mutating func discard() async {
    let body = body
    self.body = TransportBody(Data())
    guard case .bytes(let length) = head.headers.statedLength, length > 0, length <= Self.discardLimit,
      head.canHaveBody
    else { return }
    var iterator = body.makeAsyncIterator()
    var count = 0
    // What goes wrong here is of no interest; a cancelled task ends with the request that follows.
    while count <= Self.discardLimit, let chunk = try? await iterator.next() { count += chunk.count }
  }
}
