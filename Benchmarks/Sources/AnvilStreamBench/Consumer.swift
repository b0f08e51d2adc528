import Anvil

/// What is done with a response.
enum Consumer {
  /// Reads all of `body` and returns how much there was. Whatever is to be measured reading a stream belongs here.
  static func consume(_ body: HTTP.Body, pace: Pace) async throws -> Int {
    var count = 0
    for try await chunk in body {
      count += chunk.count
      if case .slow = pace { try await Task.sleep(for: .milliseconds(1)) }
    }
    return count
  }

  enum Pace: String {
    /// As fast as it can.
    case fast
    /// With a pause after each chunk: what the network is faster than.
    case slow
  }
}
