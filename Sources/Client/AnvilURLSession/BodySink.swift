internal import AnvilClient
internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// The destination of the chunks of a response.
enum BodySink: Sendable {
  /// Memory. On platforms where a task can be suspended, it is suspended while too many bytes are unread.
  case memory(TransportBody.Writer)
  /// Memory, and a file for chunks that arrive faster than they are read.
  case overflow(Overflow)

  /// Returns the body of a response to `task`, and the destination of its chunks.
  static func make(
    for task: URLSessionTask, delivery: ResponseDelivery, _ foundation: FoundationImplementation = .current,
    onAbandon: @escaping @Sendable () -> Void
  ) -> (TransportBody, BodySink) {
    switch (foundation, delivery) {
    case (.corelibs, .streamed):
      let (body, overflow) = Overflow.makeStream(onAbandon: onAbandon)
      return (body, .overflow(overflow))
    case (.corelibs, _):
      let (body, writer) = TransportBody.makeStream(onAbandon: onAbandon)
      return (body, .memory(writer))
    case (.apple, _):
      let (body, writer) = TransportBody.makeStream(onAbandon: onAbandon) { flow in
        switch flow {
        case .pause: task.suspend()
        case .resume: task.resume()
        }
      }
      return (body, .memory(writer))
    }
  }

  /// - Throws: An error if the chunk cannot be stored. The body has then ended with that error.
  func yield(_ chunk: Data) throws(TransportError) {
    switch self {
    case .memory(let writer): writer.yield(chunk)
    case .overflow(let overflow): try overflow.yield(chunk)
    }
  }

  /// Ends the body after all chunks that have been received.
  func finish(_ error: TransportError?) {
    switch self {
    case .memory(let writer): writer.finish(error)
    case .overflow(let overflow): overflow.finish(error)
    }
  }

  /// Ends the body after the chunks that are in memory.
  func abort(_ error: TransportError) {
    switch self {
    case .memory(let writer): writer.finish(error)
    case .overflow(let overflow): overflow.abort(error)
    }
  }
}
