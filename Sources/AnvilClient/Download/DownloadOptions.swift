/// How a response is brought into a file: what is asked of each transfer, and how long it is gone on with.
///
///     var options = DownloadOptions()
///     options.progressHandler = { print($0.byteCount, "of", $0.totalByteCount ?? 0) }
///     try await gateway.request("images", "linux.iso").download(to: file, options: options).value
public struct DownloadOptions: Sendable {
  /// The most attempts in a row that bring the download no further; the one that reaches it is the last.
  public var maxFruitlessAttempts = 6
  /// How long to wait before each next attempt; its number counts those in a row that brought nothing.
  public var backoff: any BackoffStrategy = ExponentialBackoff()
  /// The most time without a byte, of the head or the body, after which the connection is given up for a new one; `nil` for no
  /// limit. There is none for the whole.
  public var idleTimeout: Duration? = .seconds(60)
  /// What pauses and silence are measured by.
  public var clock: any Clock<Duration> = ContinuousClock()
  /// Hears how far the whole file has come, what an earlier call left included. Counts never fall, but to 0 where the
  /// download has to begin anew.
  public var progressHandler: TransferProgress.Handler?
  /// Hears of informational responses, trailers and metrics, of each attempt.
  public var eventHandler: TransferEvent.Handler?

  /// What the client may do with each attempt's request beyond sending it once. Its deadline has no effect. Of a gateway's
  /// download it comes before the request's own policy.
  public var policy = RequestPolicy()

  /// Six attempts without progress, a minute of silence, nobody who hears.
  public init() {}
}
