internal import Synchronization

/// A hint for the object in which the last member was looked up: the probable position of the next key.
///
/// It is one word that is read and written atomically. The high half is the index of the object. The low half is the index of the
/// member after the last one found, or another state. Each value is a fact about the tape, regardless of the thread that wrote
/// it. Threads that read one document at the same time can therefore only slow each other down.
struct MemberHint: ~Copyable {
  enum State: Equatable {
    /// No fact about the object is known.
    case unknown
    /// A member of the object was looked up once.
    case seen
    /// The object's keys differ. The member at this index is probably looked up next, unless the index is the end of the object.
    case next(Int)
    /// Two members may share a key. Because the first one counts, every search begins at the first member.
    case ambiguous
  }

  private static let ambiguous: UInt64 = 0xFFFF_FFFF
  private let word = Atomic<UInt64>(.max)

  @inline(__always)
  func state(ofObjectAt index: Int) -> State {
    let word = word.load(ordering: .relaxed)
    guard word &>> 32 == UInt64(truncatingIfNeeded: index) else { return .unknown }
    let low = word & 0xFFFF_FFFF
    if low == Self.ambiguous { return .ambiguous }
    let next = Int(truncatingIfNeeded: low)
    return next == index ? .seen : .next(next)
  }

  /// Returns the index of the member that is probably next; `nil` if the hint is for another object. If it is not known whether the keys of
  /// the object differ, the result is an index at which there is no member.
  @inline(__always)
  func next(ofObjectAt index: Int) -> Int? {
    let word = word.load(ordering: .relaxed)
    guard word &>> 32 == UInt64(truncatingIfNeeded: index) else { return nil }
    // For ``State/seen`` this is the object itself, which is not a key. For ``State/ambiguous`` it is after the end of any object.
    return Int(truncatingIfNeeded: word & 0xFFFF_FFFF)
  }

  @inline(__always)
  func set(_ state: State, ofObjectAt index: Int) {
    let object = UInt64(truncatingIfNeeded: index)
    let low =
      switch state {
      case .unknown, .ambiguous: Self.ambiguous
      case .seen: object
      case .next(let next): UInt64(truncatingIfNeeded: next)
      }
    word.store(object &<< 32 | low, ordering: .relaxed)
  }

  /// The current hint, which ``restore(_:)`` can restore.
  @inline(__always) var saved: UInt64 { word.load(ordering: .relaxed) }

  /// Restores the hint of an object after others were read in between.
  @inline(__always)
  func restore(_ saved: UInt64) {
    word.store(saved, ordering: .relaxed)
  }
}
