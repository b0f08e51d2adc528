internal import Synchronization

/// A session whose keyed containers refer to it without being counted.
protocol ContainerOwner: AnyObject {
  /// Whether someone still refers to one of them.
  var hasEscapedContainers: Bool { get }
}

/// Sessions of which someone has kept a keyed container.
///
/// Such a container cannot say when it ends. So its session is kept here, and let go when a later one finds that nobody has
/// its containers any more.
enum EscapedContainers {
  /// `@unchecked Sendable`: all that is done with it here is to ask how many refer to its containers, a count that is read
  /// atomically, and to let go of it when nobody does: then no other thread has it either.
  private struct Kept: @unchecked Sendable {
    let session: any ContainerOwner
  }

  private static let kept = Mutex<[Kept]>([])
  private static let count = Atomic(0)

  static func keep(_ session: any ContainerOwner) {
    let kept = Kept(session: session)
    self.kept.withLock { sessions in
      sessions.append(kept)
      count.store(sessions.count, ordering: .relaxed)
    }
  }

  /// Lets sessions go that are kept for nobody.
  @inline(__always)
  static func sweep() {
    if count.load(ordering: .relaxed) > 0 { sweepKept() }
  }

  @inline(never)
  private static func sweepKept() {
    // Sessions end outside of the lock: what they free may be anything.
    let ended = kept.withLock { sessions in
      // Asked once of each: a container may end on another thread meanwhile.
      let firstEnded = sessions.partition { !$0.session.hasEscapedContainers }
      let ended = Array(sessions[firstEnded...])
      sessions.removeSubrange(firstEnded...)
      count.store(sessions.count, ordering: .relaxed)
      return ended
    }
    withExtendedLifetime(ended) {}
  }
}
