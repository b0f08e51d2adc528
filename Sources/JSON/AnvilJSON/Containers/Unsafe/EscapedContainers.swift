internal import Synchronization

/// A session whose keyed containers hold uncounted references to it.
protocol ContainerOwner: AnyObject {
  /// True if one of the containers is still referred to.
  var hasEscapedContainers: Bool { get }
}

/// Sessions with keyed containers that are still referred to after the session has ended.
///
/// Such a container cannot report when its lifetime ends. Its session is therefore kept here, and released when a later session
/// finds that the containers are no longer referred to.
enum EscapedContainers {
  /// `@unchecked Sendable`: the only operations here are reading the reference counts of the session's containers, which is atomic, and
  /// releasing the session when no references are left. No other thread has access to the session then.
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

  /// Releases the sessions whose containers are no longer referred to.
  @inline(__always)
  static func sweep() {
    if count.load(ordering: .relaxed) > 0 { sweepKept() }
  }

  @inline(never)
  private static func sweepKept() {
    // Sessions are released outside of the lock, since their deinitialisation may run any code.
    let ended = kept.withLock { sessions in
      // Each is checked only once, because a container may be released on another thread meanwhile.
      let firstEnded = sessions.partition { !$0.session.hasEscapedContainers }
      let ended = Array(sessions[firstEnded...])
      sessions.removeSubrange(firstEnded...)
      count.store(sessions.count, ordering: .relaxed)
      return ended
    }
    withExtendedLifetime(ended) {}
  }
}
