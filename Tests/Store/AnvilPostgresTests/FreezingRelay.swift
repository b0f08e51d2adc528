import AnvilTestSupport
import Foundation
import Synchronization
import Testing

/// Forwards connections to a server on this machine. While it is frozen, it keeps them and passes nothing on, as a network or a machine
/// that has failed: the system acknowledges what is sent, and nothing answers.
final class FreezingRelay: Sendable {
  /// The URL of the server, with the port of the relay.
  let url: String
  private let frozen: Frozen
  private let server: RawServer

  private final class Frozen: Sendable {
    let isOn = Atomic(false)
  }

  init(to url: String) throws {
    var components = try #require(URLComponents(string: url))
    let port = try #require(components.port)
    let frozen = Frozen()
    self.frozen = frozen
    server = try RawServer { client in
      guard !frozen.isOn.load(ordering: .relaxed), let origin = try? RawSocket.connected(to: port) else {
        return client.waitForEnd()
      }
      while let ready = RawSocket.readable([client, origin], milliseconds: 10) {
        // A connection that was frozen once is lost.
        guard !frozen.isOn.load(ordering: .relaxed) else { return client.waitForEnd() }
        for source in ready {
          guard let bytes = source.read(), (source === client ? origin : client).write(bytes) else { return }
        }
      }
    }
    components.port = server.port
    self.url = try #require(components.string)
  }

  var isFrozen: Bool {
    get { frozen.isOn.load(ordering: .relaxed) }
    set { frozen.isOn.store(newValue, ordering: .relaxed) }
  }
}
