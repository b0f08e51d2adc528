internal import Synchronization

/// What is known of the object whose member was looked up last: where the next key that is asked for may stand.
///
/// One word that is read and written in one piece: the object's index in the high half; in the low half the index of the
/// member behind the last one found, or what else is known. It says something that is true of the tape whoever wrote it, so
/// that threads that read one document at the same time only spoil each other's speed.
struct MemberHint: ~Copyable {
  enum State: Equatable {
    /// Nothing is known of the object.
    case unknown
    /// A member of the object was looked up once.
    case seen
    /// The object's keys differ from each other; the member at this index is likely the next, unless it is the object's end.
    case next(Int)
    /// Two members may share a key, of which the first counts: every search begins at the first member.
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

  /// The index of the member that is likely the next, in an object whose keys are known to differ; no index of a member
  /// where that is not known.
  @inline(__always)
  func next(ofObjectAt index: Int) -> Int? {
    let word = word.load(ordering: .relaxed)
    guard word &>> 32 == UInt64(truncatingIfNeeded: index) else { return nil }
    // For ``State/seen`` it is the object itself, which is no key; for ``State/ambiguous`` it is behind any object's end.
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

  /// What ``restore(_:)`` brings back.
  @inline(__always) var saved: UInt64 { word.load(ordering: .relaxed) }

  /// Goes back to an object after others were read in between.
  @inline(__always)
  func restore(_ saved: UInt64) {
    word.store(saved, ordering: .relaxed)
  }
}
