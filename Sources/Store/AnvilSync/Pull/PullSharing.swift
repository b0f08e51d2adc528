/// The way in which several processes run the same pull.
public struct PullSharing: Hashable, Sendable {
  /// The duration of a lease; `nil` if partitions are not leased.
  let lease: Duration?

  /// The minimum duration of a lease. A lease is renewed three times in its duration, and waiting runs search for
  /// expired leases at the same interval.
  package static var minimumLease: Duration { .milliseconds(100) }

  /// One process runs the pull. If two runs take place at the same time, the slower one fails with ``PullError/Code/overtaken``.
  public static var single: PullSharing { PullSharing(lease: nil) }

  /// Any number of processes and machines run the pull, and share the partitions of a listing.
  ///
  /// A run claims one partition after the other for the duration of the lease, and renews the lease while it requests and stores pages. If
  /// a process ends unexpectedly, others continue its partition after the lease has expired. A process that was suspended for longer than
  /// the lease can no longer store its page. The run ends when the listing of all partitions is complete. Its report counts only the rows
  /// that this run has stored.
  ///
  /// Leases are timed by the clock of the database. A run fails with ``PullError/Code/invalidPull`` if the duration is
  /// less than 0.1 seconds.
  public static func leases(of duration: Duration = .seconds(30)) -> PullSharing { PullSharing(lease: duration) }
}
