internal import AnvilClient
internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Where the chunks of a response go.
enum BodySink: Sendable {
  /// Into memory. Where a task can be suspended, it is while its reader has enough.
  case memory(TransportBody.Writer)
  /// Into memory, and what its reader is too slow for into a file.
  case overflow(Overflow)

  /// The body of a response to `task`, and where its chunks go.
  static func make(
    for task: URLSessionTask, delivery: ResponseDelivery, onAbandon: @escaping @Sendable () -> Void
  ) -> (TransportBody, BodySink) {
    #if canImport(FoundationNetworking)
    if case .streamed = delivery {
      let (body, overflow) = Overflow.makeStream(onAbandon: onAbandon)
      return (body, .overflow(overflow))
    }
    let (body, writer) = TransportBody.makeStream(onAbandon: onAbandon)
    #else
    let (body, writer) = TransportBody.makeStream(onAbandon: onAbandon) { flow in
      switch flow {
      case .pause: task.suspend()
      case .resume: task.resume()
      }
    }
    #endif
    return (body, .memory(writer))
  }

  /// - Throws: what there is no room for; the body has ended with that.
  func yield(_ chunk: Data) throws(TransportError) {
    switch self {
    case .memory(let writer): writer.yield(chunk)
    case .overflow(let overflow): try overflow.yield(chunk)
    }
  }

  /// Ends the body after all that has come.
  func finish(_ error: TransportError?) {
    switch self {
    case .memory(let writer): writer.finish(error)
    case .overflow(let overflow): overflow.finish(error)
    }
  }

  /// Ends the body after what is in memory.
  func abort(_ error: TransportError) {
    switch self {
    case .memory(let writer): writer.finish(error)
    case .overflow(let overflow): overflow.abort(error)
    }
  }
}
