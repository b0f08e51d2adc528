/// The way in which several processes run the same pull.
public struct PullSharing: Hashable, Sendable {
  /// The duration of a lease; `nil` if partitions are not leased.
  let lease: Duration?

  /// One process runs the pull. If another one runs it at the same time, the slower run fails with ``PullError/Code/overtaken``.
  public static var single: PullSharing { PullSharing(lease: nil) }

  /// Any number of processes and machines run the pull, and share the partitions of a listing.
  ///
  /// A run claims one partition after the other for the duration of the lease, and renews the lease while it requests and stores pages. If
  /// a process dies, others continue its partition after that time. A process that wakes up late cannot store its page any more. The run ends
  /// when the listing of all partitions is complete. Its report counts the rows that this run has stored.
  ///
  /// Leases are compared with the clock of each machine. Clocks that differ by more than the lease cost repeated requests, but no rows.
  public static func leases(of duration: Duration = .seconds(30)) -> PullSharing { PullSharing(lease: duration) }
}
