#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension LoopbackServer {
  /// One thing that the server does with a connection. Every reply is a list of them.
  ///
  /// The list ends early when the client goes away, when it closes its sending side during a wait, and when the server
  /// stops.
  public enum Step: Sendable, Hashable {
    /// Sends these bytes, waiting as long as the client does not read.
    case send(Data)
    /// Does nothing for this long; zero and less are no wait.
    case wait(Duration)
    /// Closes the connection in order, with FIN. What follows is not done.
    case close
    /// Breaks the connection off, with RST. What follows is not done.
    case reset
    /// Keeps the connection open and silent until the client closes it or the server stops. What follows is not done.
    case hang
  }
}
