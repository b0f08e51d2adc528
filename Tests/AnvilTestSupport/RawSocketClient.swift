internal import Dispatch

/// A TCP connection to 127.0.0.1 that returns the received bytes and how the connection ended. It does not interpret HTTP.
///
/// It blocks on a separate queue.
package final class RawSocketClient: Sendable {
  /// All received bytes, and the end of the connection.
  package struct Received: Equatable, Sendable {
    package let text: String
    package let ending: RawSocket.Ending

    package init(text: String, ending: RawSocket.Ending) {
      self.text = text
      self.ending = ending
    }
  }

  private let socket: RawSocket
  private let queue = DispatchQueue(label: "raw client")

  package init(port: Int) throws {
    socket = try .connected(to: port)
  }

  /// Sends all of `text`, or as much as the server takes before it closes.
  package func send(_ text: String) async {
    await onQueue { [socket] in _ = socket.write(text) }
  }

  /// Sends FIN: the server sees a client that has gone away.
  package func finishSending() { socket.finish() }

  /// Reads until the server ends the connection.
  package func readToEnd() async throws -> Received {
    try await onQueue { [socket] in
      Result { () throws(RawSocket.Failure) in
        var bytes: [UInt8] = []
        while true {
          switch try socket.receive() {
          case .bytes(let more): bytes += more
          case .ended(let ending): return Received(text: String(decoding: bytes, as: UTF8.self), ending: ending)
          }
        }
      }
    }.get()
  }

  /// Reads up to and including the first `text`, and not a byte more; less if the connection ends earlier.
  package func read(through text: String) async throws -> String {
    try await onQueue { [socket] in
      Result { () throws(RawSocket.Failure) in
        var bytes: [UInt8] = []
        while !bytes.suffix(text.utf8.count).elementsEqual(text.utf8), case .bytes(let more) = try socket.receive(1) {
          bytes += more
        }
        return String(decoding: bytes, as: UTF8.self)
      }
    }.get()
  }

  private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }
}
