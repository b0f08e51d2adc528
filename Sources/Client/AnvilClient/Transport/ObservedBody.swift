internal import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// An event that occurs while a body is read.
package enum BodyEvent: Sendable {
  /// A chunk is passed to the reader.
  case chunk(Data)
  /// The complete body was read.
  case ended
  /// Reading failed; no other event follows.
  case failed(TransportError)
  /// The body was released before its end.
  case dropped
}

/// A body that reports how it is read: each chunk, and its end once, whatever the reason for the end.
final class ObservedBody: Sendable {
  private let source: TransportBody.Source
  private let observe: @Sendable (BodyEvent) -> Void
  private let isOver = Atomic(false)

  init(_ source: TransportBody.Source, _ observe: @escaping @Sendable (BodyEvent) -> Void) {
    self.source = source
    self.observe = observe
  }

  deinit {
    end(.dropped)
  }

  var channel: BodyChannel? { source.channel }

  func next() async throws(TransportError) -> Data? {
    do throws(TransportError) {
      guard let chunk = try await source.next() else {
        end(.ended)
        return nil
      }
      observe(.chunk(chunk))
      return chunk
    } catch {
      end(.failed(error))
      throw error
    }
  }

  private func end(_ event: BodyEvent) {
    if !isOver.exchange(true, ordering: .relaxed) { observe(event) }
  }
}
