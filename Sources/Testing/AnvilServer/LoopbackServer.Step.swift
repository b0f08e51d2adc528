#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension LoopbackServer {
  /// A single action of the server on a connection. Every reply is a list of steps.
  ///
  /// The list ends early if the client disconnects, if it closes its sending side during a wait, or if the server stops.
  public enum Step: Sendable, Hashable {
    /// Sends these bytes, and waits while the client does not read.
    case send(Data)
    /// Waits for this duration. Zero and negative durations do not wait.
    case wait(Duration)
    /// Closes the connection gracefully, with FIN. Later steps are skipped.
    case close
    /// Resets the connection, with RST. Later steps are skipped.
    case reset
    /// Keeps the connection open and silent until the client closes it or the server stops. Later steps are skipped.
    case hang
  }
}
