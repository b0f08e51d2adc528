internal import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What becomes of a body as it is read.
package enum BodyEvent: Sendable {
  /// A chunk is handed to the reader.
  case chunk(Data)
  /// Everything was read.
  case ended
  /// Reading failed; nothing comes after it.
  case failed(TransportError)
  /// The body was let go of before its end.
  case dropped
}

/// A body that tells what is read of it: each chunk, and its end once, whatever that is.
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
