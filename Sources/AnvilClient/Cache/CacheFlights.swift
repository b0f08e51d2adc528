internal import AnvilHTTP
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The fetches that are under way, each under what makes another one the same.
final class CacheFlights: Sendable {
  /// What makes two fetches one.
  enum Identity: Hashable {
    /// The same request, with as much time for it. Fields that no response varies by count, too: that is known
    /// afterwards only.
    case request(URL, HTTP.Headers, Duration?)
    /// The background confirmation of an entry.
    case confirmation(UUID)
    /// Nothing: a fetch of one caller's own.
    case own(UInt64)
  }

  private struct State {
    /// Those that may be joined, and some that cannot be any more.
    var joinable: [Identity: CacheFlight] = [:]
    var all: [ObjectIdentifier: CacheFlight] = [:]
    var lastNumber: UInt64 = 0

    mutating func add(_ identity: Identity, _ key: CacheKey, isBackground: Bool = false) -> CacheFlight {
      let flight = CacheFlight(key: key, identity: identity, isBackground: isBackground)
      joinable[identity] = flight
      all[ObjectIdentifier(flight)] = flight
      return flight
    }
  }

  private let state = Mutex(State())

  /// The flight to wait for: the one under way, joined, or a new one. For no identity it is one that nobody else can
  /// join.
  func flight(_ identity: Identity?, for key: CacheKey) -> CacheFlight {
    state.withLock { state in
      if let identity, let known = state.joinable[identity], known.join() { return known }
      state.lastNumber += 1
      let flight = state.add(identity ?? .own(state.lastNumber), key)
      _ = flight.join()
      return flight
    }
  }

  /// A new flight that goes on without anyone; `nil` when there is one for the entry already.
  func background(for entry: CacheEntry, _ key: CacheKey) -> CacheFlight? {
    state.withLock { state in
      let identity = Identity.confirmation(entry.id)
      guard state.joinable[identity] == nil else { return nil }
      return state.add(identity, key, isBackground: true)
    }
  }

  /// Forgets a flight that has ended.
  func remove(_ flight: CacheFlight) {
    state.withLock { state in
      state.all[ObjectIdentifier(flight)] = nil
      if state.joinable[flight.identity] === flight { state.joinable[flight.identity] = nil }
    }
  }

  /// Keeps what is under way for a URL from being stored or joined: the target has changed meanwhile.
  func makeObsolete(_ key: CacheKey) {
    for flight in state.withLock({ Array($0.all.values) }) where flight.key == key { flight.makeObsolete() }
  }

  /// How many callers are interested in what is under way, a background fetch counting as one.
  var interest: Int {
    state.withLock { Array($0.all.values) }.reduce(0) { $0 + ($1.isBackground ? 1 : $1.interest) }
  }
}
